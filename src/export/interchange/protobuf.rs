//! The part of the protocol buffers wire format that an ONNX file needs.

/// A message that is written field by field.
#[derive(Debug, Clone, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    /// The bytes.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Adds an integer.
    pub(super) fn int(mut self, field: u32, value: i64) -> Message {
        self.key(field, 0);
        self.varint(value as u64);
        self
    }

    /// Adds a 32-bit float.
    pub(super) fn float(mut self, field: u32, value: f32) -> Message {
        self.key(field, 5);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// Adds text or bytes.
    pub(super) fn bytes(mut self, field: u32, value: impl AsRef<[u8]>) -> Message {
        self.key(field, 2);
        self.varint(value.as_ref().len() as u64);
        self.0.extend(value.as_ref());
        self
    }

    /// Adds a nested message.
    pub(super) fn message(self, field: u32, value: Message) -> Message {
        self.bytes(field, value.0)
    }

    /// Adds several values of one field.
    pub(super) fn each<T>(
        self,
        values: impl IntoIterator<Item = T>,
        add: impl Fn(Message, T) -> Message,
    ) -> Message {
        values.into_iter().fold(self, add)
    }

    fn key(&mut self, field: u32, wire_type: u64) {
        self.varint(u64::from(field) << 3 | wire_type);
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_the_encoding_guide_shows() {
        assert_eq!(Message::default().int(1, 150).into_bytes(), [0x08, 0x96, 0x01]);
        assert_eq!(
            Message::default().bytes(2, "testing").into_bytes(),
            [0x12, 7, b't', b'e', b's', b't', b'i', b'n', b'g']
        );
        assert_eq!(Message::default().int(1, -1).into_bytes().len(), 11);
        let nested = Message::default().message(3, Message::default().int(1, 150));
        assert_eq!(nested.into_bytes(), [0x1a, 3, 0x08, 0x96, 0x01]);
    }
}
