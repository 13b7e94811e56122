//! A place in a JSON text, with typed access and errors that name the place.

use serde_json::Value;

use crate::error::{Code, Error, Result, quoted};

/// A JSON value that knows its path, such as `trees[0].nodes[3].threshold`.
pub(super) struct At<'a> {
    value: &'a Value,
    path: String,
}

/// The error for a broken tree file: the problem at a path, and how to fix it.
pub(super) fn bad_tree(path: &str, what: impl AsRef<str>, hint: impl Into<String>) -> Error {
    let place = if path.is_empty() { "the top" } else { path };
    Error::new(Code::BadTree, format!("The tree file is broken at {place}: {}", what.as_ref()), hint)
}

impl<'a> At<'a> {
    /// The whole text.
    pub(crate) fn top(value: &'a Value) -> At<'a> {
        At { value, path: String::new() }
    }

    /// The path, for errors that are found later.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// An error at this place.
    pub(crate) fn error(&self, what: impl AsRef<str>, hint: impl Into<String>) -> Error {
        bad_tree(&self.path, what, hint)
    }

    fn expected(&self, expected: &str) -> Error {
        let found = match self.value {
            Value::Null => "null".to_owned(),
            Value::Bool(flag) => flag.to_string(),
            Value::Number(number) => number.to_string(),
            Value::String(text) => quoted(text),
            Value::Array(list) => format!("a list of {}", list.len()),
            Value::Object(_) => "an object".to_owned(),
        };
        self.error(format!("expected {expected}, found {found}."), format!("Put {expected} there."))
    }

    /// The value of a key; `None` if the key is absent or null.
    pub(crate) fn get(&self, key: &str) -> Result<Option<At<'a>>> {
        let Value::Object(map) = self.value else {
            return Err(self.expected("an object"));
        };
        Ok(map.get(key).filter(|value| !value.is_null()).map(|value| At { value, path: self.below(key) }))
    }

    /// The value of a key; an error if it is absent.
    pub(crate) fn key(&self, key: &str) -> Result<At<'a>> {
        self.get(key)?.ok_or_else(|| self.error(format!("the key {} is missing.", quoted(key)), "Add it."))
    }

    /// The entries of an object.
    pub(crate) fn entries(&self) -> Result<Vec<(&'a str, At<'a>)>> {
        let Value::Object(map) = self.value else {
            return Err(self.expected("an object"));
        };
        Ok(map.iter().map(|(key, value)| (key.as_str(), At { value, path: self.below(key) })).collect())
    }

    /// The items of a list.
    pub(crate) fn list(&self) -> Result<Vec<At<'a>>> {
        let Value::Array(list) = self.value else {
            return Err(self.expected("a list"));
        };
        Ok(list
            .iter()
            .enumerate()
            .map(|(at, value)| At { value, path: format!("{}[{at}]", self.path) })
            .collect())
    }

    /// Reads every item of a list.
    pub(crate) fn each<T>(&self, read: impl Fn(&At<'a>) -> Result<T>) -> Result<Vec<T>> {
        self.list()?.iter().map(read).collect()
    }

    /// A text.
    pub(crate) fn text(&self) -> Result<&'a str> {
        self.value.as_str().ok_or_else(|| self.expected("a text"))
    }

    /// An owned text.
    pub(crate) fn string(&self) -> Result<String> {
        self.text().map(str::to_owned)
    }

    /// `true` or `false`.
    pub(crate) fn flag(&self) -> Result<bool> {
        self.value.as_bool().ok_or_else(|| self.expected("true or false"))
    }

    /// A whole number from 0.
    pub(crate) fn whole(&self) -> Result<u64> {
        self.value.as_u64().ok_or_else(|| self.expected("a whole number from 0"))
    }

    /// A whole number from 0 that is a count or a position in memory.
    pub(crate) fn index(&self) -> Result<usize> {
        usize::try_from(self.whole()?).map_err(|_| self.expected("a smaller number"))
    }

    /// A number.
    pub(crate) fn number(&self) -> Result<f64> {
        self.value.as_f64().filter(|value| value.is_finite()).ok_or_else(|| self.expected("a number"))
    }

    /// A number, rounded to f32.
    pub(crate) fn single(&self) -> Result<f32> {
        let value = self.number()? as f32;
        if value.is_finite() { Ok(value) } else { Err(self.expected("a number within the range of f32")) }
    }

    /// A switch, a number or a word, each converted by its function.
    pub(crate) fn scalar<T>(
        &self,
        flag: impl Fn(bool) -> T,
        number: impl Fn(f64) -> T,
        word: impl Fn(&str) -> T,
    ) -> Result<T> {
        match self.value {
            Value::Bool(value) => Ok(flag(*value)),
            Value::Number(_) => self.number().map(number),
            Value::String(text) => Ok(word(text)),
            _ => Err(self.expected("a switch, a number or a word")),
        }
    }

    /// Refuses a text other than the one this version knows.
    pub(crate) fn only(&self, known: &str) -> Result<()> {
        match self.text()? {
            text if text == known => Ok(()),
            text => {
                let what = format!("{} is not known to this version.", quoted(text));
                Err(self.error(what, format!("Use {}, or a newer version of this program.", quoted(known))))
            }
        }
    }

    fn below(&self, key: &str) -> String {
        let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        match (plain, self.path.is_empty()) {
            (true, true) => key.to_owned(),
            (true, false) => format!("{}.{key}", self.path),
            (false, _) => format!("{}[{}]", self.path, quoted(key)),
        }
    }
}
