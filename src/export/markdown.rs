//! A one-page model card: data, settings, scores next to those of the greedy tree, the rules and the picture.

use std::collections::BTreeSet;
use std::fmt;

use super::document::{Document, Parts, Setting};
use super::svg::Picture;
use super::text::Rules;
use super::words::{bounds, one_line};

/// Writes a document as a model card in Markdown.
pub(super) struct Card<'a>(pub &'a Document);

impl fmt::Display for Card<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Card(document) = self;
        let model = &document.model;
        writeln!(f, "# A decision tree for {}\n", text(model.target.name()))?;
        let (splits, leaves, depth) =
            (model.tree.size() - model.tree.leaves(), model.tree.leaves(), model.tree.depth());
        writeln!(
            f,
            "A {} tree with {splits} splits, {leaves} leaves and {depth} levels.",
            model.target.task()
        )?;
        if !model.target.classes().is_empty() {
            let classes: Vec<String> = model.target.classes().iter().map(|class| text(class)).collect();
            writeln!(f, "Classes: {}.", classes.join(", "))?;
        }
        match bounds(model).as_str() {
            "" => {}
            words => {
                writeln!(f, "Its {words}, which keeps them sensible on rows unlike those it learned from.")?
            }
        }
        writeln!(
            f,
            "\n![The tree](data:image/svg+xml;base64,{})\n",
            Base64(Picture(model).to_string().as_bytes())
        )?;
        self.data(f)?;
        self.training(f)?;
        self.scores(f)?;
        let rules = Rules(model).to_string();
        // The fence is longer than any run of backticks inside, so none of them ends it.
        let fence = "`".repeat(longest_run(&rules).max(2) + 1);
        writeln!(f, "## Rules\n\n{fence}text\n{}{fence}\n", rules)?;
        let proofs = document.verification.len();
        writeln!(
            f,
            "## Use\n\nThe `*.tree.json` file is the exact form: \
             it holds {proofs} proof rows that any reader can run."
        )?;
        writeln!(f, "Written by {} {}.", text(&document.generator.name), text(&document.generator.version))
    }
}

impl Card<'_> {
    fn data(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Card(document) = self;
        writeln!(f, "## Data\n")?;
        if let Some(data) = &document.data {
            writeln!(f, "{} rows and {} columns.", data.rows, data.columns)?;
            if let Some(sha256) = &data.sha256 {
                writeln!(f, "SHA-256 of the file: `{}`.", plain(sha256))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "| column | type | missing spelled as |\n| --- | --- | --- |")?;
        for feature in &document.model.features {
            let kind = match &feature.kind {
                crate::tree::FeatureKind::Numerical { min, max, .. } => format!("number, {min} to {max}"),
                crate::tree::FeatureKind::Categorical { categories } => {
                    format!("{} categories", categories.len())
                }
            };
            let missing: Vec<String> = feature.missing_tokens.iter().map(|token| text(token)).collect();
            writeln!(f, "| {} | {kind} | {} |", text(&feature.name), missing.join(", "))?;
        }
        writeln!(f)
    }

    fn training(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(training) = &self.0.training else { return Ok(()) };
        write!(f, "## Training\n\nLearner `{}`, seed {}", plain(&training.algorithm), training.seed)?;
        match &training.recipe {
            Some(recipe) => writeln!(f, ", recipe `{}`.", plain(recipe))?,
            None => writeln!(f, ".")?,
        }
        let rows: Vec<String> =
            training.rows.iter().map(|(part, rows)| format!("{rows} {}", text(part))).collect();
        writeln!(
            f,
            "Rows: {}. {} steps; it ended because: {}.\n",
            rows.join(", "),
            training.steps,
            text(&training.stop_reason)
        )?;
        if let Some(kept) = &training.kept {
            writeln!(f, "{}\n", text(&kept.sentence()))?;
        }
        writeln!(f, "| setting | value | set by |\n| --- | --- | --- |")?;
        for (key, setting) in &training.config {
            let value = match setting {
                Setting::Flag(flag) => flag.to_string(),
                Setting::Number(number) => number.to_string(),
                Setting::Word(word) => text(word),
            };
            let by = match &training.said {
                Some(said) if said.contains_key(key) => "hand",
                Some(_) => "the recipe",
                None => "",
            };
            writeln!(f, "| {} | {value} | {by} |", text(key))?;
        }
        writeln!(f)
    }

    fn scores(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let metrics = &self.0.metrics;
        writeln!(f, "## Scores\n")?;
        let empty = Parts::new();
        let baseline = metrics.baseline.as_ref();
        let beside = if baseline.is_some() { " CART |" } else { "" };
        writeln!(
            f,
            "| rows | score | this tree |{beside}\n| --- | --- | --- |{}",
            if baseline.is_some() { " --- |" } else { "" }
        )?;
        let cart = baseline.unwrap_or(&empty);
        let parts: BTreeSet<&String> = metrics.tree.keys().chain(cart.keys()).collect();
        for part in parts {
            let find =
                |parts: &'_ Parts, name: &str| parts.get(part).and_then(|scores| scores.get(name)).copied();
            let own = metrics.tree.get(part).into_iter().flat_map(|scores| scores.keys());
            let names: BTreeSet<&String> =
                own.chain(cart.get(part).into_iter().flat_map(|scores| scores.keys())).collect();
            for name in names {
                let own = score(find(&metrics.tree, name));
                write!(f, "| {} | {} | {own} |", text(part), text(name))?;
                if baseline.is_some() {
                    write!(f, " {} |", score(find(cart, name)))?;
                }
                writeln!(f)?;
            }
        }
        writeln!(f)
    }
}

fn score(value: Option<f64>) -> String {
    value.map_or("–".into(), |value| format!("{value:.4}"))
}

/// Escapes a text so that Markdown shows it unchanged and on one line.
fn text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            c if c.is_ascii_punctuation() && !matches!(c, '-' | '.' | ',' | '/' | '%' | ';') => {
                safe.extend(['\\', c])
            }
            c => safe.push(c),
        }
    }
    safe
}

/// A word for a code span.
fn plain(word: &str) -> String {
    one_line(word).replace('`', "'")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Bytes as base64.
struct Base64<'a>(&'a [u8]);

impl fmt::Display for Base64<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for group in self.0.chunks(3) {
            let bits =
                group.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
            for digit in 0..4 {
                let known = digit <= group.len();
                let at = (bits >> (18 - 6 * digit)) as usize & 63;
                write!(f, "{}", if known { char::from(DIGITS[at]) } else { '=' })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_the_usual_one() {
        for (text, encoded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(Base64(text.as_bytes()).to_string(), encoded);
        }
    }

    #[test]
    fn names_are_text_and_not_markup() {
        assert_eq!(text("a|b*c_<i>`\n"), "a\\|b\\*c\\_&lt;i&gt;\\`\\\\n");
        assert_eq!(longest_run("a``b```c"), 3);
    }
}
