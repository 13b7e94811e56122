//! Espalier.
