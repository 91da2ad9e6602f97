//! The recorder's library as bytes, so that the tool is one file: whoever has the executable can record.
//!
//! A JVM loads a library from a file, so somebody has to write it to one; that is not done here. Cargo cannot put the
//! library of one crate into another, so the build script builds it with a cargo of its own.

/// What a JVM loads.
pub const BYTES: &[u8] = include_bytes!(env!("ASKANCE_RECORDER"));

/// Tells libraries of different content apart. It is a name, not a proof: compare the bytes.
pub const FINGERPRINT: &str = env!("ASKANCE_RECORDER_FINGERPRINT");
