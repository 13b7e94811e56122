//! Reads a file twice from its start, in pieces.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::files;

/// Bytes per piece.
const PIECE: usize = 1 << 20;

/// A file on disk, or the content of a pipe, which cannot be read twice and is kept in memory.
pub struct Twice {
    path: PathBuf,
    source: Source,
    bytes: u64,
}

enum Source {
    File(File),
    Memory(Vec<u8>),
}

impl Twice {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Twice, Failure> {
        let cannot = |error| files::cannot_read(path, &error);
        let file = File::open(path).map_err(cannot)?;
        let found = file.metadata().map_err(cannot)?;
        let (source, bytes) = if found.is_file() {
            (Source::File(file), found.len())
        } else {
            let bytes = files::read(path)?;
            let length = bytes.len() as u64;
            (Source::Memory(bytes), length)
        };
        Ok(Twice { path: path.to_owned(), source, bytes })
    }

    /// Calls `take` with every piece and the share of the file that is then read, until the end or until it
    /// returns false.
    pub fn each(&mut self, mut take: impl FnMut(&[u8], f64) -> Result<bool, Failure>) -> Result<(), Failure> {
        let whole = self.bytes.max(1) as f64;
        let file = match &mut self.source {
            Source::File(file) => file,
            Source::Memory(bytes) => {
                for (at, piece) in bytes.chunks(PIECE).enumerate() {
                    if !take(piece, ((at + 1) * PIECE) as f64 / whole)? {
                        break;
                    }
                }
                return Ok(());
            }
        };
        let cannot = |error| files::cannot_read(&self.path, &error);
        file.rewind().map_err(cannot)?;
        let mut buffer = vec![0; PIECE];
        let mut done = 0;
        loop {
            match file.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(read) => {
                    done += read;
                    if !take(&buffer[..read], (done as f64 / whole).min(1.0))? {
                        return Ok(());
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(cannot(error)),
            }
        }
    }
}
