//! The command line from a user's view: the built program, real files, exit status, stdout and stderr.
#![cfg(not(target_arch = "wasm32"))]

mod bench;
mod budget;
mod cluster;
mod compare;
mod interrupt;
mod losses;
mod recipe;
mod refusals;
mod support;
mod train;
mod trees;
