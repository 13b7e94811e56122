//! The datasets of a folder, as listed in its MANIFEST.csv.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use espalier::encode::{Problem, Selection, Task};
use espalier::error::{Code, Error, quoted};
use espalier::table::{Kind, Overrides, Records, Table};

use super::super::failure::Failure;
use super::super::files;

/// A dataset, read when it is first needed.
pub struct Dataset {
    /// Its name.
    pub name: String,
    /// `binary`, `multiclass` or `regression`.
    pub group: String,
    /// Its file.
    path: PathBuf,
    pub target: String,
    categorical: Vec<String>,
    task: Task,
    /// Rows and columns according to the manifest.
    pub shape: (usize, usize),
    loaded: OnceLock<Result<Loaded, String>>,
}

/// A table and its learning problem.
pub struct Loaded {
    /// The table.
    pub table: Table,
    /// The learning problem.
    pub problem: Problem,
}

/// Datasets whose name ends in this repeat another one with more columns.
const EXTRA: &str = "-full";

/// The datasets of a task in the manifest's order, or those named in `only`.
pub fn datasets(folder: &Path, task: Task, only: &[String]) -> Result<Vec<Dataset>, Failure> {
    let path = folder.join("MANIFEST.csv");
    let records = Records::read(&files::read(&path)?).map_err(Failure::in_file(&path))?;
    let column = |name: &str| {
        records.names().iter().position(|known| known == name).ok_or_else(|| {
            let hint = "It needs the columns name, file, task, target, n, p and categorical_columns.";
            let message = format!("The manifest has no column {}.", quoted(name));
            Failure::in_file(&path)(Error::new(Code::UnknownColumn, message, hint))
        })
    };
    let [name, file, group, target] = [column("name")?, column("file")?, column("task")?, column("target")?];
    let [n, p, categorical] = [column("n")?, column("p")?, column("categorical_columns")?];
    let mut found = vec![];
    for row in 0..records.rows() {
        let cell = |column: usize| records.cell(row, column).to_owned();
        let count = |column: usize| records.cell(row, column).parse().unwrap_or(0);
        let is_regression = cell(group) == "regression";
        if is_regression == (task == Task::Regression) {
            found.push(Dataset {
                name: cell(name),
                group: cell(group),
                path: folder.join(cell(file)),
                target: cell(target),
                categorical: cell(categorical)
                    .split(';')
                    .map(str::trim)
                    .filter(|c| !c.is_empty())
                    .map(str::to_owned)
                    .collect(),
                task,
                shape: (count(n), count(p)),
                loaded: OnceLock::new(),
            });
        }
    }
    let known: Vec<String> = found.iter().map(|dataset| dataset.name.clone()).collect();
    if let Some(unknown) = only.iter().find(|name| !known.contains(name)) {
        let message = format!("There is no dataset {} for {}.", quoted(unknown), task.as_str());
        let hint = format!("There are {}.", known.join(", "));
        return Err(Failure::in_file(&path)(Error::new(Code::BadValue, message, hint)));
    }
    found.retain(
        |dataset| if only.is_empty() { !dataset.name.ends_with(EXTRA) } else { only.contains(&dataset.name) },
    );
    if found.is_empty() {
        let message = format!("The manifest lists no dataset for {}.", task.as_str());
        return Err(Failure::in_file(&path)(Error::new(Code::BadValue, message, "Name another folder.")));
    }
    Ok(found)
}

impl Dataset {
    /// The table and the problem, read once and shared by the threads.
    pub fn load(&self) -> Result<&Loaded, Failure> {
        let loaded = self.loaded.get_or_init(|| self.read().map_err(|failure| failure.to_string()));
        loaded.as_ref().map_err(|message| Failure::Input(message.clone()))
    }

    fn read(&self) -> Result<Loaded, Failure> {
        let kinds = self.categorical.iter().map(|name| (name.clone(), Kind::Category)).collect();
        let overrides = Overrides { kinds, ..Overrides::default() };
        let in_file = Failure::in_file(&self.path);
        let table = Table::read(&files::read(&self.path)?, &overrides).map_err(&in_file)?;
        let selection =
            Selection { target: self.target.clone(), task: self.task, ignore: vec![], positive: None };
        let problem = Problem::new(&table, &selection).map_err(&in_file)?;
        Ok(Loaded { table, problem })
    }
}
