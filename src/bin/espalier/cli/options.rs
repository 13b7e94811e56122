//! Options that `train` and `compare` share, and their conversion to the settings of a run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueHint;
use espalier::encode::{Selection, Shares, Task};
use espalier::error::{Code, Error, quoted};
use espalier::learn::{self, Recipe, Value};
use espalier::run::{Aim, Costs, Rule, Settings, configure};
use espalier::table::Table;

use super::failure::Failure;
use super::files;
use super::progress::Mode;
use super::reading::{self, Columns, Rows};

/// Options of both `train` and `compare`.
#[derive(clap::Args)]
pub struct Options {
    /// A CSV file with a header line
    #[arg(value_name = "DATA.csv", value_hint = ValueHint::FilePath)]
    pub data: PathBuf,
    /// The column to predict: its name, or its number from 1 [default: the most likely one]
    #[arg(long, value_name = "COL")]
    pub target: Option<String>,
    /// auto, classification, regression, or (train only) clustering, which needs no target
    #[arg(long, default_value = "auto")]
    pub task: String,
    /// Columns not to use; may be repeated
    #[arg(long, value_name = "A,B")]
    pub ignore: Vec<String>,
    /// The positive class of two; it comes second in the output
    #[arg(long, value_name = "CLASS")]
    pub positive: Option<String>,
    /// Share of all rows for the test score
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = Shares::default().test,
        allow_negative_numbers = true
    )]
    pub test: f64,
    /// Share of all rows for early stopping
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = Shares::default().valid,
        allow_negative_numbers = true
    )]
    pub valid: f64,
    /// A column with train, valid or test for each row, instead of a random split
    #[arg(long, value_name = "NAME")]
    pub split_column: Option<String>,
    /// Which class trees predict: auto, likeliest, balanced (every class counts equally), or costs: with a
    /// FILE.csv, a matrix (0,1;5,0, a row per true class), a number per true class (1;5, for any mistake with
    /// it) or named mistakes (yes>no=5;no>yes=1, true class first)
    #[arg(long, value_name = "RULE", default_value = "auto")]
    pub answers: String,
    /// Where hyper-parameters that are not given come from: espalier, or published for the settings of the
    /// learner's paper [default: espalier]
    #[arg(long, value_name = "RECIPE")]
    pub recipe: Option<String>,
    /// Maximum depth of the tree
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub depth: Option<String>,
    /// Seed of the split and of the learner
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true)]
    pub seed: u32,
    /// Number of runs from different starts; the best is kept
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub restarts: Option<String>,
    /// Any other hyper-parameter; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_setting)]
    pub set: Vec<(String, Value)>,
    /// Stop each training after this time, as in 500ms, 30s or 2m; without it a run depends only on the seed
    #[arg(long, value_name = "TIME", value_parser = parse_budget)]
    pub budget: Option<Duration>,
    /// Threads that restarts may run on; the tree is the same for any number
    #[arg(
        long,
        value_name = "T",
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub threads: u32,
    /// How progress is shown on stderr; auto is one updating line on a terminal and plain lines elsewhere
    #[arg(long, value_enum, default_value_t = Mode::Auto)]
    pub progress: Mode,
    /// Write a machine-readable report
    #[arg(long, value_name = "FILE.json", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub rows: Rows,
    #[command(flatten)]
    pub columns: Columns,
}

/// A table and the user's selection from it.
pub struct Asked {
    /// The table.
    pub table: Table,
    /// Target, task and ignored columns.
    pub selection: Selection,
    /// Sentences for the user.
    pub notes: Vec<String>,
}

impl Options {
    /// The file.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Sizes of the parts.
    pub fn shares(&self) -> Shares {
        Shares { test: self.test, valid: self.valid }
    }

