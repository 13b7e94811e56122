//! Model lists of `compare` and `bench`. One model is `NAME[@RECIPE][:key=value]…`, such as
//! `gradtree@published:depth=4:start=random`; a learner may occur several times with different settings.

use espalier::error::{Code, Error, listed, quoted};
use espalier::learn::{LEARNERS, Recipe, Settings, Value};

use super::forest;

/// The kind of model that a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A learner.
    Learner,
    /// CART tuned by validation.
    Tuned,
    /// A random forest, whose rows are encoded as for CART.
    Forest,
}

/// The name of CART tuned by validation.
pub const TUNED: &str = "cart-tuned";

/// The hyper-parameters that [`TUNED`] chooses itself.
const CHOSEN: [&str; 3] = ["depth", "min_samples_leaf", "ccp_alpha"];

/// The hyper-parameters for which its grid of leaf costs does not work.
const FIXED: [&str; 2] = ["loss", "quantile"];

/// A model of a list.
#[derive(Debug, Clone)]
pub struct Model {
    /// The whole spec as given, unique in its list. Tables and reports use it as the model's name.
    pub name: String,
    /// The kind of the spec's name.
    pub kind: Kind,
    /// The learner with its recipe and the hyper-parameters set by hand.
    pub learner: Settings,
    /// What was set, as one text: `depth=4 recipe=published`; empty if nothing was.
    pub shown: String,
}

/// Additions of a command to the grammar.
pub struct Rules<'a> {
    /// Whether [`TUNED`] is allowed.
    pub tuned: bool,
    /// The depth of `cart` if the spec sets none; `None` for the learner's own.
    pub cart_depth: Option<u32>,
    /// The recipe of models that name none.
    pub recipe: Option<Recipe>,
    /// Hyper-parameters for every model that has them, in order.
    pub common: &'a [(&'a str, Value)],
}

/// The parameter that is the older name of the recipe.
const PRESET: &str = "preset";

/// The parts of one spec.
struct Spec<'a> {
    name: &'a str,
    recipe: Option<&'a str>,
    settings: Vec<(&'a str, Value)>,
}

/// Parses a list of models. A model's own settings override common ones.
pub fn parse(list: &[String], rules: &Rules) -> Result<Vec<Model>, Error> {
    let mut models: Vec<Model> = vec![];
    for text in list.iter().map(|text| text.trim()) {
        let model = Spec::parse(text).and_then(|spec| spec.model(text, rules)).map_err(|mut error| {
            if text.contains(['@', ':']) {
                error.message = format!("Model {}: {}", quoted(text), error.message);
            }
            error
        })?;
        let same = |known: &&Model| (known.key(), &known.learner) == (model.key(), &model.learner);
        if let Some(known) = models.iter().find(same) {
            let message = if known.name == model.name {
                format!("The model {} is named twice.", quoted(text))
            } else {
                format!("The models {} and {} are the same.", quoted(&known.name), quoted(text))
            };
            return Err(Error::new(Code::BadValue, message, "Name each model once in --models."));
        }
        models.push(model);
    }
    match rules.common.iter().find(|(key, _)| !models.iter().any(|model| model.takes(key))) {
        None => Ok(models),
        Some((key, _)) => Err(nobody_takes(key, &models)),
    }
}

