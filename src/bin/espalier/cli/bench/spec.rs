//! The models of a benchmark: learners with hyper-parameters, and CART tuned by validation.

use crate::cli::forest::KEY as FOREST;
use espalier::encode::{Parts, Problem};
use espalier::error::{Code, Error, listed, quoted};
use espalier::learn::{Config, LEARNERS, Recipe, Settings, Value};
use espalier::run::{Fit, Fitted, Rule, STOPPED};
use espalier::table::Table;

use super::super::interrupt;
use super::tuned;

/// A model as the command names it.
pub struct Model {
    /// The name as given.
    pub name: String,
    learner: Settings,
    tuned: bool,
    /// Whether it is no learner but a forest of greedy trees.
    pub forest: bool,
}

/// The greedy learner whose settings are chosen by validation.
const TUNED: &str = "cart-tuned";
/// The depth of `cart` here, as in the papers' comparisons, unless it is set or the recipe is another one.
const CART_DEPTH: f64 = 10.0;

/// The models named, each with the common settings that it has and then its own.
pub fn models(names: &[String], common: &[(String, Value)]) -> Result<Vec<Model>, Error> {
    let mut models: Vec<Model> = vec![];
    for name in names.iter().map(|name| name.trim()) {
        if models.iter().any(|known| known.name == name) {
            let message = format!("The model {} is named twice.", quoted(name));
            return Err(Error::new(Code::BadValue, message, "Name each model once in --models."));
        }
        let mut pieces = name.split(':');
        let key = pieces.next().unwrap_or_default();
        let (tuned, forest) = (key == TUNED, key == FOREST);
        let mut learner = Settings::new(if tuned || forest { "cart" } else { key }).map_err(|mut error| {
            error.hint = format!("Choose one of {}.", listed(LEARNERS.iter().map(|l| l.key).chain([TUNED, FOREST])));
            error
        })?;
        for (key, value) in common {
            if learner.has(key) {
                learner.set(key, value)?;
            }
        }
        for piece in pieces {
            let (key, value) = piece.split_once('=').ok_or_else(|| {
                let message = format!("The setting {} of {} is not key=value.", quoted(piece), quoted(name));
                Error::new(Code::BadValue, message, "Write a model as learner:key=value:key=value.")
            })?;
            learner.set(key, &Value::parse(value))?;
        }
        let has_depth = learner.said().contains_key("depth");
        if learner.key() == "cart" && learner.recipe() == Recipe::Espalier && !has_depth {
            learner.set("depth", &Value::Number(CART_DEPTH))?;
        }
        models.push(Model { name: name.to_owned(), learner, tuned, forest });
    }
    match common.iter().find(|(key, _)| !models.iter().any(|model| model.learner.has(key))) {
        None => Ok(models),
        Some((key, _)) => {
            let known: Vec<&str> = models.iter().flat_map(|model| model.learner.params()).map(|p| p.key).collect();
            let message = format!("None of the models has a hyper-parameter {}.", quoted(key));
            Err(Error::new(Code::UnknownParameter, message, format!("They have {}.", known.join(", "))))
        }
    }
}

impl Model {
    /// Trains on the parts; none if the user asked to stop.
    pub fn fit(
        &self,
        table: &Table,
        problem: &Problem,
        parts: &Parts,
        seed: u32,
        metric: &str,
    ) -> Result<Option<Fitted>, Error> {
        let config = self.learner.resolve(&problem.labels);
        let config = if self.tuned {
            match tuned::choose(&config, table, problem, parts, seed, metric)? {
                Some(config) => config,
                None => return Ok(None),
            }
        } else {
            config
        };
        train(&config, table, problem, parts, seed)
    }
}

/// One training to its end; none if the user asked to stop.
pub fn train(
    config: &Config,
    table: &Table,
    problem: &Problem,
    parts: &Parts,
    seed: u32,
) -> Result<Option<Fitted>, Error> {
    let decision = Rule::Auto.decide_for(problem, parts)?;
    let mut fit = Fit::start(table, problem, parts, config, &decision, seed)?;
    while fit.step().stop.is_none() {
        if interrupt::asked() {
            return Ok(None);
        }
    }
    Ok(Some(fit.finish(table, problem, parts, STOPPED)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_has_the_common_settings_and_then_its_own() {
        let names = ["cart", "cart-tuned", "gradtree:depth=4"].map(str::to_owned);
        let common = [("restarts".to_owned(), Value::Number(2.0)), ("depth".to_owned(), Value::Number(7.0))];
        let depth = |model: &Model| model.learner.params().into_iter().find(|p| p.key == "depth").unwrap().value;
        let plain = models(&names, &[]).unwrap();
        assert_eq!(depth(&plain[0]), Value::Number(10.0));
        let set = models(&names, &common).unwrap();
        assert_eq!([0, 2].map(|at| depth(&set[at])), [Value::Number(7.0), Value::Number(4.0)]);
        assert!(set[1].tuned && !set[0].tuned);
        let published = models(&["cart:preset=paper".to_owned()], &[]).unwrap();
        assert_eq!(depth(&published[0]), Value::Number(32.0));
    }

    #[test]
    fn what_is_wrong_with_a_model_is_said() {
        let error = |names: &[&str], common: &[(String, Value)]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            models(&names, common).err().expect("this is no list of models")
        };
        assert!(error(&["forrest"], &[]).hint.contains("cart-tuned"));
        assert!(error(&["cart", "cart"], &[]).message.contains("twice"));
        assert!(error(&["cart:depth"], &[]).message.contains("key=value"));
        assert!(error(&["cart"], &[("epochs".into(), Value::Number(1.0))]).hint.contains("ccp_alpha"));
    }
}
