//! A build that failed, as a server sees it: which tests failed, how one of them is run again, what the build is
//! compared with, and what was found out in the forms that servers show.
//!
//! The build is never changed and its reports are only read. Nothing here debugs: who calls this runs the tests again
//! under the recorder and says what came of it.

mod annotations;
mod base;
mod build_command;
mod failed_test;
mod findings;
mod markdown;
mod sarif;
mod test_reports;

pub use annotations::annotations;
pub use base::base_revision;
pub use build_command::BuildCommand;
pub use failed_test::FailedTest;
pub use findings::{Blame, FindingKind, TestFinding};
pub use markdown::markdown;
pub use sarif::sarif;
pub use test_reports::{ReportError, failed_tests};