impl<'a> Spec<'a> {
    fn parse(text: &'a str) -> Result<Spec<'a>, Error> {
        let refuse =
            |message: String| Err(Error::new(Code::BadValue, message, "Write NAME[@RECIPE][:key=value]…."));
        let mut pieces = text.split(':').map(str::trim);
        let head = pieces.next().unwrap_or_default();
        let (name, recipe) = match head.split_once('@') {
            Some((name, recipe)) => (name.trim(), Some(recipe.trim())),
            None => (head, None),
        };
        if name.is_empty() {
            return refuse("It has no learner's name.".into());
        }
        let mut settings: Vec<(&str, Value)> = vec![];
        for piece in pieces {
            let Some((key, value)) = piece.split_once('=').map(|(key, value)| (key.trim(), value.trim()))
            else {
                return refuse(format!("The setting {} is not key=value.", quoted(piece)));
            };
            if value.is_empty() {
                return refuse(format!("The setting {} has no value.", quoted(key)));
            }
            if settings.iter().any(|(known, _)| *known == key) || key == PRESET && recipe.is_some() {
                return refuse(format!("{} is set twice.", if key == PRESET { "The recipe" } else { key }));
            }
            settings.push((key, Value::parse(value)));
        }
        Ok(Spec { name, recipe, settings })
    }

    fn model(self, text: &str, rules: &Rules) -> Result<Model, Error> {
        let kind = match self.name {
            forest::KEY => Kind::Forest,
            TUNED if rules.tuned => Kind::Tuned,
            _ => Kind::Learner,
        };
        let learner =
            Settings::new(if kind == Kind::Learner { self.name } else { "cart" }).map_err(|mut error| {
                let more = [rules.tuned.then_some(TUNED), Some(forest::KEY)].into_iter().flatten();
                error.hint = format!(
                    "Choose one of {}.",
                    listed(LEARNERS.iter().map(|learner| learner.key).chain(more))
                );
                error
            })?;
        let learner = learner.with_recipe(rules.recipe.unwrap_or_default());
        let mut model = Model { name: text.to_owned(), kind, learner, shown: String::new() };
        for (key, value) in rules.common {
            if model.takes(key) {
                model.learner.set(key, value)?;
            }
        }
        if let Some(recipe) = self.recipe {
            // The tuned tree is the same under any recipe: it chooses the settings in which they differ.
            if kind != Kind::Learner {
                let message = format!("{} has no recipes.", model.key());
                return Err(Error::new(Code::BadValue, message, "Leave out the @ and what follows it."));
            }
            model.learner = model.learner.with_recipe(Recipe::parse(recipe)?);
        }
        for (key, value) in &self.settings {
            if !model.takes(key) && kind == Kind::Forest {
                let message = format!("The forest has no hyper-parameter {}.", quoted(key));
                return Err(Error::new(Code::UnknownParameter, message, "Leave it out."));
            }
            if !model.takes(key) && FIXED.contains(key) {
                let message = format!("{TUNED} has no {key}: it is tuned for the squared error.");
                return Err(Error::new(Code::UnknownParameter, message, "Leave it out, or set it on cart."));
            }
            if !model.takes(key) && CHOSEN.contains(key) {
                let message = format!("{TUNED} chooses {key} itself, by validation.");
                return Err(Error::new(Code::UnknownParameter, message, "Leave it out, or set it on cart."));
            }
            model.learner.set(key, value)?;
        }
        model.shown = shown(&model.learner);
        let plain_cart = model.learner.key() == "cart" && model.learner.recipe() == Recipe::Espalier;
        if let Some(depth) = rules.cart_depth.filter(|_| plain_cart && !model.learner.has_said("depth")) {
            model.learner.set("depth", &Value::Number(f64::from(depth)))?;
        }
        Ok(model)
    }
}

impl Model {
    /// The name without recipe and settings.
    pub fn key(&self) -> &'static str {
        match self.kind {
            Kind::Learner => self.learner.key(),
            Kind::Tuned => TUNED,
            Kind::Forest => forest::KEY,
        }
    }

    /// Whether the model has a hyper-parameter that may be set.
    fn takes(&self, key: &str) -> bool {
        let has = self.learner.has(key);
        match self.kind {
            Kind::Learner => has,
            Kind::Tuned => has && !CHOSEN.contains(&key) && !FIXED.contains(&key),
            Kind::Forest => false,
        }
    }
}

