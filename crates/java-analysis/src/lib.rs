//! What can be worked out about a recorded run of a Java program, beyond what its calls were given and did: the
//! moments inside a call, what a variable held when, where a value comes from, which lines made it, what a failed
//! test shows.
//!
//! [`recording`] is what sessions need of a run, wherever it comes from; [`moment`] and [`variable`] are the inside
//! of a call; [`slice`](why), [`history`] and [`lines`] follow values through it. Nothing here judges a call.

mod asserted;
pub mod background_coverage;
pub mod belief;
mod belief_options;
pub mod call_range_view;
pub mod calls;
pub mod class_loading;
mod code_spectrum;
mod control;
pub mod coverage;
pub mod events;
mod expectation;
mod frames;
pub mod happening;
pub mod history;
mod holder;
pub mod inside;
pub mod library_calls;
mod library_objects;
pub mod lines;
mod lines_apart;
mod links;
pub mod moment;
pub mod moment_view;
pub mod origins;
pub mod output_symptom;
mod path;
pub mod questions;
pub mod reading;
mod recorded_run;
pub mod recording;
pub mod relevance;
mod slice;
pub mod stepping;
pub mod symptom;
pub mod variable;
mod waypoints;
pub mod why;
