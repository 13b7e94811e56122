//! The form in which units travel between workers of one build: bytes that keep every bit of every number.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The value as bytes.
pub(super) fn to_bytes<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).expect("a value in memory can be written to memory")
}

/// Reads a value back; none if the bytes are something else, or more than the value.
pub(super) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::take_from_bytes(bytes).ok().filter(|(_, rest)| rest.is_empty()).map(|(value, _)| value)
}
