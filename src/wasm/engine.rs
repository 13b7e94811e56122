//! The one class that the worker uses: it converts JavaScript values for a session, and its replies back.

use js_sys::{Array, Float32Array, Object, Reflect, Uint8Array};
use serde::Serialize;
use serde_json::{Map, Number, Value};
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use crate::protocol::{ErrorInfo, Event, Request, read_request};
use crate::session::{Reply, Session};

/// Trains trees for one worker.
#[wasm_bindgen]
#[derive(Default)]
pub struct Engine {
    session: Session,
    /// The file being received, in pieces: passing it whole would need the memory twice.
    file: Vec<u8>,
}

#[wasm_bindgen]
impl Engine {
    /// Creates an engine without a table. From now on a panic is printed to the console before it ends the
    /// worker.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Engine {
        std::panic::set_hook(Box::new(|info| web_sys::console::error_1(&info.to_string().into())));
        Engine::default()
    }

    /// The event that lists what the engine offers.
    pub fn ready(&self) -> JsValue {
        to_js(&self.session.ready())
    }

    /// Handles a request and returns `{ event, curve?, numbers?, bytes? }`.
    pub fn handle(&mut self, request: JsValue, bytes: Option<Vec<u8>>) -> JsValue {
        match read(&request) {
            Ok(request) => reply(self.session.handle(request, &bytes.unwrap_or_default())),
            Err(error) => reply(not_understood(&request, &error).into()),
        }
    }

    /// Reserves memory for a file. Returns false if the tab cannot hold it.
    pub fn reserve(&mut self, bytes: usize) -> bool {
        self.file = Vec::new();
        self.file.try_reserve_exact(bytes).is_ok()
    }

    /// Appends the next piece of the file.
    pub fn feed(&mut self, piece: &[u8]) {
        self.file.extend_from_slice(piece);
    }

    /// Starts to read the received file as a `load` request says. Returns `reading` or `failed`.
    #[wasm_bindgen(js_name = beginLoad)]
    pub fn begin_load(&mut self, request: JsValue) -> JsValue {
        let bytes = std::mem::take(&mut self.file);
        match read(&request) {
            Ok(Request::Load { run, options, .. }) => reply(self.session.begin_load(run, options, bytes)),
            Ok(_) => reply(not_understood(&request, "not a load request").into()),
            Err(error) => reply(not_understood(&request, &error).into()),
        }
    }

    /// Reads up to `rows` more rows, or infers one column. Returns `reading` while there is more, then
    /// `loaded` or `failed`.
    #[wasm_bindgen(js_name = readOn)]
    pub fn read_on(&mut self, rows: u32) -> JsValue {
        reply(self.session.read_on(rows))
    }

    /// Sets the SHA-256 of the file that was loaded last.
    pub fn identify(&mut self, sha256: String) {
        self.session.identify(sha256);
    }

    /// Discards the file that is being read.
    #[wasm_bindgen(js_name = dropLoad)]
    pub fn drop_load(&mut self) {
        self.file = Vec::new();
        self.session.drop_load();
    }

    /// Starts a training as a `train` request says. Returns `growing`, `started` or `failed`.
    #[wasm_bindgen(js_name = beginTrain)]
    pub fn begin_train(&mut self, request: JsValue) -> JsValue {
        match read(&request) {
            Ok(request) => reply(self.session.begin_train(request)),
            Err(error) => reply(not_understood(&request, &error).into()),
        }
    }

    /// Grows the greedy tree for up to `steps` steps. Returns `growing` while there is more to do, then
    /// `started` or `failed`.
    #[wasm_bindgen(js_name = growOn)]
    pub fn grow_on(&mut self, steps: u32) -> JsValue {
        reply(self.session.grow_on(steps))
    }

    /// Accepts the greedy tree as it is and starts the training. Returns `started` or `failed`.
    #[wasm_bindgen(js_name = endGrowth)]
    pub fn end_growth(&mut self) -> JsValue {
        reply(self.session.end_growth())
    }

    /// Trains for up to `steps` steps, or to the end of the current epoch. Returns true once the training has
    /// ended by itself.
    pub fn advance(&mut self, steps: u32, to_epoch_end: bool) -> bool {
        self.session.advance(steps, to_epoch_end)
    }

    /// Whether `advance` returned early because the training moved to another phase, whose steps may take
    /// much longer.
    pub fn turned(&self) -> bool {
        self.session.turned()
    }

    /// Whether the training waits for units that other workers have borrowed.
    pub fn waiting(&self) -> bool {
        self.session.waiting()
    }

    /// The progress event, with the curve since the last call.
    pub fn progress(&mut self, checkpoint: bool) -> JsValue {
        reply(self.session.progress(checkpoint))
    }
}

/// Parses a request. A JSON parser would be a twentieth of the first module, so the object is traversed
/// instead.
fn read(request: &JsValue) -> Result<Request, String> {
    read_request(value_of(request))
}

/// Converts a plain JavaScript value; anything that JSON cannot hold becomes null.
fn value_of(value: &JsValue) -> Value {
    if let Some(text) = value.as_string() {
        Value::String(text)
    } else if let Some(number) = value.as_f64() {
        Number::from_f64(number).map_or(Value::Null, Value::Number)
    } else if let Some(flag) = value.as_bool() {
        Value::Bool(flag)
    } else if Array::is_array(value) {
        Value::Array(Array::from(value).iter().map(|item| value_of(&item)).collect())
    } else if let Some(object) = value.dyn_ref::<Object>() {
        let mut fields = Map::new();
        for key in Object::keys(object).iter() {
            let field = Reflect::get(object, &key).unwrap_or(JsValue::NULL);
            if let (Some(name), false) = (key.as_string(), field.is_undefined()) {
                fields.insert(name, value_of(&field));
            }
        }
        Value::Object(fields)
    } else {
        Value::Null
    }
}

fn not_understood(request: &JsValue, why: &str) -> Event {
    let run = Reflect::get(request, &"run".into()).ok().and_then(|run| run.as_f64()).unwrap_or(0.0);
    Event::Failed {
        run: run as u32,
        error: ErrorInfo {
            code: "bad_request".into(),
            message: format!("The page sent a message that the engine does not understand: {why}."),
            hint: "Reload the page; if that does not help, clear the settings in its address.".into(),
            line: None,
            column: None,
            bad_rows: 0,
            bad_lines: vec![],
        },
    }
}

/// `{ event, curve?, numbers?, bytes? }` with typed arrays of its own, ready to be transferred.
fn reply(reply: Reply) -> JsValue {
    let object = Object::new();
    set(&object, "event", &to_js(&reply.event));
    for (name, numbers) in [("curve", reply.curve), ("numbers", reply.numbers)] {
        if let Some(numbers) = numbers {
            set(&object, name, &Float32Array::from(numbers.as_slice()));
        }
    }
    if let Some(bytes) = reply.bytes {
        set(&object, "bytes", &Uint8Array::from(bytes.as_slice()));
    }
    object.into()
}

fn set(object: &Object, key: &str, value: &JsValue) {
    Reflect::set(object, &key.into(), value).expect("a plain object takes any key");
}

/// Converts an event to a plain JavaScript object: maps become objects and absent values null, as in the
/// TypeScript types.
fn to_js(event: &Event) -> JsValue {
    event.serialize(&Serializer::json_compatible()).expect("events hold nothing that JavaScript lacks")
}