    /// Reads the table with the options.
    pub fn ask(&self, bytes: &[u8]) -> Result<Asked, Failure> {
        let task = Task::parse(&self.task)?;
        let (table, ignore) = self.read(bytes)?;
        let mut notes = table.warnings();
        let target = match &self.target {
            Some(asked) => target_column(&table, asked).map_err(Failure::in_file(self.data()))?,
            None => {
                let target = suggested(&table).map_err(Failure::in_file(self.data()))?;
                notes.push(format!("No --target was given: {} is taken as the target.", quoted(&target)));
                target
            }
        };
        Ok(Asked {
            table,
            selection: Selection { target, task, ignore, positive: self.positive.clone() },
            notes,
        })
    }

    /// The table, and the columns to ignore.
    pub fn read(&self, bytes: &[u8]) -> Result<(Table, Vec<String>), Failure> {
        let (overrides, ignore) =
            reading::overrides(&self.rows, &self.columns, &self.ignore, bytes, self.data())?;
        let table = Table::read(bytes, &overrides).map_err(Failure::in_file(self.data()))?;
        table.identify(files::sha256(bytes));
        Ok((table, ignore))
    }

    /// The settings of a run.
    pub fn settings(
        &self,
        selection: &Selection,
        learner: learn::Settings,
        seed: u32,
    ) -> Result<Settings, Failure> {
        let (selection, split_column) = (selection.clone(), self.split_column.clone());
        let aim = Aim::Target { selection, split_column, answers: rule(&self.answers)? };
        Ok(Settings { aim, shares: self.shares(), learner, seed })
    }

    /// A learner with the recipe and nothing set by hand.
    pub fn learner(&self, key: &str) -> Result<learn::Settings, Failure> {
        let recipe = self.recipe.as_deref().map(Recipe::parse).transpose()?;
        Ok(learn::Settings::new(key)?.with_recipe(recipe.unwrap_or_default()))
    }

    /// A learner with the given hyper-parameters, all of which it must have.
    pub fn configured(&self, key: &str) -> Result<learn::Settings, Failure> {
        self.check_named()?;
        let mut learner = self.learner(key)?;
        configure(&mut learner, self.hyper_parameters())?;
        self.check_recipe(&learner)?;
        Ok(learner)
    }

    /// The recipe of all models, from `--recipe` and `--set preset` together; `None` if neither is given.
    pub fn common_recipe(&self) -> Result<Option<Recipe>, Failure> {
        self.check_named()?;
        // Every learner knows the alias, so any of them can resolve it.
        let mut learner = self.learner("cart")?;
        let hyper_parameters = self.hyper_parameters();
        let mut aliases = hyper_parameters.iter().filter(|(key, _)| *key == "preset").peekable();
        let said = self.recipe.is_some() || aliases.peek().is_some();
        aliases.try_for_each(|(key, value)| learner.set(key, value))?;
        self.check_recipe(&learner)?;
        Ok(said.then_some(learner.recipe()))
    }

    /// Refuses a recipe that `--set preset` contradicts.
    pub fn check_recipe(&self, learner: &learn::Settings) -> Result<(), Failure> {
        match &self.recipe {
            Some(asked) if asked != learner.recipe().as_str() => {
                let message = format!("--recipe {asked} and --set preset contradict each other.");
                Err(Error::new(
                    Code::BadValue,
                    message,
                    "Give one of them: preset is another name for the recipe.",
                )
                .into())
            }
            _ => Ok(()),
        }
    }

    /// Refuses a hyper-parameter that has an option of its own and is set to something else by `--set`.
    fn check_named(&self) -> Result<(), Failure> {
        for (key, value) in self.named() {
            if self.set.iter().any(|(other, set)| other == key && *set != value) {
                let message = format!("--{key} and --set {key} contradict each other.");
                return Err(Error::new(
                    Code::BadValue,
                    message,
                    "Give one of them: both set the same number.",
                )
                .into());
            }
        }
        Ok(())
    }

    /// The hyper-parameters that have options of their own.
    fn named(&self) -> impl Iterator<Item = (&str, Value)> {
        let named = [("depth", &self.depth), ("restarts", &self.restarts)];
        named.into_iter().filter_map(|(key, text)| Some((key, Value::parse(text.as_deref()?))))
    }

