//! What the engine offers and what it understood of a file, for the page's forms.

use crate::export::FORMATS;
use crate::learn::{Config, Domain, LEARNERS, Param, Recipe, Settings, TargetKind, Value};
use crate::numeric::order::map_of;
use crate::protocol::{
    ColumnInfo, Event, FormatInfo, LearnerInfo, ParamInfo, ParamValue, ProfileInfo, RecipeInfo, ResolvedInfo,
    SkippedRowInfo, TableInfo, UnfitCellInfo,
};
use crate::table::{Column, Profile, SkippedRow, Table, Unfit};

/// Rows shown before training.
const PREVIEW_ROWS: usize = 100;

/// Cells of a column that do not fit that the page lists.
const LISTED_CELLS: usize = 100;

/// Learners with their hyper-parameters, recipes, and export formats.
pub(super) fn ready() -> Event {
    let learners = LEARNERS.iter().map(|learner| {
        let config = Config::new(learner.key).expect("a listed learner exists");
        let params = config.params();
        let depth = params.iter().find(|param| param.key == "depth").expect("every learner has a depth");
        let Domain::Whole(depths) = &depth.domain else { unreachable!("a depth is a whole number") };
        let Value::Number(default_depth) = depth.value else { unreachable!("a depth is a number") };
        let has = |key: &str| params.iter().any(|param| param.key == key);
        let unit = if has("starts") {
            "start"
        } else if has("restarts") {
            "restart"
        } else {
            ""
        };
        LearnerInfo {
            key: learner.key.into(),
            name: learner.name.into(),
            help: learner.help.into(),
            published: learner.published.into(),
            default_depth: default_depth as u32,
            max_depth: *depths.end(),
            params: params.iter().filter(|param| param.key != "depth").map(param).collect(),
            larger: matches!(config, Config::Get(_) | Config::Relaxed(_)),
            groups: matches!(config, Config::Relaxed(_)),
            greedy_apart: matches!(config, Config::GradTree(_)),
            scored_twice: matches!(config, Config::Relaxed(_)),
            unit: unit.into(),
        }
    });
    let recipes = Recipe::ALL
        .iter()
        .map(|recipe| RecipeInfo { key: recipe.as_str().into(), help: recipe.help().into() });
    let formats =
        FORMATS.iter().map(|format| FormatInfo { key: format.key.into(), name: format.name.into() });
    Event::Ready {
        run: 0,
        version: env!("CARGO_PKG_VERSION").into(),
        learners: learners.collect(),
        recipes: recipes.collect(),
        formats: formats.collect(),
    }
}

fn param(param: &Param) -> ParamInfo {
    let (min, max, whole, choices) = match &param.domain {
        Domain::Flag => (None, None, false, vec![]),
        Domain::Whole(range) => {
            (Some(f64::from(*range.start())), Some(f64::from(*range.end())), true, vec![])
        }
        Domain::Real(range) => (Some(*range.start()), Some(*range.end()), false, vec![]),
        Domain::Choice(words) => (None, None, false, words.iter().map(|&word| word.to_owned()).collect()),
    };
    let default = value(&param.value);
    ParamInfo { key: param.key.into(), help: param.help.into(), default, min, max, whole, choices }
}

/// The message form of a value.
pub(super) fn value(value: &Value) -> ParamValue {
    match value {
        Value::Flag(flag) => ParamValue::Flag(*flag),
        Value::Number(number) => ParamValue::Number(*number),
        Value::Choice(word) => ParamValue::Choice(word.clone()),
    }
}

/// What every learner is trained with under every recipe, for a target. What is set by hand counts for its
/// learner.
pub(super) fn resolved(said: &Settings, target: TargetKind) -> Vec<ResolvedInfo> {
    let one = |learner: &str, recipe: Recipe| {
        let settings = if learner == said.key() {
            said.clone()
        } else {
            Settings::new(learner).expect("a listed learner exists")
        };
        let params = settings.with_recipe(recipe).resolve(target).params();
        let values = map_of(params.into_iter().map(|param| (param.key.to_owned(), value(&param.value))));
        ResolvedInfo { model: learner.into(), recipe: recipe.as_str().into(), values }
    };
    LEARNERS.iter().flat_map(|learner| Recipe::ALL.map(|recipe| one(learner.key, recipe))).collect()
}

/// What was understood of a file.
pub(super) fn table(table: &Table) -> TableInfo {
    let suggestion = table.suggestion();
    let preview = (0..table.rows().min(PREVIEW_ROWS))
        .map(|row| (0..table.columns().len()).map(|column| table.cell(row, column).to_owned()).collect());
    TableInfo {
        rows: table.rows() as u32,
        columns: table.columns().iter().map(column).collect(),
        preview: preview.collect(),
        delimiter: table.dialect().delimiter.as_str().into(),
        encoding: table.dialect().encoding.as_str().into(),
        header: table.dialect().header,
        skipped_rows: table.skipped().iter().map(skipped).collect(),
        warnings: table.warnings(),
        suggested_target: suggestion
            .as_ref()
            .map_or_else(String::new, |found| table.columns()[found.target].name.clone()),
        suggested_task: suggestion.map_or_else(String::new, |found| found.task.into()),
    }
}

fn column(column: &Column) -> ColumnInfo {
    ColumnInfo {
        name: column.name.clone(),
        kind: column.kind.as_str().into(),
        usable: column.usable(),
        note: column.note().into(),
        missing: column.missing as u32,
        distinct: column.distinct as u32,
        task: column.task().unwrap_or("").into(),
        format: column.format(),
        missing_tokens: column.missing_tokens.clone(),
        unfit_count: column.unfit_count as u32,
        unfit_cells: column.unfit.iter().take(LISTED_CELLS).map(unfit).collect(),
        profile: profile(&column.profile),
    }
}

fn skipped(row: &SkippedRow) -> SkippedRowInfo {
    SkippedRowInfo {
        line: row.line as u32,
        expected: row.expected as u32,
        found: row.found.map(|found| found as u32),
    }
}

fn unfit(unfit: &Unfit) -> UnfitCellInfo {
    UnfitCellInfo { line: unfit.line as u32, cell: unfit.cell.clone() }
}

fn profile(profile: &Profile) -> Option<ProfileInfo> {
    match profile {
        Profile::Empty => None,
        Profile::Numbers { quantiles, edges, counts } => Some(ProfileInfo::Numbers {
            quantiles: quantiles.to_vec(),
            edges: edges.clone(),
            counts: counts.iter().map(|&count| count as u32).collect(),
        }),
        Profile::Words { top, others } => Some(ProfileInfo::Words {
            words: top.iter().map(|(word, _)| word.clone()).collect(),
            counts: top.iter().map(|&(_, count)| count as u32).collect(),
            others: *others as u32,
        }),
    }
}
