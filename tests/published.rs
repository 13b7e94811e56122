//! The published recipe of every learner, end to end: it resolves to the papers' numbers, the training uses
//! them, and the file states them.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;
use std::sync::Arc;

use espalier::encode::Shares;
use espalier::export::{self, Document, Setting, Training};
use espalier::learn::{LEARNERS, Recipe, Settings, TargetKind, Value};
use espalier::run::{self, Aim, Run, STOPPED};
use espalier::table::{Overrides, Table};

/// Hyper-parameters by key, spelled as for `--set`.
type Numbers = &'static [(&'static str, &'static str)];

const TWO: TargetKind = TargetKind::Classes(2);
const MORE: TargetKind = TargetKind::Classes(3);
const NUMBER: TargetKind = TargetKind::Number;

/// The expected values of each learner's published recipe.
const PAPERS: &[(&str, TargetKind, Numbers)] = &[
    // Marton et al. 2024 and the settings of its experiments.
    (
        "gradtree",
        TWO,
        &[
            ("depth", "10"),
            ("lr_index", "0.05"),
            ("lr_values", "0.01"),
            ("lr_leaf", "0.005"),
            ("restarts", "6"),
            ("loss", "cross_entropy"),
            ("epochs", "10000"),
            ("patience", "200"),
            ("average", "5"),
            ("batch", "128"),
            ("split", "sigmoid"),
            ("init", "glorot"),
            ("scale", "quantile"),
            ("quantile_noise", "0.001"),
            ("categories", "leave_one_out"),
            ("resample", "auto"),
            ("start", "random"),
            ("refit", "false"),
        ],
    ),
    ("gradtree", MORE, &[("lr_leaf", "0.05"), ("restarts", "4"), ("loss", "focal"), ("focal_gamma", "3")]),
    ("gradtree", NUMBER, &[("depth", "10"), ("lr_leaf", "0.05"), ("restarts", "4")]),
    // Mao and Cao 2024.
    (
        "get",
        NUMBER,
        &[
            ("depth", "12"),
            ("tune", "depth"),
            ("starts", "10"),
            ("epochs", "3000"),
            ("batch", "0"),
            ("rate", "0.01"),
            ("alphas", "2"),
            ("alpha_first_min", "5"),
            ("alpha_first_max", "25"),
            ("alpha_last_min", "50"),
            ("alpha_last_max", "150"),
            ("polish", "on"),
            ("polish_starts", "10"),
            ("refine", "off"),
            ("teach", "off"),
            ("spare", "0"),
        ],
    ),
    (
        "get-linear",
        NUMBER,
        &[("tune", "depth_and_l1"), ("polish", "off"), ("starts", "10"), ("epochs", "3000")],
    ),
    // Zantedeschi et al. 2020.
    (
        "relaxed",
        MORE,
        &[
            ("rate", "0.001"),
            ("batch", "512"),
            ("epochs", "100"),
            ("version", "a"),
            ("balance", "0"),
            ("restarts", "1"),
        ],
    ),
    // scikit-learn's defaults, as deep as a tree may be here.
    (
        "cart",
        TWO,
        &[
            ("depth", "32"),
            ("min_samples_split", "2"),
            ("min_samples_leaf", "1"),
            ("min_impurity_decrease", "0"),
            ("ccp_alpha", "0"),
            ("class_weight", "none"),
        ],
    ),
];

fn asked(learner: &str, said: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::new(learner).unwrap().with_recipe(Recipe::Published);
    for (key, value) in said {
        settings.set(key, &Value::parse(value)).unwrap();
    }
    settings
}

#[test]
fn the_published_recipe_has_the_papers_numbers() {
    for (learner, target, numbers) in PAPERS {
        let params = asked(learner, &[]).resolve(*target).params();
        for (key, number) in *numbers {
            let found = params
                .iter()
                .find(|param| param.key == *key)
                .unwrap_or_else(|| panic!("{learner} has no {key}"));
            assert_eq!(found.value, Value::parse(number), "{learner} {key}");
        }
    }
    assert!(LEARNERS.iter().all(|learner| PAPERS.iter().any(|(key, ..)| *key == learner.key)));
}

/// Numbers, words, and a target of either kind that depends on them.
fn table(target: &str) -> Arc<Table> {
    let mut text = "a,b,word,y\n".to_owned();
    for row in 0..120usize {
        let (a, b) = (row * 37 % 97, row * 53 % 89);
        let word = ["hill", "shore", "wood"][row * 7 % 3];
        let step = usize::from(a > 45) + usize::from(b > 40 && word != "wood");
        let y = match target {
            "two" => ["no", "yes"][step.min(1)].to_owned(),
            "three" => ["low", "middle", "high"][step].to_owned(),
            _ => format!("{}", step as f64 * 10.0 + (row % 5) as f64 / 10.0),
        };
        text += &format!("{a}.5,{b},{word},{y}\n");
    }
    Arc::new(Table::read(text.as_bytes(), &Overrides::default()).unwrap())
}

/// Trains, then reads the file back.
fn trained(learner: Settings, target: &str) -> (Document, Training) {
    let settings = run::Settings { learner, seed: 1, ..run::Settings::new("y") };
    let mut run = Run::start(table(target), settings).unwrap();
    while run.step().stop.is_none() {}
    let fitted = run.finish(STOPPED);
    assert!(fitted.metrics["train"].values().all(|score| score.is_finite()));
    let text = export::write(&run.document(&fitted)).unwrap();
    let document = export::read(&text).unwrap();
    assert!(export::verify(&document).unwrap() > 0);
    let training = document.training.clone().unwrap();
    (document, training)
}

