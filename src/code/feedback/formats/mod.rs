//! One file per format of output.

mod cargo_json;
mod compilers;
mod eslint;
mod go;
mod jest;
mod json;
pub(super) mod junit;
mod libtest;
mod node;
mod node_test;
mod pytest;
mod rustc;
mod tap;
mod traceback;
mod tsc;
mod unittest;
mod vitest;

use super::chain::OutputParser;

/// Returns a parser for each format; those with the narrower shapes stand first.
pub(super) fn all() -> Vec<Box<dyn OutputParser>> {
    vec![
        Box::new(json::JsonLines::default()),
        Box::new(libtest::Libtest::default()),
        Box::new(pytest::Pytest::default()),
        Box::new(unittest::Unittest::default()),
        Box::new(go::GoTest::default()),
        Box::new(vitest::Vitest::default()),
        Box::new(jest::Jest::default()),
        Box::new(tap::Tap::default()),
        Box::new(node_test::NodeTest::default()),
        Box::new(traceback::Tracebacks::default()),
        Box::new(node::NodeCrash::default()),
        Box::new(rustc::Rustc::default()),
        Box::new(tsc::Tsc::default()),
        Box::new(eslint::Stylish::default()),
        Box::new(compilers::Compilers::default()),
    ]
}
