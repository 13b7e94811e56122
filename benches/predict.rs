//! Where the time of predicting a file goes.
//!
//! `cargo bench --profile release --bench predict -- TREE.json DATA.csv` prints the seconds of each part as
//! one JSON object. The parts are the survey of the file, splitting it into cells, converting cells to the
//! model's values, routing (`route`), and writing the CSV. `route_all` is measured too: it keeps the leaf of
//! every row, as other programs do. Each time is the best of three, and the parts together are what `espalier
//! predict` does.

use std::hint::black_box;
use std::time::Instant;

use espalier::run::Answers;
use espalier::table::{Fed, Overrides, Records, Stream, Survey, Surveyed};
use espalier::{export, tree::Model};

/// Bytes per piece, as the command line reads them.
const PIECE: usize = 1 << 20;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let [tree, data] = files.as_slice() else {
        println!(
            "predict: give a tree and a file, as `cargo bench --profile release --bench predict -- \
             TREE.json DATA.csv`"
        );
        return;
    };
    let model =
        export::read(&std::fs::read_to_string(tree).expect("the tree is there")).expect("it is a tree").model;
    let bytes = std::fs::read(data).expect("the file is there");

    let (survey_s, surveyed) = best(|| surveyed(&bytes));
    let (cells_s, rows) = best(|| {
        let mut rows = 0;
        pieces(&bytes, &surveyed, |records| rows += records.rows());
        rows
    });
    let (both_s, written) = best(|| {
        let mut answers = Answers::new(model.clone(), surveyed.names.clone()).expect("the columns are there");
        let (mut text, mut written) = (String::new(), 0);
        pieces(&bytes, &surveyed, |records| {
            answers.write(records, &mut text);
            written += text.len();
            text.clear();
        });
        written
    });
    let mut values: Vec<f32> = vec![];
    let (parse_s, ()) = best(|| {
        values.clear();
        pieces(&bytes, &surveyed, |records| push_values(&model, records, &mut values));
    });
    let features = model.features.len();
    let (route_s, sum) =
        best(|| values.chunks_exact(features).map(|row| model.tree.leaf_of(row)).sum::<usize>());
    let (route_all_s, leaves) = best(|| {
        values.chunks_exact(features).map(|row| model.tree.leaf_of(row) as i64).collect::<Vec<i64>>()
    });
    assert_eq!(leaves.iter().sum::<i64>(), sum as i64);
    println!(
        "{{\"rows\": {rows}, \"written\": {written}, \"survey\": {survey_s:.4}, \"cells\": {cells_s:.4}, \
         \"values\": {:.4}, \"route\": {route_s:.4}, \"route_all\": {route_all_s:.4}, \"write\": {:.4}}}",
        parse_s - cells_s,
        both_s - parse_s - route_s
    );
}

/// The best time of three.
fn best<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    let mut run = || {
        let begun = Instant::now();
        let answer = black_box(work());
        (begun.elapsed().as_secs_f64(), answer)
    };
    let [first, second, third] = [run(), run(), run()];
    let (seconds, answer) = third;
    (seconds.min(first.0).min(second.0), answer)
}

fn surveyed(bytes: &[u8]) -> Surveyed {
    let mut survey = Survey::new(&Overrides::default());
    for piece in bytes.chunks(PIECE) {
        assert_eq!(survey.feed(piece).expect("it can be read"), Fed::On, "give a file in UTF-8");
    }
    survey.finish().expect("it can be read").expect("it is UTF-8")
}

fn pieces(bytes: &[u8], surveyed: &Surveyed, mut take: impl FnMut(&Records)) {
    let mut stream = Stream::new(surveyed.clone());
    for piece in bytes.chunks(PIECE) {
        stream.feed(piece).expect("it was surveyed").iter().for_each(&mut take);
    }
    stream.finish().expect("it was surveyed").iter().for_each(&mut take);
}

/// Appends the model's input values for some rows, row by row.
fn push_values(model: &Model, records: &Records, values: &mut Vec<f32>) {
    let column =
        |name: &str| records.names().iter().position(|known| known == name).expect("the column is there");
    let columns: Vec<usize> = model.features.iter().map(|feature| column(feature.column())).collect();
    for row in 0..records.rows() {
        let cells = model.features.iter().zip(&columns);
        values.extend(cells.map(|(feature, &column)| feature.parse(records.cell(row, column))));
    }
}
