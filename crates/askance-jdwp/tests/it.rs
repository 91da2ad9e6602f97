//! The tests of the wire protocol, as one program.

mod strangers;
