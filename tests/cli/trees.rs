//! `predict`, `export` and `verify`: what can be done with a finished tree.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::process::{Command, Stdio};

use super::support::{Folder, flowers, prices};

fn with_tree(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("flowers.csv", flowers());
    let args = ["train", "flowers.csv", "--target", "kind", "--model", "cart", "--depth", "3"];
    folder.succeed(
        &[&args[..], &["--tree", "t.json", "--predictions", "p.csv", "--progress", "none"]].concat(),
    );
    folder
}

#[test]
fn predictions_are_the_same_from_train_and_from_predict() {
    let folder = with_tree("predict");
    let printed = folder.succeed(&["predict", "t.json", "flowers.csv"]);
    assert_eq!((printed.out.as_str(), printed.err.as_str()), (folder.read("p.csv").as_str(), ""));
    let answer = folder.succeed(&["predict", "t.json", "flowers.csv", "--out", "q.csv"]);
    assert_eq!((answer.out.as_str(), folder.read("q.csv")), ("", printed.out.clone()));

    let mut lines = printed.out.lines();
    assert_eq!(
        lines.next(),
        Some("length,width,place,kind,prediction,probability_rose,probability_thorn,leaf")
    );
    let right = lines.filter(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let sum: f64 = cells[5].parse::<f64>().unwrap() + cells[6].parse::<f64>().unwrap();
        // The shares of a leaf are stored in f32, so each is off by up to 2^-25.
        assert!((sum - 1.0).abs() <= 2.0f64.powi(-24), "{line}");
        cells[3] == cells[4]
    });
    assert!(right.count() > 90);
}

/// A million rows of 120 MB, predicted by a program limited to 64 MB of memory. Only Linux can set such a
/// limit in one line.
#[cfg(target_os = "linux")]
#[test]
fn a_million_rows_pass_through_little_memory() {
    let folder = with_tree("million");
    let (known, filler) = (flowers(), "x".repeat(99));
    let rows: Vec<&str> = known.lines().skip(1).collect();
    let mut file = BufWriter::new(File::create(folder.path("many.csv")).unwrap());
    writeln!(file, "note,length,width,place,kind").unwrap();
    for row in 0..1_000_000 {
        writeln!(file, "{filler},{}", rows[row % rows.len()]).unwrap();
    }
    drop(file);
    let predict = "ulimit -v 65536; exec \"$0\" predict t.json many.csv --out q.csv --progress json";
    let output = Command::new("sh")
        .args(["-c", predict, env!("CARGO_BIN_EXE_espalier")])
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let expected = folder.read("p.csv");
    let expected: Vec<&str> = expected.lines().skip(1).collect();
    let found = BufReader::new(File::open(folder.path("q.csv")).unwrap());
    let mut count = 0;
    for (row, line) in found.lines().skip(1).enumerate() {
        assert_eq!(line.unwrap()[filler.len() + 1..], *expected[row % expected.len()], "row {row}");
        count += 1;
    }
    assert_eq!(count, 1_000_000);
}

