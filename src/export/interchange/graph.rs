//! An ONNX graph that is built operator by operator.

use super::protobuf::Message;

/// Element types of a tensor, by their number in the format.
#[derive(Clone, Copy)]
pub(super) enum Type {
    Float = 1,
    Int64 = 7,
    Text = 8,
    Double = 11,
}

/// A graph under construction. Every value has a name; adding an operator returns the name of its output.
#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<Message>,
    constants: Vec<Message>,
    inputs: Vec<Message>,
    outputs: Vec<Message>,
    names: usize,
}

/// An attribute of an operator.
pub(super) enum Attribute<'a> {
    Int(&'a str, i64),
    Text(&'a str, &'a str),
    Ints(&'a str, Vec<i64>),
    Floats(&'a str, Vec<f32>),
    Texts(&'a str, Vec<&'a str>),
}

impl Graph {
    /// Adds an operator of the standard set and returns its output's name.
    pub(super) fn op(&mut self, kind: &str, inputs: &[&str], attributes: &[Attribute]) -> String {
        let output = self.fresh(kind);
        self.op_as(kind, "", inputs, &output, attributes);
        output
    }

    /// Adds an operator of any set, with a given name for its output.
    pub(super) fn op_as(
        &mut self,
        kind: &str,
        domain: &str,
        inputs: &[&str],
        output: &str,
        attributes: &[Attribute],
    ) {
        let node = Message::default()
            .each(inputs, |node, input| node.bytes(1, input))
            .bytes(2, output)
            .bytes(3, format!("{output} node"))
            .bytes(4, kind)
            .each(attributes, |node, attribute| node.message(5, attribute.message()))
            .bytes(7, domain);
        self.nodes.push(node);
    }

    /// Adds a conversion to another type.
    pub(super) fn cast(&mut self, input: &str, to: Type) -> String {
        self.op("Cast", &[input], &[Attribute::Int("to", to as i64)])
    }

    /// A constant of 32-bit numbers.
    pub(super) fn floats(&mut self, shape: &[usize], values: impl IntoIterator<Item = f32>) -> String {
        self.constant(shape, Type::Float, values.into_iter().flat_map(f32::to_le_bytes))
    }

    /// A constant of 64-bit numbers.
    pub(super) fn doubles(&mut self, shape: &[usize], values: impl IntoIterator<Item = f64>) -> String {
        self.constant(shape, Type::Double, values.into_iter().flat_map(f64::to_le_bytes))
    }

    /// A constant of whole numbers.
    pub(super) fn ints(&mut self, shape: &[usize], values: impl IntoIterator<Item = i64>) -> String {
        self.constant(shape, Type::Int64, values.into_iter().flat_map(i64::to_le_bytes))
    }

    /// A constant list of texts.
    pub(super) fn texts(&mut self, values: &[&str]) -> String {
        let name = self.fresh("words");
        let tensor = tensor(&name, &[values.len()], Type::Text);
        self.constants.push(tensor.each(values, |tensor, value| tensor.bytes(6, value)));
        name
    }

    /// Declares an input; a size of 0 stands for the number of rows.
    pub(super) fn input(&mut self, name: &str, element: Type, shape: &[usize]) {
        self.inputs.push(declared(name, element, shape));
    }

    /// Declares an output.
    pub(super) fn output(&mut self, name: &str, element: Type, shape: &[usize]) {
        self.outputs.push(declared(name, element, shape));
    }

    /// The graph as a message.
    pub(super) fn message(self) -> Message {
        Message::default()
            .each(self.nodes, |graph, node| graph.message(1, node))
            .bytes(2, "tree")
            .each(self.constants, |graph, constant| graph.message(5, constant))
            .each(self.inputs, |graph, input| graph.message(11, input))
            .each(self.outputs, |graph, output| graph.message(12, output))
    }

    fn constant(&mut self, shape: &[usize], element: Type, bytes: impl Iterator<Item = u8>) -> String {
        let name = self.fresh("constant");
        self.constants.push(tensor(&name, shape, element).bytes(9, bytes.collect::<Vec<u8>>()));
        name
    }

    fn fresh(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind} {}", self.names)
    }
}

impl Attribute<'_> {
    fn message(&self) -> Message {
        let named = |name: &str, kind: i64| Message::default().bytes(1, name).int(20, kind);
        match self {
            Attribute::Int(name, value) => named(name, 2).int(3, *value),
            Attribute::Text(name, value) => named(name, 3).bytes(4, value),
            Attribute::Floats(name, values) => named(name, 6).each(values, |m, &value| m.float(7, value)),
            Attribute::Ints(name, values) => named(name, 7).each(values, |m, &value| m.int(8, value)),
            Attribute::Texts(name, values) => named(name, 8).each(values, |m, value| m.bytes(9, value)),
        }
    }
}

fn tensor(name: &str, shape: &[usize], element: Type) -> Message {
    Message::default()
        .each(shape, |tensor, &size| tensor.int(1, size as i64))
        .int(2, element as i64)
        .bytes(8, name)
}

fn declared(name: &str, element: Type, shape: &[usize]) -> Message {
    let shape = Message::default().each(shape, |shape, &size| {
        let dimension = match size {
            0 => Message::default().bytes(2, "rows"),
            _ => Message::default().int(1, size as i64),
        };
        shape.message(1, dimension)
    });
    let tensor = Message::default().int(1, element as i64).message(2, shape);
    Message::default().bytes(1, name).message(2, Message::default().message(1, tensor))
}
