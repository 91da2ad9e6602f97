//! The machine on which something is measured.

use std::fs;

use test_support::Jdk;

/// What the numbers depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    pub cores: usize,
    pub processor: Option<String>,
    pub memory_gib: Option<u64>,
    pub jdk: String,
}

impl Machine {
    pub fn this(jdk: &Jdk) -> Machine {
        let field = |file: &str, key: &str| {
            let text = fs::read_to_string(file).ok()?;
            let line = text.lines().find(|line| line.starts_with(key))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let memory = field("/proc/meminfo", "MemTotal")
            .and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok());
        Machine {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            processor: field("/proc/cpuinfo", "model name"),
            memory_gib: memory.map(|kib| kib.div_ceil(1 << 20)),
            jdk: jdk.full_version().to_owned(),
        }
    }

    pub fn describe(&self) -> String {
        let mut text = format!("{} cores", self.cores);
        if let Some(processor) = &self.processor {
            text += &format!(" ({processor})");
        }
        if let Some(memory) = self.memory_gib {
            text += &format!(", {memory} GiB of memory");
        }
        text + &format!(", JDK {}", self.jdk)
    }
}
