//! A random sample of a file's rows, for files that are larger than what can be held.
//!
//! The bytes come in chunks and only those of the rows that are kept stay: the file itself need never be in memory. Every row
//! has the same chance, whatever its place, and the same seed keeps the same rows.

use crate::error::{Code, Error, Result};
use crate::numeric::random::Random;

/// Keeps the first line and a share of the records after it.
pub struct Sampler {
    random: Random,
    /// The chance of each record.
    share: f64,
    kept: Vec<u8>,
    /// The record that is being read.
    record: Vec<u8>,
    in_quotes: bool,
    /// Whether the last byte was a CR, whose LF belongs to it.
    after_cr: bool,
    records: usize,
    chosen: usize,
}

/// How much room a table takes, in bytes, for each byte of its file: the file itself, its cells and what is counted on the
/// way. The benchmark of the reader measures it natively as below 3.
const MEMORY_PER_BYTE: f64 = 4.0;

/// The rows that fit into a number of bytes of memory, estimated from the beginning of a file; none if the whole file fits.
pub fn rows_that_fit(head: &[u8], file_size: f64, memory: f64) -> Option<u64> {
    let lines = head.iter().filter(|&&byte| byte == b'\n' || byte == b'\r').count().max(1);
    let per_row = head.len().max(1) as f64 / lines as f64;
    (file_size * MEMORY_PER_BYTE > memory).then(|| (memory / MEMORY_PER_BYTE / per_row).floor() as u64)
}

impl Sampler {
    /// A sampler that keeps each record with a chance of `share`.
    pub fn new(share: f64, seed: u32) -> Result<Sampler> {
        if !(share > 0.0 && share <= 1.0) {
            return Err(Error::new(
                Code::BadValue,
                format!("A sample cannot hold a share of {share} of the rows."),
                "Give a share that is more than 0 and at most 1.",
            ));
        }
        Ok(Sampler {
            random: Random::stream(u64::from(seed), "sample of rows"),
            share,
            kept: vec![],
            record: vec![],
            in_quotes: false,
            after_cr: false,
            records: 0,
            chosen: 0,
        })
    }

    /// Reads the next bytes of the file: UTF-8 or any encoding that contains ASCII.
    pub fn push(&mut self, chunk: &[u8]) -> Result<()> {
        if self.records == 0 && self.record.is_empty() && matches!(chunk, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
            return Err(Error::new(
                Code::NotText,
                "A file in UTF-16 cannot be sampled.",
                "Save it as UTF-8, which is half as large, and choose it again.",
            ));
        }
        for &byte in chunk {
            if std::mem::take(&mut self.after_cr) && byte == b'\n' && self.record.is_empty() {
                continue;
            }
            // A doubled quote closes and opens again, which comes to the same.
            self.in_quotes ^= byte == b'"';
            if !self.in_quotes && (byte == b'\n' || byte == b'\r') {
                self.after_cr = byte == b'\r';
                self.end_record();
            } else {
                self.record.push(byte);
            }
        }
        Ok(())
    }

    fn end_record(&mut self) {
        if self.record.is_empty() {
            return;
        }
        self.records += 1;
        let header = self.records == 1;
        if header || self.random.uniform() < self.share {
            self.chosen += usize::from(!header);
            self.kept.extend_from_slice(&self.record);
            self.kept.push(b'\n');
        }
        self.record.clear();
    }

    /// The bytes of the sample, how many records it has after the first line, and how many the file had.
    pub fn finish(mut self) -> (Vec<u8>, usize, usize) {
        self.end_record();
        (self.kept, self.chosen, self.records.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Overrides, Table};
    use super::*;

    fn sampled(text: &str, share: f64, seed: u32, chunk: usize) -> (Vec<u8>, usize, usize) {
        let mut sampler = Sampler::new(share, seed).unwrap();
        text.as_bytes().chunks(chunk).for_each(|chunk| sampler.push(chunk).unwrap());
        sampler.finish()
    }

    fn file(rows: usize) -> String {
        "x,w\r\n".to_owned() + &(0..rows).map(|i| format!("{i},\"a \"\"b\"\"\r\nc\"\r\n")).collect::<String>()
    }

    #[test]
    fn a_sample_holds_whole_records_and_the_header() {
        let (bytes, chosen, records) = sampled(&file(10_000), 0.1, 1, 777);
        let table = Table::read(&bytes, &Overrides::default()).unwrap();
        assert_eq!((table.rows(), records), (chosen, 10_000));
        // Six standard deviations of a binomial draw are 180.
        assert!(chosen.abs_diff(1000) < 180, "{chosen}");
        assert!((0..table.rows()).all(|row| table.cell(row, 1) == "a \"b\"\r\nc"));
        let mean =
            (0..chosen).filter_map(|row| table.columns()[0].number(table.cell(row, 0))).sum::<f64>() / chosen as f64;
        assert!((mean - 5000.0).abs() < 600.0, "rows come from everywhere: {mean}");
    }

    #[test]
    fn the_seed_decides_and_chunks_do_not() {
        let text = file(500);
        assert_eq!(sampled(&text, 0.3, 7, 1), sampled(&text, 0.3, 7, 10_000));
        assert_ne!(sampled(&text, 0.3, 7, 100), sampled(&text, 0.3, 8, 100));
        assert_eq!(sampled(&text, 1.0, 0, 3).1, 500);
        assert_eq!(sampled("a\rb\rc", 1.0, 0, 2), (b"a\nb\nc\n".to_vec(), 2, 2));
        assert_eq!(sampled("", 0.5, 0, 2), (vec![], 0, 0));
    }

    #[test]
    fn what_cannot_be_sampled_says_so() {
        assert!([0.0, -1.0, 1.5, f64::NAN].iter().all(|&share| Sampler::new(share, 0).is_err()));
        assert_eq!(Sampler::new(0.5, 0).unwrap().push(b"\xff\xfea\0").unwrap_err().code, Code::NotText);
    }

    #[test]
    fn the_rows_that_fit_are_told_beforehand() {
        let head = b"1234,6789\n".repeat(100);
        assert_eq!(rows_that_fit(&head, 1e6, 1e9), None);
        assert_eq!(rows_that_fit(&head, 1e9, 1e9), Some(25_000_000));
    }
}