    /// The given hyper-parameters, in order: a later one wins.
    pub fn hyper_parameters(&self) -> Vec<(&str, Value)> {
        self.named().chain(self.set.iter().map(|(key, value)| (key.as_str(), value.clone()))).collect()
    }
}

/// Parses an answer rule. `costs:` may be followed by the name of a file with a table of costs.
pub fn rule(text: &str) -> Result<Rule, Failure> {
    // A matrix has numbers, and a named mistake an equals sign; anything else is a file name.
    let means_file = |costs: &&str| !costs.contains('=') && costs.contains(|c: char| c.is_alphabetic());
    let costs = text.strip_prefix("costs:");
    match costs.filter(|costs| means_file(costs) || Path::new(costs).is_file()).map(Path::new) {
        Some(path) => {
            let table = String::from_utf8_lossy(&files::read(path)?).into_owned();
            Ok(Rule::Costs(Costs::from_csv(&table).map_err(Failure::in_file(path))?))
        }
        None => Ok(Rule::parse(text)?),
    }
}

/// A column by its name, or else by its number from 1.
pub fn target_column(table: &Table, asked: &str) -> Result<String, Error> {
    let columns = table.columns();
    match (table.position(asked), asked.parse::<usize>()) {
        (Ok(at), _) => Ok(columns[at].name.clone()),
        (Err(_), Ok(number)) if (1..=columns.len()).contains(&number) => Ok(columns[number - 1].name.clone()),
        (Err(_), Ok(number)) => Err(Error::new(
            Code::UnknownColumn,
            format!("There is no column number {number}."),
            format!("The file has {} columns, counted from 1.", columns.len()),
        )),
        (Err(error), Err(_)) => Err(error),
    }
}

fn suggested(table: &Table) -> Result<String, Error> {
    let suggestion = table.suggestion().ok_or_else(|| {
        Error::new(
            Code::BadTarget,
            "No column can be the target: each is constant, an identifier or free text.",
            "Name one with --target, or choose another file.",
        )
    })?;
    Ok(table.columns()[suggestion.target].name.clone())
}

/// Parses `key=value`, as given to `--set`.
pub fn parse_setting(text: &str) -> Result<(String, Value), String> {
    let (key, value) = text.split_once('=').ok_or("write it as key=value, for instance epochs=200")?;
    Ok((key.trim().to_owned(), Value::parse(value.trim())))
}

fn parse_budget(text: &str) -> Result<Duration, String> {
    let expected = "write a number with its unit, for instance 500ms, 30s or 2m";
    let at = text.find(|c: char| c.is_ascii_alphabetic()).ok_or(expected)?;
    let unit = match &text[at..] {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(expected.into()),
    };
    let number: f64 = text[..at].trim().parse().map_err(|_| expected)?;
    match Duration::try_from_secs_f64(number * unit) {
        Ok(budget) if !budget.is_zero() => Ok(budget),
        _ => Err("the time must be more than 0".into()),
    }
}

#[cfg(test)]
mod tests {
    use espalier::table::Overrides;

    use super::*;

    #[test]
    fn a_budget_has_a_unit() {
        let millis = |text: &str| parse_budget(text).map(|budget| budget.as_millis());
        assert_eq!(millis("500ms"), Ok(500));
        assert_eq!(millis("30s"), Ok(30_000));
        assert_eq!(millis("1.5m"), Ok(90_000));
        for bad in ["", "30", "s", "-1s", "0s", "1e3", "NaNs", "infs", "5 parsecs", "1e300h"] {
            assert!(parse_budget(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_target_is_a_name_before_it_is_a_number() {
        let table = Table::read(b"a,1,c\n1,2,3\n2,3,4\n", &Overrides::default()).unwrap();
        assert_eq!(target_column(&table, "c").unwrap(), "c");
        assert_eq!(target_column(&table, "1").unwrap(), "1");
        assert_eq!(target_column(&table, "3").unwrap(), "c");
        assert_eq!(target_column(&table, "4").unwrap_err().code, Code::UnknownColumn);
        assert_eq!(target_column(&table, "d").unwrap_err().code, Code::UnknownColumn);
    }
}
