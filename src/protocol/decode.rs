//! Reading requests, by hand.
//!
//! What serde derives for an enumeration with its tag among the fields first copies the message into a tree of its own, and
//! brings two more readers for every type along: a tenth of the wasm. One flat structure of all fields does without.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use super::{ParamValue, ReadOptions, Request, TrainSettings};

/// The fields of all requests.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    kind: String,
    run: u32,
    name: Option<String>,
    options: Option<ReadOptions>,
    settings: Option<TrainSettings>,
    tree: Option<String>,
}

impl Fields {
    /// The names of the optional fields that are there.
    fn given(&self) -> Vec<&'static str> {
        let fields = [
            ("name", self.name.is_some()),
            ("options", self.options.is_some()),
            ("settings", self.settings.is_some()),
            ("tree", self.tree.is_some()),
        ];
        fields.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect()
    }

    /// The request of these fields; none if one is missing.
    fn request(self) -> Option<Request> {
        let run = self.run;
        Some(match self.kind.as_str() {
            "load" => Request::Load { run, name: self.name?, options: self.options? },
            "train" => Request::Train { run, settings: self.settings? },
            "pause" => Request::Pause { run },
            "resume" => Request::Resume { run },
            "step" => Request::Step { run },
            "stop" => Request::Stop { run },
            "open" => Request::Open { run, tree: self.tree? },
            "predict" => Request::Predict { run, tree: self.tree? },
            "ping" => Request::Ping { run },
            _ => return None,
        })
    }
}

/// The fields that a kind of request has beside `run`; none for an unknown kind.
fn fields_of(kind: &str) -> Option<&'static [&'static str]> {
    match kind {
        "load" => Some(&["name", "options"]),
        "train" => Some(&["settings"]),
        "open" | "predict" => Some(&["tree"]),
        "pause" | "resume" | "step" | "stop" | "ping" => Some(&[]),
        _ => None,
    }
}

impl<'de> Deserialize<'de> for Request {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Request, D::Error> {
        let fields = Fields::deserialize(deserializer)?;
        let Some(wanted) = fields_of(&fields.kind) else {
            return Err(Error::custom(format_args!("there is no request of kind {:?}", fields.kind)));
        };
        let kind = fields.kind.clone();
        if let Some(odd) = fields.given().into_iter().find(|name| !wanted.contains(name)) {
            return Err(Error::custom(format_args!("a {kind} request has no field {odd}")));
        }
        fields
            .request()
            .ok_or_else(|| Error::custom(format_args!("a {kind} request needs the fields {}", wanted.join(", "))))
    }
}

struct AnyValue;

impl Visitor<'_> for AnyValue {
    type Value = ParamValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false, a number or a word")
    }

    fn visit_bool<E>(self, value: bool) -> Result<ParamValue, E> {
        Ok(ParamValue::Flag(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<ParamValue, E> {
        Ok(ParamValue::Number(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<ParamValue, E> {
        Ok(ParamValue::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<ParamValue, E> {
        Ok(ParamValue::Number(value as f64))
    }

    fn visit_str<E>(self, value: &str) -> Result<ParamValue, E> {
        Ok(ParamValue::Choice(value.to_owned()))
    }
}

impl<'de> Deserialize<'de> for ParamValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ParamValue, D::Error> {
        deserializer.deserialize_any(AnyValue)
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
        assert!(refused(r#"{"kind":"open","run":1}"#).contains("needs the fields tree"));
        assert!(refused(r#"{"kind":"ping","run":1,"tree":"{}"}"#).contains("a ping request has no field tree"));
        assert!(refused(r#"{"kind":"ping","run":1,"x":2}"#).contains("unknown field `x`"));
        assert!(refused(r#"{"kind":"ping"}"#).contains("missing field `run`"));
        assert!(refused(r#"{"kind":"ping","run":-1}"#).contains("invalid value"));
        assert!(refused("[]").contains("invalid"));
    }

    #[test]
    fn values_are_switches_numbers_or_words() {
        let read = |text: &str| serde_json::from_str::<ParamValue>(text);
        assert_eq!(read("true").unwrap(), ParamValue::Flag(true));
        assert_eq!(read("3").unwrap(), ParamValue::Number(3.0));
        assert_eq!(read("-3.5").unwrap(), ParamValue::Number(-3.5));
        assert_eq!(read("\"a\"").unwrap(), ParamValue::Choice("a".into()));
        assert!(read("null").is_err() && read("[]").is_err());
    }
}
