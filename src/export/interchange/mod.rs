//! A tree in the model formats of other programs: ONNX, XGBoost, PMML.

mod graph;
mod onnx;
mod pmml;
mod predicate;
mod protobuf;
mod xgboost;

pub(super) use onnx::onnx;
pub(super) use pmml::pmml;
pub(super) use xgboost::xgboost;
