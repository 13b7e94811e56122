//! The TypeScript form of the messages, generated from the Rust types and compared with the committed file.

use std::fmt::Write as _;

use ts_rs::{Config, TS};

use super::*;

/// All message types in one module, each as an exported TypeScript type.
fn module() -> String {
    let config = Config::default();
    let mut text = String::from(
        "// Generated from src/protocol by its test (ESPALIER_WRITE=1 cargo test --lib protocol). Do not \
         edit.\n\n",
    );
    let mut add = |declaration: String| {
        writeln!(text, "export {declaration}\n").expect("writing to a string");
    };
    add(Request::decl(&config));
    add(ReadOptions::decl(&config));
    add(TrainSettings::decl(&config));
    add(ParamValue::decl(&config));
    add("type Scores = { [metric: string]: number };".into());
    add(Event::decl(&config));
    add(LearnerInfo::decl(&config));
    add(ParamInfo::decl(&config));
    add(RecipeInfo::decl(&config));
    add(ResolvedInfo::decl(&config));
    add(FormatInfo::decl(&config));
    add(TableInfo::decl(&config));
    add(ColumnInfo::decl(&config));
    add(SkippedRowInfo::decl(&config));
    add(UnfitCellInfo::decl(&config));
    add(ProfileInfo::decl(&config));
    add(ProblemInfo::decl(&config));
    add(DecisionInfo::decl(&config));
    add(TreeResult::decl(&config));
    add(FeatureInfo::decl(&config));
    add(KeptInfo::decl(&config));
    add(YardstickInfo::decl(&config));
    add(TreeView::decl(&config));
    add(NodeView::decl(&config));
    add(DateInfo::decl(&config));
    add(ImportanceInfo::decl(&config));
    add(TraceStep::decl(&config));
    add(FirstCutInfo::decl(&config));
    add(ProgressInfo::decl(&config));
    add(ErrorInfo::decl(&config));
    text
}

#[test]
fn the_committed_typescript_is_the_generated_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/www/src/protocol.ts");
    let generated = module();
    if std::env::var_os("ESPALIER_WRITE").is_some() {
        std::fs::write(path, &generated).expect("www/src/protocol.ts can be written");
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == generated,
        "www/src/protocol.ts is out of date: run ESPALIER_WRITE=1 cargo test --lib protocol"
    );
}
