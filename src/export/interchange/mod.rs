//! A tree in the formats of other programs' models: ONNX, XGBoost, PMML.

mod graph;
mod onnx;
mod pmml;
mod predicate;
mod protobuf;
mod xgboost;

pub use onnx::onnx;
pub use pmml::pmml;
pub use xgboost::xgboost;
