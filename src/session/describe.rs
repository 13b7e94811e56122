//! What the engine offers and what it understood of a file, for the page's forms.

use crate::export::FORMATS;
use crate::learn::{Config, Domain, LEARNERS, Param, Value};
use crate::protocol::{ColumnInfo, Event, FormatInfo, LearnerInfo, ParamInfo, ParamValue, TableInfo};
use crate::table::{Column, Table};

/// Rows shown before training.
const PREVIEW_ROWS: usize = 100;

/// Learners with their hyper-parameters, and export formats.
pub(super) fn ready() -> Event {
    let learners = LEARNERS.iter().map(|learner| {
        let params = Config::new(learner.key).expect("a listed learner exists").params();
        let depth = params.iter().find(|param| param.key == "depth").expect("every learner has a depth");
        let Domain::Whole(depths) = &depth.domain else { unreachable!("a depth is a whole number") };
        let Value::Number(default_depth) = depth.value else { unreachable!("a depth is a number") };
        LearnerInfo {
            key: learner.key.into(),
            name: learner.name.into(),
            help: learner.help.into(),
            default_depth: default_depth as u32,
            max_depth: *depths.end(),
            params: params.iter().filter(|param| param.key != "depth").map(param).collect(),
        }
    });
    let formats = FORMATS.iter().map(|format| FormatInfo { key: format.key.into(), name: format.name.into() });
    Event::Ready {
        run: 0,
        version: env!("CARGO_PKG_VERSION").into(),
        learners: learners.collect(),
        formats: formats.collect(),
    }
}

fn param(param: &Param) -> ParamInfo {
    let (min, max, whole, choices) = match &param.domain {
        Domain::Flag => (None, None, false, vec![]),
        Domain::Whole(range) => (Some(f64::from(*range.start())), Some(f64::from(*range.end())), true, vec![]),
        Domain::Real(range) => (Some(*range.start()), Some(*range.end()), false, vec![]),
        Domain::Choice(words) => (None, None, false, words.iter().map(|&word| word.to_owned()).collect()),
    };
    let default = match &param.value {
        Value::Flag(flag) => ParamValue::Flag(*flag),
        Value::Number(number) => ParamValue::Number(*number),
        Value::Choice(word) => ParamValue::Choice(word.clone()),
    };
    ParamInfo { key: param.key.into(), help: param.help.into(), default, min, max, whole, choices }
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
        delimiter: ",".into(),
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
    }
}
