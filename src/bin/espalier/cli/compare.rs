//! `espalier compare`: several models on the same split, over several seeds.

use std::sync::Arc;
use std::time::Instant;

use espalier::error::{Code, Error};
use espalier::run::Run;

use super::deadline::{self, Deadline};
use super::failure::Failure;
use super::layout::{self, Align};
use super::models::{self, Kind, Model, Rules};
use super::options::Options;
use super::progress::Progress;
use super::report::{self, Comparison, Report, Spread, Summary};
use super::train::seconds;
use super::{drive, files, forest, interrupt};

/// Train several models on the same rows and compare their test scores
///
/// For each seed, all models see the same training, validation and test rows. A hyper-parameter from --depth,
/// --restarts or --set is set on every model that has it, and --recipe applies to all models; a model's own
/// settings in --models override these.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    options: Options,
    /// Models as NAME[@RECIPE][:key=value]…, such as gradtree@published:depth=4; a learner may occur several
    /// times. Names: the learners, and forest as a yardstick without hyper-parameters. Recipes: espalier and
    /// published
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_value = "cart,gradtree")]
    models: Vec<String>,
    /// Number of seeds: S, S+1, …
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    seeds: u32,
}

/// Trains every model for every seed, prints a table and writes the report.
pub fn run(args: &Args) -> Result<(), Failure> {
    let begun = Instant::now();
    let options = &args.options;
    let data = options.data();
    files::check_outputs(&[data], &[options.report.as_deref()])?;
    options.shares().check()?;
    let recipe = options.common_recipe()?;
    let rules = Rules { tuned: false, cart_depth: None, recipe, common: &options.hyper_parameters() };
    let models = models::parse(&args.models, &rules)?;
    let seeds = seeds(options.seed, args.seeds)?;

    let asked = options.ask(&files::read(data)?)?;
    let table = Arc::new(asked.table);
    let read = begun.elapsed();
    interrupt::listen();
    let mut progress = Progress::new(options.progress);
    let mut notes = asked.notes;
    let mut runs = vec![];
    let mut outcome = Ok(());
    'all: for seed in seeds {
        for model in &models {
            if interrupt::asked() && !runs.is_empty() {
                progress.note("Stopped: the comparison contains only the runs that had started.");
                break 'all;
            }
            let deadline = Deadline::begin(deadline::system, options.budget);
            let settings = options.settings(&asked.selection, model.learner.clone(), seed)?;
            let mut run = match Run::alone(table.clone(), settings) {
                Ok(run) => run,
                // A later split can fail although the first did not; models trained before it are kept.
                Err(error) => {
                    outcome = Err(Failure::in_file(data)(error));
                    break 'all;
                }
            };
            let encode = deadline.elapsed();
            if runs.is_empty() {
                // Shown once, and only after the input has proved to be valid.
                notes.extend(run.problem().warnings.iter().cloned());
                notes.drain(..).for_each(|note| progress.note(&note));
            }
            if model.kind == Kind::Forest {
                let growing = Instant::now();
                let mut stop = forest::watch(seed, deadline.with_reserve(encode / 2), &mut progress);
                let grown = match forest::grow(
                    run.table(),
                    run.problem(),
                    run.parts(),
                    run.decision(),
                    seed,
                    &mut stop,
                ) {
                    Ok(grown) => grown,
                    Err(error) => {
                        outcome = Err(Failure::in_file(data)(error));
                        break 'all;
                    }
                };
                let seconds = seconds(read, encode, growing.elapsed(), read + deadline.elapsed());
                runs.push(named(model, Report::of_forest(data, &run, grown, seconds)));
                continue;
            }
            let mut reserve = drive::reserve(&run, deadline, encode);
            let (fitted, train) = drive::train(&mut run, &mut reserve, options.threads, &mut progress);
            reserve.verdict(encode).iter().for_each(|line| progress.note(line));
            let seconds = seconds(read, encode, train, read + deadline.elapsed());
            runs.push(named(model, Report::new(data, &run, &fitted, seconds).without(&reserve.left_out())));
        }
    }
    if runs.is_empty() {
        return outcome;
    }
    let comparison = Comparison::new(runs, &models);
    if let Some(path) = &options.report {
        files::write(path, &report::json(&comparison))?;
    }
    files::print(&shown(&comparison, &models))?;
    outcome
}

/// The seeds S, S+1, ….
fn seeds(first: u32, count: u32) -> Result<std::ops::RangeInclusive<u32>, Failure> {
    let last = first.checked_add(count - 1).ok_or_else(|| {
        let message = format!("{count} seeds from {first} on go beyond the largest seed, {}.", u32::MAX);
        Error::new(Code::BadValue, message, "Use a smaller --seed or fewer --seeds.")
    })?;
    Ok(first..=last)
}

/// The report under the model's name in the list.
fn named(model: &Model, report: Report) -> Report {
    Report { model: model.name.clone(), ..report }
}

/// A line per model: mean ± standard deviation of each test score, the tree's size, the training time and
/// what was set.
fn shown(comparison: &Comparison, models: &[Model]) -> String {
    let test = |model: &Summary| model.metrics.get("test").cloned().unwrap_or_default();
    let mut names: Vec<&str> = comparison.summary.iter().flat_map(|model| test(model).into_keys()).collect();
    names.sort_unstable();
    names.dedup();
    let mut header = vec![("model", Align::Left), ("seeds", Align::Right)];
    header.extend(names.iter().map(|&name| (name, Align::Right)));
    header.extend([("nodes", Align::Right), ("leaves", Align::Right), ("seconds", Align::Right)]);
    let said = |name: &str| {
        models.iter().find(|model| model.name == name).map_or(String::new(), |model| model.shown.clone())
    };
    if models.iter().any(|model| !model.shown.is_empty()) {
        header.push(("set", Align::Left));
    }
    let rows: Vec<Vec<String>> = comparison
        .summary
        .iter()
        .map(|model| {
            let scores = test(model);
            let mut row = vec![model.model.clone(), model.seeds.to_string()];
            row.extend(
                names
                    .iter()
                    .map(|name| scores.get(name).map_or("–".into(), |score| spread(score, layout::score))),
            );
            row.extend(
                ["nodes", "leaves"].map(|key| spread(&model.tree[key], |number| format!("{number:.1}"))),
            );
            row.push(spread(&model.seconds, layout::seconds));
            row.push(said(&model.model));
            row.truncate(header.len());
            row
        })
        .collect();
    let rows_of = comparison.runs.first().map_or(0, |run| run.rows.test);
    format!("Test scores on {rows_of} rows, mean ± deviation over seeds\n\n{}", layout::table(&header, &rows))
}

fn spread(spread: &Spread, shown: impl Fn(f64) -> String) -> String {
    match spread.deviation {
        Some(deviation) => format!("{} ± {}", shown(spread.mean), shown(deviation)),
        None => shown(spread.mean),
    }
}
