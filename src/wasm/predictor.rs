//! Predicts the rows of a file that is fed in pieces, twice: the first pass surveys it, the second predicts.
//! Memory holds one piece.

use js_sys::{Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::error::{Error, Result};
use crate::export;
use crate::run::Answers;
use crate::table::{Fed, Overrides, Records, Stream, Survey};
use crate::tree::Model;

/// Predicts one file.
#[wasm_bindgen]
pub struct Predictor {
    stage: Stage,
    text: String,
    rows: usize,
}

enum Stage {
    /// The tree's text.
    Waiting(String),
    Surveying(Box<(Model, Survey)>),
    Answering(Box<(Answers, Stream)>),
    Done,
}

#[wasm_bindgen]
impl Predictor {
    /// Creates a predictor from a tree's JSON.
    pub fn create(tree: String) -> Predictor {
        std::panic::set_hook(Box::new(|info| web_sys::console::error_1(&info.to_string().into())));
        Predictor { stage: Stage::Waiting(tree), text: String::new(), rows: 0 }
    }

    /// Reads the next piece of the file, or its end (nothing). Returns `{ again, rows, bytes, warnings }`, or
    /// `{ message, hint }`.
    ///
    /// `again` asks for the file from its start: after the survey, and if the survey has to start over. The
    /// bytes, concatenated, are the CSV. The warnings come with the end.
    pub fn feed(&mut self, piece: Option<Vec<u8>>) -> JsValue {
        let object = Object::new();
        let set = |key: &str, value: JsValue| {
            Reflect::set(&object, &key.into(), &value).expect("a plain object takes any key");
        };
        match self.step(piece.as_deref()) {
            Ok((again, warnings)) => {
                set("again", again.into());
                set("rows", (self.rows as f64).into());
                set("bytes", Uint8Array::from(self.text.as_bytes()).into());
                set("warnings", warnings.into_iter().map(JsValue::from).collect::<js_sys::Array>().into());
                self.text.clear();
            }
            Err(Error { message, hint, .. }) => {
                set("message", message.into());
                set("hint", hint.into());
            }
        }
        object.into()
    }
}

impl Predictor {
    fn step(&mut self, piece: Option<&[u8]>) -> Result<(bool, Vec<String>)> {
        if let Stage::Waiting(tree) = &mut self.stage {
            let model = export::read(&std::mem::take(tree))?.model;
            self.stage = Stage::Surveying(Box::new((model, Survey::new(&Overrides::default()))));
        }
        match (std::mem::replace(&mut self.stage, Stage::Done), piece) {
            (Stage::Surveying(mut pair), Some(piece)) => {
                let fed = pair.1.feed(piece)?;
                self.stage = Stage::Surveying(pair);
                Ok((fed == Fed::Again, vec![]))
            }
            (Stage::Surveying(mut pair), None) => {
                let Some(surveyed) = pair.1.finish()? else {
                    self.stage = Stage::Surveying(pair);
                    return Ok((true, vec![]));
                };
                let answers = Answers::new(pair.0, surveyed.names.clone())?;
                self.text = answers.header();
                self.stage = Stage::Answering(Box::new((answers, Stream::new(surveyed))));
                Ok((true, vec![]))
            }
            (Stage::Answering(mut pair), Some(piece)) => {
                let records = pair.1.feed(piece)?;
                self.answer(&mut pair.0, records);
                self.stage = Stage::Answering(pair);
                Ok((false, vec![]))
            }
            (Stage::Answering(mut pair), None) => {
                let records = pair.1.finish()?;
                self.answer(&mut pair.0, records);
                Ok((false, pair.0.warnings()))
            }
            (Stage::Waiting(_) | Stage::Done, _) => Ok((false, vec![])),
        }
    }

    fn answer(&mut self, answers: &mut Answers, records: Option<Records>) {
        if let Some(records) = records {
            answers.write(&records, &mut self.text);
            self.rows += records.rows();
        }
    }
}