#[test]
fn a_pipe_is_read_as_the_file_is() {
    let folder = with_tree("pipe");
    let mut command = folder.command(&["predict", "t.json", "/dev/stdin"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(flowers().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), folder.read("p.csv"));
}

#[test]
fn a_file_that_turns_out_to_be_windows_1252_is_read_as_such() {
    let folder = with_tree("latin");
    // The byte that is not UTF-8 comes after the part used for detection.
    let rows = "shore,1,1\n".repeat(50_000);
    folder.write("latin.csv", [b"place,width,length\n", rows.as_bytes(), b"h\xfcgel,1,1\n"].concat());
    let answer = folder.succeed(&["predict", "t.json", "latin.csv"]);
    assert!(answer.out.lines().last().unwrap().starts_with("hügel,1,1,"), "{:?}", answer.out.lines().last());
    assert_eq!(answer.out.lines().count(), 50_002);
    assert!(answer.err.contains("\"hügel\" on line 50002"), "{}", answer.err);
}

#[test]
fn odd_cells_are_predicted_with_a_warning() {
    let folder = with_tree("odd");
    folder.write("new.csv", "place,width,length\nmoon,1,1\nhill,much,2\n,,\n");
    let answer = folder.succeed(&["predict", "t.json", "new.csv"]);
    assert_eq!(answer.out.lines().count(), 4);
    assert!(answer.err.lines().all(|line| line.starts_with("espalier: warning: Column ")), "{}", answer.err);
    assert!(
        answer.err.contains("\"moon\" on line 2") && answer.err.contains("\"much\" on line 3"),
        "{}",
        answer.err
    );
}

#[test]
fn numbers_are_predicted_as_numbers() {
    let folder = Folder::new("numbers");
    folder.write("prices.csv", prices());
    folder.succeed(&["train", "prices.csv", "--target", "price", "--tree", "t.json", "--set", "epochs=20"]);
    let answer = folder.succeed(&["predict", "t.json", "prices.csv"]);
    assert!(answer.out.starts_with("size,age,price,prediction,leaf\n"), "{}", answer.out);
    assert_eq!(answer.out.lines().count(), 91);
}

#[test]
fn a_tree_is_exported_in_each_form() {
    let folder = with_tree("export");
    assert_eq!(folder.succeed(&["export", "t.json", "--to", "json"]).out, folder.read("t.json"));
    let text = folder.succeed(&["export", "t.json", "--to", "text"]).out;
    assert!(text.starts_with("kind: classification, ") && text.contains("yes: "), "{text}");
    folder.succeed(&["export", "t.json", "--to", "dot", "--out", "t.dot"]);
    assert!(folder.read("t.dot").starts_with("digraph "));
}

#[test]
fn every_listed_form_is_written_to_a_file_or_printed() {
    let folder = with_tree("forms");
    let help = folder.succeed(&["export", "--help"]).out;
    for format in espalier::export::FORMATS {
        let printed = folder.command(&["export", "t.json", "--to", format.key]).output().unwrap();
        assert!(printed.status.success() && !printed.stdout.is_empty(), "{}", format.key);
        folder.succeed(&["export", "t.json", "--to", format.key, "--out", "form"]);
        assert_eq!(std::fs::read(folder.path("form")).unwrap(), printed.stdout, "{}", format.key);
        assert!(help.contains(format.key), "{}", format.key);
    }
    let refused = folder.run(&["export", "t.json", "--to", "png"]);
    assert_eq!((refused.status, refused.err.lines().count()), (1, 1));
}

#[test]
fn a_second_file_is_matched_by_name() {
    let folder = with_tree("second");
    folder.write("plain.csv", "length,width,place\n1.5,6,hill\n8,2.5,shore\n,,moon\n");
    folder.write("other.csv", "note;place;width;length\nx;hill;6;1.5\n=1+1;shore;2.5;8\n-5;moon;;\n");
    let column = |text: &str, name: &str| -> Vec<String> {
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let at = lines.next().unwrap().iter().position(|cell| cell == name).unwrap();
        lines.map(|cells| cells[at].clone()).collect()
    };
    let plain = folder.succeed(&["predict", "t.json", "plain.csv"]).out;
    let other = folder.succeed(&["predict", "t.json", "other.csv"]).out;
    for name in ["prediction", "probability_rose", "leaf"] {
        assert_eq!(column(&plain, name), column(&other, name));
    }
    assert_eq!(column(&other, "note"), ["x", "'=1+1", "-5"]);
    folder.write("less.csv", "note,place\nx,hill\n");
    let refused = folder.run(&["predict", "t.json", "less.csv"]);
    assert_eq!(refused.status, 1);
    assert!(refused.err.contains("\"length\"") || refused.err.contains("\"width\""), "{}", refused.err);
}

#[test]
fn many_rows_go_through_with_progress() {
    let folder = with_tree("many");
    let rows = flowers();
    let (header, body) = rows.split_once('\n').unwrap();
    folder.write("many.csv", format!("{header}\n{}", body.repeat(1000)));
    let answer =
        folder.succeed(&["predict", "t.json", "many.csv", "--out", "answers.csv", "--progress", "json"]);
    assert_eq!(folder.read("answers.csv").lines().count(), 120_001);
    for line in answer.err.lines() {
        let progress: serde_json::Value = serde_json::from_str(line).unwrap();
        let share = progress["share"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&share) && progress["rows"].as_u64().unwrap() <= 120_000, "{line}");
    }
}

#[test]
fn a_file_too_large_for_a_tree_is_refused_before_it_is_read() {
    let folder = with_tree("large");
    let file = File::create(folder.path("large.json")).unwrap();
    // A sparse file takes no space on the disk.
    file.set_len(3 << 30).unwrap();
    let refused = folder.run(&["verify", "large.json"]);
    assert_eq!(refused.status, 1);
    assert!(refused.err.contains("larger than 512 MB"), "{}", refused.err);
}

#[test]
fn a_tree_proves_itself_and_a_changed_one_does_not() {
    let folder = with_tree("verify");
    let answer = folder.succeed(&["verify", "t.json"]);
    assert!(
        answer.out.starts_with("t.json: all ")
            && answer.out.ends_with("proof rows give the leaf and output they must.\n")
    );

    let mut tree = folder.json("t.json");
    let nodes = tree["trees"][0]["nodes"].as_array_mut().unwrap();
    let split =
        nodes.iter_mut().find(|node| node["split_type"] == "numerical").expect("the tree tests a number");
    let threshold = split["threshold"].as_f64().unwrap() as f32;
    split["threshold"] = f64::from(threshold.next_down()).into();
    folder.write("changed.json", tree.to_string());
    let answer = folder.run(&["verify", "changed.json"]);
    assert_eq!((answer.status, answer.err.lines().count(), answer.out.as_str()), (1, 1, ""));
    assert!(answer.err.starts_with("espalier: changed.json: Proof row "), "{}", answer.err);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let folder = with_tree("pipe");
    // More than a pipe holds, so that the program must notice.
    let rows = flowers();
    let (header, body) = rows.split_once('\n').unwrap();
    folder.write("long.csv", format!("{header}\n{}", body.repeat(200)));
    let mut child = folder
        .command(&["predict", "t.json", "long.csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 6];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, b"length");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
}

#[test]
fn help_and_version_are_printed() {
    let folder = Folder::new("help");
    let version = folder.succeed(&["--version"]).out;
    assert_eq!(version, format!("espalier {}\n", env!("CARGO_PKG_VERSION")));
    let help = folder.succeed(&["--help"]).out;
    for subcommand in ["inspect", "train", "compare", "predict", "export", "verify", "bench"] {
        assert!(help.contains(subcommand), "{subcommand}");
        assert!(folder.succeed(&[subcommand, "--help"]).out.contains("Usage: espalier"));
    }
    assert!(folder.succeed(&["train", "--help"]).out.contains("Threads that restarts may run on"));
}
