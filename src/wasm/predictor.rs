//! A tree's answers for the rows of a file, in slices: fed piece by piece, read, then answered, so that a bar can move.

use js_sys::{Object, Reflect};
use std::borrow::Cow;
use wasm_bindgen::prelude::*;

use crate::error::{Error, Result};
use crate::export;
use crate::run::Answers;
use crate::table::{Overrides, Reader};
use crate::tree::Model;

/// Predicts one file.
#[wasm_bindgen]
pub struct Predictor {
    stage: Stage,
}

enum Stage {
    /// The tree's text and the file so far.
    Fed(String, Vec<u8>),
    Reading(Box<(Model, Reader<'static>)>),
    /// The answers, how many rows are written, and the text that is on its way out.
    Answering(Box<Answers>, usize, String),
    Done,
}

#[wasm_bindgen]
impl Predictor {
    /// A predictor for a tree, given as its JSON, and a file of so many bytes. None if the tab cannot hold the file.
    pub fn create(tree: String, bytes: usize) -> Option<Predictor> {
        std::panic::set_hook(Box::new(|info| web_sys::console::error_1(&info.to_string().into())));
        let mut file = vec![];
        file.try_reserve_exact(bytes).ok()?;
        Some(Predictor { stage: Stage::Fed(tree, file) })
    }

    /// Takes the next piece of the file.
    pub fn feed(&mut self, piece: &[u8]) {
        if let Stage::Fed(_, file) = &mut self.stage {
            file.extend_from_slice(piece);
        }
    }

    /// Reads on, or answers, at most so many rows: `{ share, rows, text, done, warnings }`, or `{ message, hint }`. The texts, one
    /// after another, are the CSV.
    pub fn advance(&mut self, rows: usize) -> JsValue {
        let object = Object::new();
        let set = |key: &str, value: JsValue| {
            Reflect::set(&object, &key.into(), &value).expect("a plain object takes any key");
        };
        match self.step(rows) {
            Ok(Slice { share, rows, text, warnings }) => {
                set("share", share.into());
                set("rows", (rows as f64).into());
                set("text", text.into());
                set("done", matches!(self.stage, Stage::Done).into());
                set("warnings", warnings.into_iter().map(JsValue::from).collect::<js_sys::Array>().into());
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
    fn step(&mut self, rows: usize) -> Result<Slice> {
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Fed(tree, file) => {
                let model = export::read(&tree)?.model;
                let every_row = Overrides { keep_empty_rows: true, ..Overrides::default() };
                let reader = Reader::new(Cow::Owned(file), &every_row)?;
                self.stage = Stage::Reading(Box::new((model, reader)));
                Ok(Slice::default())
            }
            Stage::Reading(mut pair) => {
                let share = pair.1.advance(rows)?;
                if !pair.1.is_done() {
                    self.stage = Stage::Reading(pair);
                    return Ok(Slice { share: share / 2.0, ..Slice::default() });
                }
                let (model, reader) = *pair;
                let answers = Answers::new(model, reader.finish()?)?;
                let text = answers.header();
                self.stage = Stage::Answering(Box::new(answers), 0, text);
                Ok(Slice { share: 0.5, ..Slice::default() })
            }
            Stage::Answering(mut answers, begun, mut text) => {
                let end = answers.rows().min(begun.saturating_add(rows));
                answers.write(begun..end, &mut text);
                let share = 0.5 + 0.5 * end as f64 / answers.rows().max(1) as f64;
                if end == answers.rows() {
                    return Ok(Slice { share: 1.0, rows: end, text, warnings: answers.warnings() });
                }
                self.stage = Stage::Answering(answers, end, String::new());
                Ok(Slice { share, rows: end, text, warnings: vec![] })
            }
            Stage::Done => Ok(Slice { share: 1.0, ..Slice::default() }),
        }
    }
}

/// What a slice gave.
#[derive(Default)]
struct Slice {
    share: f64,
    rows: usize,
    text: String,
    warnings: Vec<String>,
}
