//! A tree in the model formats of other programs: ONNX, XGBoost, PMML.

mod graph;
mod onnx;
mod pmml;
mod predicate;
mod protobuf;
mod xgboost;

pub use onnx::onnx;
pub use pmml::pmml;
pub use xgboost::xgboost;
