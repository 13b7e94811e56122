//! Storage for the cells of one column.

/// Text cells of a column. They are stored together because a column is typed, counted and encoded as a
/// whole.
#[derive(Debug, Clone, Default)]
pub(super) struct Cells {
    text: String,
    /// Where each cell ends in `text`.
    ends: Vec<u32>,
}

/// Cells under construction. They are bytes, so that UTF-8 is checked once per column, not once per cell.
#[derive(Debug, Clone, Default)]
pub(super) struct GrowingColumn {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Cells {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, row: usize) -> &str {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.text[start as usize..self.ends[row] as usize]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let cell = &self.text[start as usize..end as usize];
            start = end;
            cell
        })
    }

    /// Whether every cell is empty.
    pub(super) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    /// Keeps the first `rows` rows.
    pub(super) fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows);
        self.text.truncate(self.ends.last().map_or(0, |&end| end as usize));
    }
}

impl GrowingColumn {
    /// Adds a cell without surrounding whitespace. The caller ensures that the file's text is shorter than 4
    /// GB.
    pub(super) fn push(&mut self, cell: &[u8]) {
        self.bytes.extend_from_slice(trim(cell));
        self.ends.push(self.bytes.len() as u32);
    }

    /// Adds a cell given as a range of a text, likewise. Most cells are short, and copying a fixed number of
    /// bytes is several times as fast as copying just the cell's.
    pub(super) fn push_from(&mut self, text: &[u8], start: usize, end: usize) {
        const SHORT: usize = 16;
        let blank = |at: usize| !(b'!'..=b'~').contains(&text[at]);
        match text.get(start..start + SHORT) {
            Some(wide) if start < end && end - start <= SHORT && !blank(start) && !blank(end - 1) => {
                let length = self.bytes.len() + (end - start);
                self.bytes.extend_from_slice(wide);
                self.bytes.truncate(length);
                self.ends.push(length as u32);
            }
            _ => self.push(&text[start..end]),
        }
    }

    /// Reserves memory for `rows` rows like those so far, so that a large column is not moved as it grows.
    pub(super) fn reserve_for(&mut self, rows: usize) {
        let so_far = self.ends.len().max(1);
        let more = rows.saturating_sub(so_far);
        self.ends.reserve_exact(more);
        // The average length so far, and a sixteenth more.
        self.bytes.reserve_exact((self.bytes.len() as f64 / so_far as f64 * more as f64 * 1.0625) as usize);
    }

    pub(super) fn finish(self) -> Cells {
        let text =
            String::from_utf8(self.bytes).expect("fields are cut out of UTF-8 text at ASCII characters");
        Cells { text, ends: self.ends }
    }
}

/// Trims whitespace: ASCII first, other characters only if there are any.
fn trim(field: &[u8]) -> &[u8] {
    let field = field.trim_ascii();
    match (field.first(), field.last()) {
        (Some(first), Some(last)) if !first.is_ascii() || !last.is_ascii() => {
            std::str::from_utf8(field).map_or(field, |text| text.trim().as_bytes())
        }
        _ => field,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_back_as_they_went_in() {
        let mut growing = GrowingColumn::default();
        let text = "a,, größe \u{a0},b";
        let mut start = 0;
        for cell in text.split(',') {
            growing.push_from(text.as_bytes(), start, start + cell.len());
            start += cell.len() + 1;
        }
        growing.reserve_for(100);
        let mut cells = growing.finish();
        assert_eq!(cells.iter().collect::<Vec<_>>(), ["a", "", "größe", "b"]);
        assert_eq!((cells.len(), cells.get(2)), (4, "größe"));
        cells.truncate(2);
        assert_eq!(cells.iter().collect::<Vec<_>>(), ["a", ""]);
        assert!(!cells.is_blank());
        cells.truncate(0);
        assert!(cells.is_blank());
    }
}
