//! The export function of the exporter module: converts a tree's JSON to a file in another format.

use js_sys::{Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::error::Result;
use crate::export;

/// Exports a tree: `{ fileName, mime, bytes }`, or `{ message, hint }` if the format cannot hold the tree.
#[wasm_bindgen(js_name = exportTree)]
pub fn export_tree(tree: &str, format: &str) -> JsValue {
    std::panic::set_hook(Box::new(|info| web_sys::console::error_1(&info.to_string().into())));
    let object = Object::new();
    let set = |key: &str, value: JsValue| {
        Reflect::set(&object, &key.into(), &value).expect("a plain object takes any key");
    };
    match written(tree, format) {
        Ok(file) => {
            set("fileName", file.name.into());
            set("mime", file.mime.into());
            set("bytes", Uint8Array::from(file.bytes.as_slice()).into());
        }
        Err(error) => {
            set("message", error.message.into());
            set("hint", error.hint.into());
        }
    }
    object.into()
}

fn written(tree: &str, format: &str) -> Result<export::File> {
    export::file(&export::read(tree)?, format)
}