fn settings_of(said: &[(&str, &str)]) -> BTreeMap<String, Setting> {
    let setting = |text: &str| match Value::parse(text) {
        Value::Flag(flag) => Setting::Flag(flag),
        Value::Number(number) => Setting::Number(number),
        Value::Choice(word) => Setting::Word(word),
    };
    said.iter().map(|&(key, text)| (key.to_owned(), setting(text))).collect()
}

#[test]
fn every_learner_trains_by_it_and_the_file_says_so() {
    let cases: &[(&str, &str, TargetKind, Numbers)] = &[
        ("gradtree", "two", TWO, &[("patience", "10")]),
        ("gradtree", "three", MORE, &[("patience", "10")]),
        ("gradtree", "number", NUMBER, &[("patience", "10"), ("depth", "4")]),
        ("get", "number", NUMBER, &[("depth", "2"), ("epochs", "30")]),
        ("get-linear", "number", NUMBER, &[("depth", "2"), ("epochs", "30")]),
        ("relaxed", "three", MORE, &[]),
        ("cart", "two", TWO, &[]),
    ];
    for &(learner, target, kind, said) in cases {
        let (document, training) = trained(asked(learner, said), target);
        assert_eq!(training.recipe.as_deref(), Some("published"), "{learner}");
        assert_eq!(training.said.as_ref(), Some(&settings_of(said)), "{learner}");
        // The training used what was set by hand, and the recipe's numbers for the rest.
        let (_, _, papers) = PAPERS.iter().find(|(key, of, _)| *key == learner && *of == kind).unwrap();
        let mut expected = settings_of(papers);
        if said.iter().any(|(key, _)| *key == "depth") && learner.starts_with("get") {
            expected.insert("tune".into(), Setting::Word("off".into()));
        }
        if learner == "relaxed" {
            // A batch has no more rows than there are.
            expected.insert("batch".into(), Setting::Number(training.rows["train"] as f64));
        }
        expected.extend(settings_of(said));
        for (key, value) in expected {
            assert_eq!(training.config.get(&key), Some(&value), "{learner} {target} {key}");
        }
        // With so few rows the relaxed tree takes one small step per epoch, which does not get far.
        assert!(document.model.tree.size() > 1 || learner == "relaxed", "{learner} {target}");
    }
}

#[test]
fn what_is_said_survives_whatever_the_recipe_would_have() {
    // These are the values for two classes, and of the other recipe; with three classes all of them count as
    // set by hand.
    let said = [
        ("loss", "cross_entropy"),
        ("lr_leaf", "0.005"),
        ("restarts", "6"),
        ("epochs", "40"),
        ("average", "1"),
    ];
    let (_, training) = trained(asked("gradtree", &said), "three");
    for (key, value) in settings_of(&said) {
        assert_eq!(training.config[&key], value, "{key}");
    }
    let (_, free) = trained(asked("gradtree", &[("epochs", "40")]), "three");
    assert_eq!(free.config["loss"], Setting::Word("focal".into()));
    assert_ne!(free.steps, 0);
}

#[test]
fn depth_is_chosen_by_validation_where_it_is_not_said() {
    let said = [("epochs", "8"), ("starts", "2"), ("polish", "off")];
    for learner in ["get", "get-linear"] {
        let (document, training) = trained(asked(learner, &said), "number");
        let Setting::Number(depth) = training.config["depth"] else { panic!("a number") };
        assert!(
            (1.0..=12.0).contains(&depth) && document.model.tree.depth() as f64 <= depth,
            "{learner} {depth}"
        );
        let tune = if learner == "get" { "depth" } else { "depth_and_l1" };
        assert_eq!(training.config["tune"], Setting::Word(tune.into()));
        // Two steps of ten: one level is too few.
        assert!(depth >= 2.0 && document.metrics.tree["test"]["r2"] > 0.9, "{learner} {depth}");
    }
}

#[test]
fn averaged_weights_are_another_tree_and_judged_as_such() {
    let one = trained(asked("gradtree", &[("epochs", "60"), ("average", "1")]), "two").0;
    let five = trained(asked("gradtree", &[("epochs", "60")]), "two").0;
    assert_ne!(one.model.tree, five.model.tree);
    assert!(five.metrics.tree["test"]["accuracy"] > 0.8, "{:?}", five.metrics.tree["test"]);
}

#[test]
fn groups_start_at_random_and_the_file_says_so() {
    let tree = |recipe| {
        let mut learner = Settings::new("relaxed").unwrap().with_recipe(recipe);
        learner.set("epochs", &Value::Number(20.0)).unwrap();
        let aim = Aim::Groups { ignore: vec!["y".into()], predicted: vec![], label: None };
        let settings = run::Settings { aim, shares: Shares::default(), learner, seed: 1 };
        let mut run = Run::start(table("two"), settings).unwrap();
        let clustered = run.complete();
        run.document(&clustered)
    };
    let document = tree(Recipe::Published);
    let training = document.training.as_ref().unwrap();
    assert_eq!(training.recipe.as_deref(), Some("published"));
    assert_eq!(training.config["rate"], Setting::Number(0.001));
    assert_eq!(training.said.as_ref().unwrap().keys().collect::<Vec<_>>(), ["epochs"]);
    assert_ne!(document.model.tree, tree(Recipe::Espalier).model.tree);
}

#[test]
fn a_file_that_says_neither_recipe_nor_said_is_read() {
    let text = export::write(&trained(asked("cart", &[]), "two").0).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    for key in ["recipe", "said"] {
        assert!(value["training"].as_object_mut().unwrap().remove(key).is_some());
    }
    let training = export::read(&value.to_string()).unwrap().training.unwrap();
    assert_eq!((training.recipe, training.said), (None, None));
}
