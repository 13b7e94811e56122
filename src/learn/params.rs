//! Hyper-parameters as a list: one place says key, help, range and field, for the command line, the form and
//! the report.

use std::fmt;
use std::ops::RangeInclusive;

use crate::error::{Code, Error, Result, listed, quoted};

/// A hyper-parameter's value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A switch.
    Flag(bool),
    /// A whole or real number.
    Number(f64),
    /// One of several words.
    Choice(String),
}

/// What a hyper-parameter takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Domain {
    /// `true` or `false`.
    Flag,
    /// A whole number in a range.
    Whole(RangeInclusive<u32>),
    /// A real number in a range.
    Real(RangeInclusive<f64>),
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// A hyper-parameter as others see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its key.
    pub key: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// What it takes.
    pub domain: Domain,
    /// Its present value.
    pub value: Value,
}

/// A hyper-parameter bound to its field.
pub struct Entry<'a> {
    /// Its key.
    pub key: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The field.
    pub slot: Slot<'a>,
}

/// The field behind a hyper-parameter.
pub enum Slot<'a> {
    /// A switch.
    Flag(&'a mut bool),
    /// A whole number.
    Whole(&'a mut u32, RangeInclusive<u32>),
    /// A real number.
    Real(&'a mut f64, RangeInclusive<f64>),
    /// One of several words.
    Choice(&'a mut dyn Words),
}

/// A learner's hyper-parameters.
pub trait Params {
    /// All of them, in the order in which they are shown.
    fn entries(&mut self) -> Vec<Entry<'_>>;
}

/// An enumeration whose members have words. Implemented by `words!`.
pub trait Words {
    /// All words.
    fn words(&self) -> &'static [&'static str];
    /// The position of the present one.
    fn position(&self) -> usize;
    /// Takes the member at a position.
    fn take(&mut self, position: usize);
}

/// Gives the members of an enumeration their words: `words!(Criterion { Gini = "gini", Entropy = "entropy"
/// });`
macro_rules! words {
    ($name:ident { $($member:ident = $word:literal),+ $(,)? }) => {
        impl $crate::learn::Words for $name {
            fn words(&self) -> &'static [&'static str] {
                &[$($word),+]
            }
            fn position(&self) -> usize {
                [$($name::$member),+].iter().position(|member| member == self).expect("every member has a \
                                                                                       word")
            }
            fn take(&mut self, position: usize) {
                *self = [$($name::$member),+][position];
            }
        }
    };
}
pub(crate) use words;

impl Entry<'_> {
    /// The hyper-parameter as others see it.
    pub fn param(&self) -> Param {
        let (domain, value) = match &self.slot {
            Slot::Flag(field) => (Domain::Flag, Value::Flag(**field)),
            Slot::Whole(field, range) => (Domain::Whole(range.clone()), Value::Number(f64::from(**field))),
            Slot::Real(field, range) => (Domain::Real(range.clone()), Value::Number(**field)),
            Slot::Choice(field) => {
                (Domain::Choice(field.words()), Value::Choice(field.words()[field.position()].to_owned()))
            }
        };
        Param { key: self.key, help: self.help, domain, value }
    }
}

impl Value {
    /// A value from the text after `key=` on a command line.
    pub fn parse(text: &str) -> Value {
        match (text, crate::numeric::parse_number(text)) {
            ("true", _) => Value::Flag(true),
            ("false", _) => Value::Flag(false),
            (_, Some(number)) => Value::Number(number),
            _ => Value::Choice(text.to_owned()),
        }
    }

    fn shown(&self) -> String {
        if let Value::Choice(word) = self { quoted(word) } else { self.to_string() }
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Flag(flag)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Number(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::Number(number.into())
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Value {
        Value::Choice(word.to_owned())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Flag(flag) => flag.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Choice(word) => f.write_str(word),
        }
    }
}

/// Sets the field behind `key` and returns the key, or says why not.
pub(super) fn set(params: &mut dyn Params, model: &str, key: &str, value: &Value) -> Result<&'static str> {
    let mut entries = params.entries();
    let known: Vec<&str> = entries.iter().map(|entry| entry.key).collect();
    let Some(entry) = entries.iter_mut().find(|entry| entry.key == key) else {
        return Err(Error::new(
            Code::UnknownParameter,
            format!("{model} has no hyper-parameter {}.", quoted(key)),
            // All of them: a list that is cut would hide the one that was meant.
            format!("It has {}.", known.join(", ")),
        ));
    };
    let refuse = |takes: String| {
        let message = format!("The hyper-parameter {key} of {model} cannot be {}.", value.shown());
        Err(Error::new(Code::BadValue, message, format!("It takes {takes}.")))
    };
    match (&mut entry.slot, value) {
        (Slot::Flag(field), Value::Flag(flag)) => **field = *flag,
        (Slot::Flag(_), _) => return refuse("true or false".into()),
        (Slot::Whole(field, range), Value::Number(number))
            if number.fract() == 0.0
                && (f64::from(*range.start())..=f64::from(*range.end())).contains(number) =>
        {
            **field = *number as u32;
        }
        (Slot::Whole(_, range), _) => {
            return refuse(format!("a whole number from {} to {}", range.start(), range.end()));
        }
        (Slot::Real(field, range), Value::Number(number)) if range.contains(number) => **field = *number,
        (Slot::Real(_, range), _) => {
            return refuse(format!("a number from {} to {}", range.start(), range.end()));
        }
        (Slot::Choice(field), Value::Choice(word)) if field.words().contains(&word.as_str()) => {
            let position = field.words().iter().position(|known| known == word).expect("the word is known");
            field.take(position);
        }
        (Slot::Choice(field), _) => {
            return refuse(format!("one of {}", listed(field.words().iter().copied())));
        }
    }
    Ok(entry.key)
}
