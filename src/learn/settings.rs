//! What was asked of a learner: the hyper-parameters set by hand, and the recipe that gives all others.

use super::recipe::{ALIAS, Recipe, TargetKind};
use super::{Config, Param, Value};
use crate::error::Result;

/// A learner with the hyper-parameters that were set by hand. What was set is never changed, whatever its
/// value and order; the recipe gives every other one, once the target is known ([`Settings::resolve`]).
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    learner: &'static str,
    recipe: Recipe,
    /// In the order of the keys.
    said: Vec<(&'static str, Value)>,
}

impl Default for Settings {
    /// GradTree with nothing set.
    fn default() -> Settings {
        Settings { learner: "gradtree", recipe: Recipe::default(), said: vec![] }
    }
}

impl Settings {
    /// A learner by its key, with nothing set.
    pub fn new(learner: &str) -> Result<Settings> {
        Ok(Settings { learner: Config::new(learner)?.key(), recipe: Recipe::default(), said: vec![] })
    }

    /// The same under a recipe.
    pub fn with_recipe(mut self, recipe: Recipe) -> Settings {
        self.recipe = recipe;
        self
    }

    /// The learner's key.
    pub fn key(&self) -> &'static str {
        self.learner
    }

    /// The recipe that gives what is not set.
    pub fn recipe(&self) -> Recipe {
        self.recipe
    }

    /// The hyper-parameters set by hand, in the order of their keys.
    pub fn said(&self) -> &[(&'static str, Value)] {
        &self.said
    }

    /// Whether a hyper-parameter was set by hand.
    pub fn has_said(&self, key: &str) -> bool {
        self.said.iter().any(|(known, _)| *known == key)
    }

    /// Whether the learner has a hyper-parameter.
    pub fn has(&self, key: &str) -> bool {
        key == ALIAS || self.params().iter().any(|param| param.key == key)
    }

    /// The learner's hyper-parameters, as they are before the target is known.
    pub fn params(&self) -> Vec<Param> {
        self.resolved(TargetKind::Number).params()
    }

    /// Sets a hyper-parameter by hand; a later value replaces an earlier one. `preset` names the recipe:
    /// `paper` or `default`. An unknown key or a value out of range is an error that says what is known.
    pub fn set(&mut self, key: &str, value: &Value) -> Result<()> {
        if key == ALIAS {
            self.recipe = Recipe::of_preset(value)?;
            return Ok(());
        }
        let key = self.base(TargetKind::Number).place(key, value)?;
        match self.said.binary_search_by(|(known, _)| known.cmp(&key)) {
            Ok(at) => self.said[at].1 = value.clone(),
            Err(at) => self.said.insert(at, (key, value.clone())),
        }
        Ok(())
    }

    /// Every hyper-parameter for a target: those set by hand, and the recipe's.
    pub fn resolve(&self, target: impl Into<TargetKind>) -> Config {
        self.resolved(target.into())
    }

    fn base(&self, target: TargetKind) -> Config {
        Config::of(self.learner, self.recipe, target).expect("the learner was found before")
    }

    fn resolved(&self, target: TargetKind) -> Config {
        let mut config = self.base(target);
        for (key, value) in &self.said {
            config.set(key, value).expect("the value was checked when it was set");
        }
        config.follow(target, &|key| self.has_said(key));
        config
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::LEARNERS;

    fn value(config: &Config, key: &str) -> Value {
        config.params().into_iter().find(|param| param.key == key).expect("the key exists").value
    }

    #[test]
    fn what_is_said_stays_whatever_its_value_and_order() {
        for recipe in Recipe::ALL {
            for learner in LEARNERS {
                for target in [TargetKind::Classes(2), TargetKind::Classes(5), TargetKind::Number] {
                    let free = Settings::new(learner.key).unwrap().with_recipe(recipe).resolve(target);
                    for other in Recipe::ALL {
                        // Every value of one recipe, said, survives the other one.
                        for param in
                            Settings::new(learner.key).unwrap().with_recipe(other).resolve(target).params()
                        {
                            let mut settings = Settings::new(learner.key).unwrap();
                            settings.set(param.key, &param.value).unwrap();
                            let config = settings.clone().with_recipe(recipe).resolve(target);
                            assert_eq!(
                                value(&config, param.key),
                                param.value,
                                "{} {}",
                                learner.key,
                                param.key
                            );
                            assert!(settings.said().len() == 1 && settings.has_said(param.key));
                        }
                    }
                    assert_eq!(free, Settings::new(learner.key).unwrap().with_recipe(recipe).resolve(target));
                }
            }
        }
    }

    #[test]
    fn preset_is_an_alias_in_any_order() {
        let [mut before, mut after] = [0, 1].map(|_| Settings::new("gradtree").unwrap());
        let (depth, preset) = (Value::Number(3.0), Value::Choice("paper".into()));
        before.set("preset", &preset).unwrap();
        before.set("depth", &depth).unwrap();
        after.set("depth", &depth).unwrap();
        after.set("preset", &preset).unwrap();
        assert_eq!(before, after);
        assert_eq!(after.recipe(), Recipe::Published);
        after.set("preset", &Value::Choice("default".into())).unwrap();
        assert_eq!(after.recipe(), Recipe::Espalier);
        for bad in [Value::Choice("papyrus".into()), Value::Number(1.0)] {
            let error = after.set("preset", &bad).unwrap_err();
            assert!(error.hint.contains("espalier") && error.hint.contains("published"), "{error}");
        }
    }
}
