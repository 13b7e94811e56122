//! Reads and writes files. Errors carry the system's own reason, and a closed stdout is not an error.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::failure::Failure;

/// A tree of a thousand levels and a million nodes is smaller than this.
const MOST_TREE_BYTES: u64 = 512 << 20;

/// The SHA-256 of a file's bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| cannot_read(path, &error))
}

/// The failure to read a file.
pub fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("Cannot read {}: {}. Check the path.", path.display(), reason(error)))
}

fn text(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        Failure::Input(format!(
            "{}: The file is not text: byte {} is not UTF-8. Choose a file that espalier has written.",
            path.display(),
            error.utf8_error().valid_up_to() + 1
        ))
    })
}

/// The text of a tree file. A larger file is something else, and reading it whole could use up all memory.
pub fn read_tree(path: &Path) -> Result<String, Failure> {
    let cannot = |error| cannot_read(path, &error);
    let mut bytes = vec![];
    let file = fs::File::open(path).map_err(cannot)?;
    file.take(MOST_TREE_BYTES + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > MOST_TREE_BYTES {
        return Err(Failure::Input(format!(
            "{}: The file is larger than {} MB, too large for a tree file. \
             Choose a file that espalier has written.",
            path.display(),
            MOST_TREE_BYTES >> 20
        )));
    }
    text(path, bytes)
}

/// Checks that outputs can be written, before any work is done: each is a writable place, no two are the
/// same, and none is an input. Existing files keep their content.
pub fn check_outputs(inputs: &[&Path], outputs: &[Option<&Path>]) -> Result<(), Failure> {
    let mut taken: Vec<PathBuf> = inputs.iter().filter_map(|path| identity(path)).collect();
    for path in outputs.iter().flatten() {
        probe(path).map_err(|error| cannot_write(path, &error))?;
        // Devices may be named twice: /dev/null, /dev/stdout.
        let Some(identity) = identity(path) else { continue };
        if taken.contains(&identity) {
            return Err(Failure::Input(format!(
                "{} is named twice, and writing it would overwrite the other. \
                 Give each file a name of its own.",
                path.display()
            )));
        }
        taken.push(identity);
    }
    Ok(())
}

/// Writes a whole file.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| cannot_write(path, &error))
}

/// Writes to a file, or to stdout if none is named.
pub fn write_or_print(path: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
    match path {
        Some(path) => fs::write(path, bytes).map_err(|error| cannot_write(path, &error)),
        None => print_bytes(bytes),
    }
}

/// Writes to stdout.
pub fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|error| output_failure(None, &error))
}

/// The failure to write to a file, or to stdout if none is named. A closed stdout is not an error.
pub fn output_failure(path: Option<&Path>, error: &io::Error) -> Failure {
    match path {
        Some(path) => cannot_write(path, error),
        None if error.kind() == ErrorKind::BrokenPipe => Failure::OutputClosed,
        None => Failure::Input(format!(
            "Cannot write to the standard output: {}. Check where it is sent to.",
            reason(error)
        )),
    }
}

/// Opens a file for writing and leaves everything as it was.
fn probe(path: &Path) -> io::Result<()> {
    let existed = match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(io::Error::from(ErrorKind::IsADirectory)),
        // Opening a pipe would wait for its reader.
        Ok(found) if !found.is_file() => return Ok(()),
        Ok(_) => true,
        Err(error) if error.kind() == ErrorKind::NotFound => false,
        Err(error) => return Err(error),
    };
    OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    if existed { Ok(()) } else { fs::remove_file(path) }
}

/// Identifies a file by its real folder and its name. `None` for anything but a regular file.
fn identity(path: &Path) -> Option<PathBuf> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => None,
        Ok(_) => fs::canonicalize(path).ok(),
        Err(_) => {
            let folder =
                path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
        }
    }
}

/// The failure to write a file.
pub fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let hint = "Choose a folder that exists and a file that may be written.";
    Failure::Input(format!("Cannot write {}: {}. {hint}", path.display(), reason(error)))
}

/// The system's reason without its number: "No such file or directory".
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
