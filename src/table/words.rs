//! The distinct cells of a column and how often each occurs.

use super::store::Cells;

/// The distinct cells of a column, in order of first appearance.
pub(super) struct Words<'a> {
    cells: &'a Cells,
    /// The row in which each word appears first.
    first: Vec<u32>,
    counts: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl<'a> Words<'a> {
    /// Counts the words of a column. It uses a hash table with open addressing: a column with a million
    /// distinct cells is common, and its words are compared where they are stored.
    pub(super) fn count(cells: &'a Cells) -> Words<'a> {
        let mut words = Words { cells, first: vec![], counts: vec![] };
        let mut slots = vec![FREE; 1024];
        for (row, cell) in cells.iter().enumerate() {
            if 2 * words.first.len() >= slots.len() {
                slots = words.spread(slots.len() * 4);
            }
            let mask = slots.len() - 1;
            let mut slot = hash(cell.as_bytes()) as usize & mask;
            loop {
                match slots[slot] {
                    FREE => {
                        slots[slot] = words.first.len() as u32;
                        words.first.push(row as u32);
                        words.counts.push(1);
                        break;
                    }
                    word if cells.get(words.first[word as usize] as usize) == cell => {
                        words.counts[word as usize] += 1;
                        break;
                    }
                    _ => slot = (slot + 1) & mask,
                }
            }
        }
        words
    }

    /// Puts the words so far into a larger hash table.
    fn spread(&self, size: usize) -> Vec<u32> {
        let mut slots = vec![FREE; size];
        for word in 0..self.first.len() {
            let mut slot = hash(self.word(word).as_bytes()) as usize & (size - 1);
            while slots[slot] != FREE {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = word as u32;
        }
        slots
    }

    fn word(&self, at: usize) -> &'a str {
        self.cells.get(self.first[at] as usize)
    }

    /// Each word with its number of cells.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a str, usize)> + '_ {
        self.counts.iter().enumerate().map(|(at, &count)| (self.word(at), count as usize))
    }
}

/// Hashes eight bytes at a time with a multiplication. It does not depend on the machine, and nothing is ever
/// ordered by it.
fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, word: u64| {
        let product = (state ^ word).wrapping_mul(FACTOR);
        product ^ (product >> 29)
    };
    let (chunks, rest) = bytes.as_chunks::<8>();
    let mut state = bytes.len() as u64;
    for &chunk in chunks {
        state = mix(state, u64::from_le_bytes(chunk));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    state = mix(state, u64::from_le_bytes(last));
    mix(state, FACTOR) >> 7
}

#[cfg(test)]
mod tests {
    use super::super::store::GrowingColumn;
    use super::*;

    #[test]
    fn words_are_counted_in_order_of_appearance() {
        let mut growing = GrowingColumn::default();
        (0..20_000).for_each(|i| growing.push(format!("word {}", i * i % 5003).as_bytes()));
        let cells = growing.finish();
        let words = Words::count(&cells);
        let mut slow: Vec<(String, usize)> = vec![];
        let mut places = std::collections::BTreeMap::new();
        for cell in cells.iter() {
            let at = *places.entry(cell).or_insert_with(|| {
                slow.push((cell.to_owned(), 0));
                slow.len() - 1
            });
            slow[at].1 += 1;
        }
        let found: Vec<(String, usize)> =
            words.iter().map(|(word, count)| (word.to_owned(), count)).collect();
        assert_eq!(found, slow);
    }
}