/// The recipe and hyper-parameters that were set, in the order of their keys.
fn shown(learner: &Settings) -> String {
    let text = |value: &Value| match value {
        Value::Flag(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Choice(word) => word.clone(),
    };
    let mut said: Vec<String> =
        learner.said().iter().map(|(key, value)| format!("{key}={}", text(value))).collect();
    if learner.recipe() != Recipe::default() {
        said.push(format!("recipe={}", learner.recipe().as_str()));
        said.sort_unstable();
    }
    said.join(" ")
}

fn nobody_takes(key: &str, models: &[Model]) -> Error {
    let mut known: Vec<&str> = vec![];
    for model in models {
        known.extend(model.learner.params().iter().map(|param| param.key).filter(|key| model.takes(key)));
    }
    known.sort_unstable();
    known.dedup();
    let message = format!("None of the models has a hyper-parameter {}.", quoted(key));
    let hint = match known.as_slice() {
        [] => "The forest has none: leave it out.".to_owned(),
        known => format!("They have {}.", known.join(", ")),
    };
    Error::new(Code::UnknownParameter, message, hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier::learn::TargetKind;

    fn parsed(specs: &[&str], common: &[(&str, Value)]) -> Result<Vec<Model>, Error> {
        let list: Vec<String> = specs.iter().map(|&spec| spec.to_owned()).collect();
        parse(&list, &Rules { tuned: true, cart_depth: Some(10), recipe: None, common })
    }

    fn value(model: &Model, key: &str) -> Value {
        let config = model.learner.resolve(TargetKind::Classes(2));
        config.params().into_iter().find(|param| param.key == key).unwrap().value
    }

    #[test]
    fn a_model_has_its_recipe_then_the_common_settings_then_its_own() {
        let common = [("restarts", Value::Number(2.0)), ("depth", Value::Number(7.0))];
        let specs = ["cart", "gradtree@published:depth=4:start=greedy", "gradtree", "cart-tuned", "forest"];
        let models = parsed(&specs, &common).unwrap();
        assert_eq!(models.iter().map(|model| model.name.as_str()).collect::<Vec<_>>(), specs);
        let depths: Vec<Value> = models[..3].iter().map(|model| value(model, "depth")).collect();
        assert_eq!(depths, [7.0, 4.0, 7.0].map(Value::Number));
        assert_eq!(value(&models[1], "patience"), Value::Number(200.0));
        assert_eq!(value(&models[1], "start"), Value::Choice("greedy".into()));
        assert_eq!(models[1].shown, "depth=4 recipe=published restarts=2 start=greedy");
        assert_eq!(models[3].shown, "");
        assert_eq!(value(&parsed(&["cart@published"], &[]).unwrap()[0], "depth"), Value::Number(32.0));
        assert_eq!(value(&parsed(&["cart"], &[]).unwrap()[0], "depth"), Value::Number(10.0));
        for spec in ["get@published", "get-linear@espalier", "relaxed@published", "gradtree@espalier"] {
            assert_eq!(parsed(&[spec], &[]).unwrap().len(), 1, "{spec}");
        }
    }

    #[test]
    fn equal_models_are_found_however_they_are_written() {
        for pair in [
            ["cart", " cart"],
            ["gradtree:depth=4:start=random", "gradtree:start=random:depth=4"],
            ["gradtree@published", "gradtree:preset=paper"],
            ["get:depth=4", "get:depth=4.0"],
            ["get", "get@espalier"],
            ["cart", "cart:depth=10"],
        ] {
            let message = parsed(&pair, &[]).unwrap_err().message;
            assert!(message.contains("twice") || message.contains("are the same"), "{message}");
        }
        assert_eq!(parsed(&["get", "get:depth=9", "get-linear"], &[]).unwrap().len(), 3);
    }

    #[test]
    fn what_is_wrong_with_a_model_is_said() {
        for (spec, words) in [
            ("gradtree@foo", "no recipe called \"foo\". Choose one of \"espalier\" and \"published\""),
            ("gradtree@", "no recipe called \"\""),
            ("cart-tuned@published", "cart-tuned has no recipes"),
            ("gradtree:depth", "\"depth\" is not key=value"),
            ("gradtree:depth=", "\"depth\" has no value"),
            (":x=1", "no learner's name"),
            ("@published", "no learner's name"),
            ("", "no learner's name"),
            ("gradtree:x=1", "no hyper-parameter \"x\". It has depth"),
            ("gradtree:depth=99", "cannot be 99"),
            ("gradtree:depth=3:depth=4", "depth is set twice"),
            ("gradtree@published:preset=paper", "The recipe is set twice"),
            ("forest:depth=3", "The forest has no hyper-parameter"),
            ("forest@published", "forest has no recipes"),
            ("cart-tuned:depth=3", "chooses depth itself"),
            ("cart-tuned:loss=absolute", "tuned for the squared error"),
            ("oak:depth=3", "\"forest\""),
        ] {
            let error = parsed(&[spec], &[]).unwrap_err().to_string();
            assert!(error.contains(words), "{spec}: {error}");
        }
        let error = parsed(&["cart"], &[("epochs", Value::Number(1.0))]).unwrap_err();
        assert!(error.hint.contains("ccp_alpha"), "{error}");
    }
}
