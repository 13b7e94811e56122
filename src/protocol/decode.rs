//! Reading requests, by hand.
//!
//! What serde derives for these types is a tenth of the wasm: a reader for every structure, with the clearing
//! away of every field at every possible failure. Here a message becomes a tree of JSON values first, which
//! the reader of downloaded trees needs anyway, and its fields are taken from that one by one.

use std::collections::BTreeMap;

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::{Map, Value};

use super::{ParamValue, ReadOptions, Request, TrainSettings};

/// The fields of an object that are not taken yet, and what the object is called in messages.
struct Fields {
    of: String,
    left: Map<String, Value>,
}

type Read<T> = Result<T, String>;

impl Fields {
    fn new(of: &str, value: Value) -> Read<Fields> {
        match value {
            Value::Object(left) => Ok(Fields { of: of.to_owned(), left }),
            _ => Err(format!("{of} is not an object")),
        }
    }

    fn take(&mut self, name: &str) -> Read<Value> {
        self.left.remove(name).ok_or_else(|| format!("{} needs the field {name}", self.of))
    }

    fn wrong(&self, name: &str, wanted: &str) -> String {
        format!("the field {name} of {} is not {wanted}", self.of)
    }

    fn text(&mut self, name: &str) -> Read<String> {
        match self.take(name)? {
            Value::String(text) => Ok(text),
            _ => Err(self.wrong(name, "a text")),
        }
    }

    fn number(&mut self, name: &str) -> Read<f64> {
        let value = self.take(name)?;
        value.as_f64().ok_or_else(|| self.wrong(name, "a number"))
    }

    fn whole(&mut self, name: &str) -> Read<u32> {
        let value = self.take(name)?;
        as_whole(&value).ok_or_else(|| self.wrong(name, "a whole number that is not negative"))
    }

    fn flag(&mut self, name: &str) -> Read<Option<bool>> {
        match self.take(name)? {
            Value::Null => Ok(None),
            Value::Bool(flag) => Ok(Some(flag)),
            _ => Err(self.wrong(name, "true or false")),
        }
    }

    fn texts(&mut self, name: &str) -> Read<Vec<String>> {
        let value = self.take(name)?;
        as_texts(value).ok_or_else(|| self.wrong(name, "a list of texts"))
    }

    fn object(&mut self, name: &str) -> Read<Fields> {
        Fields::new(name, self.take(name)?)
    }

    /// Nothing may be left over: an unknown field is a mistake of the sender.
    fn end(self) -> Read<()> {
        match self.left.keys().next() {
            None => Ok(()),
            Some(odd) => Err(format!("{} has no field {odd}", self.of)),
        }
    }
}

fn as_whole(value: &Value) -> Option<u32> {
    value
        .as_f64()
        .filter(|number| *number >= 0.0 && *number == number.floor() && *number <= f64::from(u32::MAX))
        .map(|n| n as u32)
}

fn as_texts(value: Value) -> Option<Vec<String>> {
    let Value::Array(items) = value else { return None };
    let text = |item| if let Value::String(text) = item { Some(text) } else { None };
    items.into_iter().map(text).collect()
}

