//! The tests of the engine, as one program: what they share is compiled and linked once.

mod agent;
mod belief;
mod dialogue;
mod dont_know;
mod evaluation;
mod finds_the_bug;
mod icicle;
mod knowledge;
mod loops;
mod model;
mod numbers;
mod optima;
mod question_length;
mod ranges;
mod reading;
mod recursion;
mod rendering;
mod revision;
mod search_space;
mod support;
mod suspicion;
mod transformations;
mod wide_nodes;
