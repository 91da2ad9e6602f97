//! Where code is written: a file that is found, or what the class files tell in its place.
//!
//! No path from a client opens a file: a client reads files by itself, and is told only what has none.

use std::collections::BTreeMap;
use std::path::PathBuf;

use java_model::listing;
use java_model::run::JavaRun;
use java_model::source_text;
use java_names::names;
use serde_json::{Value, json};
use time_travel::frames::Frame;
use trace_format::MethodId;

use crate::requests::{LocationsArguments, SourceLineArguments};
use crate::session::{Answer, Session};

impl Session<'_> {
    pub(crate) fn file_of(&mut self, run: &JavaRun, method: MethodId) -> Option<PathBuf> {
        let known = self.files.entry(method).or_insert_with(|| {
            let found = source_text::file_of(run, method)?;
            std::path::absolute(found).ok()
        });
        known.clone()
    }

    /// The source that a frame stands in, and the line as the client counts.
    pub(crate) fn source_place(&mut self, run: &JavaRun, frame: &Frame) -> (Option<Value>, i64) {
        let method = run.method(frame.node());
        let line = frame
            .moment
            .line
            .or_else(|| run.code(method).lines.first().copied());
        let count = |line: u32| i64::from(line) - 1 + self.first_line;
        let shown = line.map_or(0, count);
        if let Some(file) = self.file_of(run, method) {
            let name = file
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            let source = json!({"name": name, "path": file.display().to_string()});
            return (Some(source), shown);
        }
        let Some(found) = listing::listing(run, method) else {
            return (None, 0);
        };
        let rows = found.rows.get(found.method.clone()).unwrap_or_default();
        let row = line.and_then(|line| rows.iter().rposition(|row| row.line == Some(line)));
        let row = found.method.start + row.unwrap_or(0);
        let source = json!({
            "name": listed_name(run, method),
            "sourceReference": method.0 + 1,
            "origin": "from class files",
        });
        let first = self.first_line;
        (Some(source), i64::try_from(row).unwrap_or(0) + first)
    }

    pub(crate) fn source(&mut self, wanted: &SourceLineArguments) -> Answer {
        let held = self.held()?;
        let run = held.run()?;
        let number = wanted
            .source
            .source_reference
            .unwrap_or(wanted.source_reference);
        let mut methods = run.methods();
        let method = methods.find(|method| Some(method.0) == number.checked_sub(1));
        let found = method.and_then(|method| listing::listing(run, method));
        let found = found.ok_or("there is no such source")?;
        let rows: Vec<&str> = found.rows.iter().map(|row| row.text.as_str()).collect();
        Ok(json!({"content": rows.join("\n"), "mimeType": "text/x-java"}))
    }

    pub(crate) fn loaded_sources(&mut self) -> Answer {
        let held = self.held()?;
        let run = held.run()?;
        let mut files: BTreeMap<String, Value> = BTreeMap::new();
        for method in run.methods() {
            let Some(file) = self.file_of(run, method) else {
                continue;
            };
            let (path, name) = (file.display().to_string(), file.file_name());
            let name = name.map(|name| name.to_string_lossy().into_owned());
            files
                .entry(path.clone())
                .or_insert_with(|| json!({"name": name, "path": path}));
        }
        Ok(json!({"sources": files.into_values().collect::<Vec<Value>>()}))
    }

    /// The line that wrote a value.
    pub(crate) fn locations(&mut self, wanted: &LocationsArguments) -> Answer {
        let held = self.held()?;
        let found = self.handles.write(wanted.location_reference).cloned();
        let (variable, before) = found.ok_or("there is no such place any more")?;
        let write = held.traveller()?.last_write(&variable, &before);
        let write = write.ok_or("recorded code did not write it before")?;
        let (source, line) = self.source_place(held.run()?, &Frame::of(&write));
        let source = source.ok_or("the source of the line that wrote it is not known")?;
        Ok(json!({"source": source, "line": line, "column": self.first_column}))
    }
}

fn listed_name(run: &JavaRun, method: MethodId) -> String {
    let class = run.method_names(method).class;
    let file = run
        .classes()
        .get(class)
        .and_then(|class| class.source_file.clone());
    file.unwrap_or_else(|| names::simple_class(class).to_string())
}