/// A request from a tree of JSON values, or what is wrong with it.
pub fn read_request(value: Value) -> Result<Request, String> {
    let mut fields = Fields::new("the message", value)?;
    let kind = fields.text("kind")?;
    fields.of = format!("{} {kind} request", if kind.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" });
    let run = fields.whole("run")?;
    let request = match kind.as_str() {
        "load" => {
            Request::Load { run, name: fields.text("name")?, options: options(fields.object("options")?)? }
        }
        "train" => Request::Train { run, settings: settings(fields.object("settings")?)? },
        "resolve" => Request::Resolve { run, settings: settings(fields.object("settings")?)? },
        "pause" => Request::Pause { run },
        "resume" => Request::Resume { run },
        "step" => Request::Step { run },
        "stop" => Request::Stop { run },
        "show" => {
            let alone = fields.flag("alone")?.unwrap_or(false);
            Request::Show { run, alone, answers: fields.text("answers")? }
        }
        "open" => Request::Open { run, tree: fields.text("tree")? },
        "frames" => Request::Frames { run },
        "frame" => Request::Frame { run, frame: fields.whole("frame")? },
        "rows" => Request::Rows { run },
        "row" => Request::Row { run, row: fields.whole("row")? },
        "map" => {
            let frame = match fields.take("frame")? {
                Value::Null => None,
                frame => {
                    Some(as_whole(&frame).ok_or_else(|| fields.wrong("frame", "a frame's number or null"))?)
                }
            };
            Request::Map { run, frame, x: fields.text("x")?, y: fields.text("y")? }
        }
        "trace" => Request::Trace { run, tree: fields.text("tree")? },
        "why" => {
            Request::Why { run, settings: settings(fields.object("settings")?)?, tree: fields.text("tree")? }
        }
        "lend" => Request::Lend { run },
        "take" => Request::Take { run, index: fields.whole("index")? },
        "help" => Request::Help { run, settings: settings(fields.object("settings")?)? },
        "unit" => Request::Unit { run, index: fields.whole("index")? },
        "ping" => Request::Ping { run },
        _ => return Err(format!("there is no request of kind {kind:?}")),
    };
    fields.end()?;
    Ok(request)
}

fn options(mut fields: Fields) -> Read<ReadOptions> {
    let missing = fields.object("missing")?;
    let mut spellings = BTreeMap::new();
    for (column, tokens) in missing.left {
        let tokens =
            as_texts(tokens).ok_or_else(|| format!("the spellings of {column} are not a list of texts"))?;
        spellings.insert(column, tokens);
    }
    let mut kinds = BTreeMap::new();
    for (column, kind) in fields.object("kinds")?.left {
        let Value::String(kind) = kind else { return Err(format!("the kind of {column} is not a text")) };
        kinds.insert(column, kind);
    }
    let options = ReadOptions {
        delimiter: fields.text("delimiter")?,
        encoding: fields.text("encoding")?,
        header: fields.flag("header")?,
        skip_bad_rows: fields.flag("skipBadRows")?.unwrap_or(false),
        kinds,
        missing: spellings,
    };
    fields.end()?;
    Ok(options)
}

fn settings(mut fields: Fields) -> Read<TrainSettings> {
    let mut said = BTreeMap::new();
    for (key, value) in fields.object("said")?.left {
        let value = match value {
            Value::Bool(flag) => ParamValue::Flag(flag),
            Value::String(word) => ParamValue::Choice(word),
            Value::Number(number) => ParamValue::Number(number.as_f64().unwrap_or(f64::NAN)),
            _ => return Err(format!("the setting {key} is neither true, false, a number nor a word")),
        };
        said.insert(key, value);
    }
    let settings = TrainSettings {
        target: fields.text("target")?,
        task: fields.text("task")?,
        label: fields.text("label")?,
        model: fields.text("model")?,
        recipe: fields.text("recipe")?,
        seed: fields.whole("seed")?,
        test: fields.number("test")?,
        valid: fields.number("valid")?,
        ignore: fields.texts("ignore")?,
        positive: fields.text("positive")?,
        answers: fields.text("answers")?,
        said,
    };
    fields.end()?;
    Ok(settings)
}

impl<'de> Deserialize<'de> for Request {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Request, D::Error> {
        read_request(Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(message: &str) -> String {
        serde_json::from_str::<Request>(message).unwrap_err().to_string()
    }

    #[test]
    fn what_is_wrong_with_a_message_is_said() {
        assert!(refused(r#"{"kind":"dance","run":1}"#).contains("no request of kind \"dance\""));
        assert!(refused(r#"{"kind":"open","run":1}"#).contains("an open request needs the field tree"));
        assert!(
            refused(r#"{"kind":"open","run":1,"tree":{}}"#)
                .contains("the field tree of an open request is not a text")
        );
        assert!(
            refused(r#"{"kind":"ping","run":1,"tree":"{}"}"#).contains("a ping request has no field tree")
        );
        assert!(refused(r#"{"kind":"ping"}"#).contains("needs the field run"));
        for run in ["-1", "1.5", "5e9", "\"1\"", "null"] {
            assert!(refused(&format!(r#"{{"kind":"ping","run":{run}}}"#)).contains("whole number"), "{run}");
        }
        assert!(refused("[]").contains("not an object") && refused("{").contains("EOF"));
    }

    #[test]
    fn settings_are_switches_numbers_or_words() {
        let read = |value: &str| {
            let settings = r#"{"target":"y","task":"auto","label":"","model":"cart","recipe":"espalier","seed":0,
                "test":0.2,"valid":0,
                "ignore":[],"positive":"","answers":"auto","said":{"key":VALUE}}"#;
            let message =
                format!(r#"{{"kind":"train","run":1,"settings":{}}}"#, settings.replace("VALUE", value));
            match serde_json::from_str(&message) {
                Ok(Request::Train { mut settings, .. }) => settings.said.remove("key"),
                _ => None,
            }
        };
        assert_eq!(read("true"), Some(ParamValue::Flag(true)));
        assert_eq!(read("3"), Some(ParamValue::Number(3.0)));
        assert_eq!(read("-3.5"), Some(ParamValue::Number(-3.5)));
        assert_eq!(read("\"a\""), Some(ParamValue::Choice("a".into())));
        assert_eq!((read("null"), read("[]")), (None, None));
    }
}
