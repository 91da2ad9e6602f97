//! Classes whose source was not found: their methods, with the lines that the line tables of the class files
//! tell, and what the code of each line does, in a few words. It stands where the source would stand, so
//! it lists all classes of the file.

mod deeds;

use std::fmt::Write as _;
use std::ops::Range;

use classfile::{ClassFile, Method};
use java_names::descriptor;
use trace_format::MethodId;

use super::method_code::MethodInfo;
use super::run::{JavaRun, MethodNames};
use java_names::names;

/// Longer methods are cut in an excerpt.
const MOST_LINES: usize = 80;

/// See the module's header.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Listing {
    pub rows: Vec<ListingRow>,
    /// The rows of the method in question.
    pub method: Range<usize>,
}

/// A class, a method, or a line of it.
#[derive(Debug, PartialEq, Eq)]
pub struct ListingRow {
    pub line: Option<u32>,
    pub text: String,
}

/// The classes that were compiled from the same file as a method; `None` if their files are not in the trace.
#[must_use]
pub fn listing(run: &JavaRun, method: MethodId) -> Option<Listing> {
    let wanted = run.method_names(method);
    let file = run.classes().get(wanted.class)?.source_file.as_ref();
    let package = names::package(wanted.class);
    let same_file = run.classes().all().filter(|(name, class)| {
        *name == wanted.class
            || (file.is_some()
                && class.source_file.as_ref() == file
                && names::package(name) == package)
    });
    let mut classes: Vec<Class> = same_file
        .filter_map(|(name, _)| Class::read(run, name))
        .collect();
    classes.sort_by(|one, other| one.place().cmp(&other.place()));
    let mut listing = Listing::default();
    for class in &classes {
        listing.add(class, &wanted);
    }
    Some(listing)
}

/// The lines of a method, each with its number; those in `marked` are pointed at.
#[must_use]
pub fn excerpt(run: &JavaRun, method: MethodId, marked: &[u32]) -> Option<String> {
    let listing = listing(run, method)?;
    let rows = listing.rows.get(listing.method)?;
    let (declared, lines) = rows.split_first()?;
    let width = lines
        .iter()
        .filter_map(|row| row.line)
        .max()?
        .to_string()
        .len();
    let missing = match &run
        .classes()
        .get(run.method_names(method).class)?
        .source_file
    {
        Some(file) => format!("{file} was not found"),
        None => "the source is not known".to_owned(),
    };
    let mut shown = format!(
        "  {}   ({missing}: what its lines do)\n",
        declared.text.trim()
    );
    for row in lines.iter().take(MOST_LINES) {
        let Some(line) = row.line else { continue };
        let mark = if marked.contains(&line) { '>' } else { ' ' };
        let _ = writeln!(shown, "{mark} {line:width$} | {}", row.text.trim());
    }
    if lines.len() > MOST_LINES {
        let _ = writeln!(shown, "  … {} more lines", lines.len() - MOST_LINES);
    }
    Some(shown.trim_end().to_owned())
}

impl Listing {
    fn add(&mut self, class: &Class, wanted: &MethodNames<'_>) {
        if !self.rows.is_empty() {
            self.say("");
        }
        self.say(&class.head);
        for method in &class.methods {
            let is_wanted = class.name == wanted.class
                && method.name == wanted.name
                && method.descriptor == wanted.descriptor;
            if method.is_compiler_made && !is_wanted {
                continue;
            }
            let first = self.rows.len();
            self.say(&format!("  {}", method.head));
            for (line, deeds) in &method.lines {
                self.rows.push(ListingRow {
                    line: Some(*line),
                    text: format!("      {deeds}"),
                });
            }
            if is_wanted {
                self.method = first..self.rows.len();
            }
        }
    }

    fn say(&mut self, text: &str) {
        self.rows.push(ListingRow {
            line: None,
            text: text.to_owned(),
        });
    }
}

struct Class {
    name: String,
    head: String,
    /// In the order of their lines.
    methods: Vec<Listed>,
}

struct Listed {
    name: String,
    descriptor: String,
    head: String,
    is_compiler_made: bool,
    lines: Vec<(u32, String)>,
}

impl Class {
    fn read(run: &JavaRun, name: &str) -> Option<Class> {
        let number = *run.trace().symbols().classes_named(name).first()?;
        let bytes = run.read(run.trace().class_file(number))??;
        let class = ClassFile::parse(&bytes).ok()?;
        let mut methods: Vec<Listed> = (0..class.methods.len())
            .filter_map(|index| Listed::read(&class, index, name))
            .collect();
        methods.sort_by_key(|method| method.lines.first().map_or(u32::MAX, |(line, _)| *line));
        let kind = if class.access.is_interface() {
            "interface"
        } else {
            "class"
        };
        Some(Class {
            head: format!("{kind} {}", names::nested(&names::class(name))),
            name: name.to_owned(),
            methods,
        })
    }

    /// Where it stands among the classes of its file: an inner class comes after the one around it.
    fn place(&self) -> (usize, u32, &str) {
        let first = self.methods.iter().find_map(|method| method.lines.first());
        let depth = self.name.matches('$').count();
        (depth, first.map_or(u32::MAX, |(line, _)| *line), &self.name)
    }
}

impl Listed {
    /// A method that has code.
    fn read(class: &ClassFile, index: usize, owner: &str) -> Option<Listed> {
        let method = class.methods.get(index)?;
        let code = class.code(method).ok()??;
        let about = MethodInfo::of(class, index);
        let name = class.method_name(method).ok()?.into_owned();
        let descriptor = class.method_descriptor(method).ok()?.into_owned();
        let mut head = signature(method, owner, &name, &descriptor, &about.parameters);
        match (about.lines.first(), about.lines.last()) {
            (Some(first), Some(last)) if first == last => {
                let _ = write!(head, "   line {first}");
            }
            (Some(first), Some(last)) => {
                let _ = write!(head, "   lines {first}–{last}");
            }
            _ => head.push_str("   without line numbers"),
        }
        Some(Listed {
            lines: deeds::deeds_by_line(class, owner, &code),
            is_compiler_made: about.compiler_made,
            name,
            descriptor,
            head,
        })
    }
}

/// A method as its declaration would say it: `static int add(Item item, int n)`.
fn signature(
    method: &Method,
    owner: &str,
    name: &str,
    descriptor: &str,
    parameters: &[String],
) -> String {
    if name == "<clinit>" {
        return "static initialiser".to_owned();
    }
    let Ok(types) = descriptor::parse_method(descriptor) else {
        return names::method(owner, name);
    };
    let given = types.parameters.iter().zip(parameters);
    let given: Vec<String> = given
        .map(|(kind, name)| format!("{} {name}", names::java_type(*kind)))
        .collect();
    let given = given.join(", ");
    if name == "<init>" {
        return format!("{}({given})", names::simple_class(owner));
    }
    if names::lambda_host(name).is_some() {
        return format!("{}({given})", names::method(owner, name));
    }
    let fixed = if method.access.is_static() {
        "static "
    } else {
        ""
    };
    let result = names::java_type(types.result);
    format!("{fixed}{result} {}({given})", names::method(owner, name))
}
