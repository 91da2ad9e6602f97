//! What a call was given, rebuilt in source.
//!
//! Every object gets a variable of its own, so that what was shared is shared again.

use std::collections::{BTreeMap, HashMap};

use trace_format::{ObjectId, TraceTime, Value};

use super::collections::Shape;
use super::surface::{Surface, Surfaces};
use super::{Why, literal};
use java_model::heap::{FieldValue, Heap as _, Thing, ThingKind};
use java_model::run::JavaRun;

/// No array or collection of a test is longer.
const MOST_ELEMENTS: usize = 200;
/// No test needs more objects.
const MOST_OBJECTS: usize = 300;

/// Statements that rebuild objects as they were at one time.
pub(super) struct Inputs<'run> {
    pub(super) run: &'run JavaRun,
    pub(super) surfaces: &'run Surfaces<'run>,
    pub(super) at: TraceTime,
    pub(super) package: &'run str,
    pub(super) statements: Vec<String>,
    /// The variable that holds an object.
    pub(super) variables: HashMap<ObjectId, String>,
    /// What variables are called before their number.
    prefix: &'static str,
    /// Objects that are being rebuilt.
    inside: Vec<ObjectId>,
}

impl<'run> Inputs<'run> {
    pub(super) fn new(
        run: &'run JavaRun,
        surfaces: &'run Surfaces<'run>,
        at: TraceTime,
        package: &'run str,
        prefix: &'static str,
    ) -> Self {
        Inputs {
            run,
            surfaces,
            at,
            package,
            statements: Vec::new(),
            variables: HashMap::new(),
            prefix,
            inside: Vec::new(),
        }
    }

    /// An expression for a value in a place of this type.
    pub(super) fn expression(&mut self, value: Value, descriptor: &str) -> Result<String, Why> {
        match value {
            Value::Ref(ObjectId::NULL) => {
                let name = self.surfaces.type_name(descriptor, self.package);
                Ok(format!("({name}) null"))
            }
            Value::Ref(object) => self.object(object),
            plain => Ok(literal::primitive(plain, descriptor)),
        }
    }

    /// An expression for an object, which is made first if it has to be.
    pub(super) fn object(&mut self, object: ObjectId) -> Result<String, Why> {
        if let Some(variable) = self.variables.get(&object) {
            return Ok(variable.clone());
        }
        let thing = self
            .run
            .thing(object)
            .ok_or("an object in it was not described")?;
        if let Some(plain) = self.plain(&thing)? {
            return Ok(plain);
        }
        if self.inside.contains(&object) {
            return Err(format!("a {} in it refers to itself", thing.class));
        }
        if self.variables.len() >= MOST_OBJECTS {
            return Err(format!("it was given more than {MOST_OBJECTS} objects"));
        }
        self.inside.push(object);
        let variable = self.made(object, &thing);
        self.inside.pop();
        let variable = variable?;
        self.variables.insert(object, variable.clone());
        Ok(variable)
    }

    /// Objects that have no identity to speak of.
    fn plain(&self, thing: &Thing) -> Result<Option<String>, Why> {
        Ok(Some(match &thing.kind {
            ThingKind::Text { text, missing: 0 } => literal::string(text),
            ThingKind::Text { .. } => return Err("a string in it was too long to record".into()),
            ThingKind::Boxed(value) => literal::boxed(*value),
            ThingKind::Constant { name } => format!("{}.{name}", self.enum_name(&thing.class)?),
            _ => return Ok(None),
        }))
    }

    fn enum_name(&self, class: &str) -> Result<String, Why> {
        let mut surface = self.surface(class)?;
        if let Some(above) = surface
            .super_name
            .clone()
            .filter(|_| !surface.is_enum_itself())
        {
            surface = self.surface(&above)?;
        }
        surface.usable_from(self.package)?;
        Ok(surface.name.clone())
    }

    fn surface(&self, class: &str) -> Result<std::rc::Rc<Surface>, Why> {
        let internal = class.replace('.', "/");
        let found = self.surfaces.get(&internal);
        found.ok_or_else(|| format!("a {class} cannot be rebuilt"))
    }

    fn made(&mut self, object: ObjectId, thing: &Thing) -> Result<String, Why> {
        if thing.kind == ThingKind::Array {
            return self.array(object, &thing.class);
        }
        match Shape::of(self.run, object, &thing.class, self.at, MOST_ELEMENTS)? {
            Some(shape) => self.collection(&shape),
            None if thing.kind == ThingKind::Fields => self.composed(object, &thing.class),
            None => Err(format!("what a {} holds is not known", thing.class)),
        }
    }

    fn array(&mut self, array: ObjectId, class: &str) -> Result<String, Why> {
        let element = class.strip_prefix('[').unwrap_or(class).replace('.', "/");
        let elements = self.run.elements(array, self.at, 0, MOST_ELEMENTS);
        if elements.length != elements.values.len() as u64 {
            return Err(format!("an array of {} is too long", elements.length));
        }
        let values: Result<Vec<String>, Why> = elements
            .values
            .iter()
            .map(|&value| match value {
                Value::Ref(ObjectId::NULL) => Ok("null".to_owned()),
                value => self.expression(value, &element),
            })
            .collect();
        let values = values?.join(", ");
        let name = self
            .surfaces
            .type_name(&format!("[{element}"), self.package);
        if name.starts_with("Object[") && element.trim_start_matches('[') != "Ljava/lang/Object;" {
            return Err("an array of a class that a test cannot name is in it".to_owned());
        }
        Ok(self.declare(&name, &format!("new {name} {{{values}}}")))
    }

    fn collection(&mut self, shape: &Shape) -> Result<String, Why> {
        let mut values = Vec::new();
        for &value in &shape.values {
            values.push(match value {
                Value::Ref(ObjectId::NULL) => "null".to_owned(),
                value => self.expression(value, "Ljava/lang/Object;")?,
            });
        }
        let (start, filling) = shape.source(&values);
        let variable = self.declare(&shape.class, &start);
        for call in filling {
            self.statements.push(format!("{variable}.{call};"));
        }
        Ok(variable)
    }

    /// An object by a constructor and setters whose code says what they do.
    fn composed(&mut self, object: ObjectId, class: &str) -> Result<String, Why> {
        let surface = self.surface(class)?;
        surface.usable_from(self.package)?;
        if surface.is_abstract {
            return Err(format!("a {class} cannot be rebuilt"));
        }
        let mut fields: BTreeMap<String, FieldValue> = BTreeMap::new();
        for field in self.run.fields(object, self.at).iter() {
            if let Some(other) = fields.insert(field.name.to_string(), field.clone()) {
                return Err(format!("two fields of {class} are called {}", other.name));
            }
        }
        let constructors = self.surfaces.constructors(&surface, self.package);
        if constructors.is_empty() {
            return Err(format!(
                "no constructor of {class} that a test can call does nothing but set fields"
            ));
        }
        let mut why = String::new();
        for constructor in constructors {
            let is_set = |name: &str| constructor.iter().any(|(field, _)| field == name);
            let left: Vec<&FieldValue> = fields
                .values()
                .filter(|field| !is_set(&field.name) && !is_default(field.value))
                .collect();
            if let Some(field) = left.iter().find(|field| self.set(field, "", "").is_none()) {
                why = format!("nothing sets the field {} of {class}", field.name);
                continue;
            }
            let mut arguments = Vec::new();
            for (field, kind) in &constructor {
                let unknown = || format!("what the field {field} of {class} held is not known");
                let held = fields.get(field).ok_or_else(unknown)?;
                arguments.push(self.expression(held.value, kind)?);
            }
            let made = format!("new {}({})", surface.name, arguments.join(", "));
            let variable = self.declare(&surface.name, &made);
            for field in left {
                let value = match field.value {
                    Value::Ref(object) => self.object(object)?,
                    plain => literal::primitive(plain, ""),
                };
                let set = self.set(field, &variable, &value);
                self.statements.extend(set);
            }
            return Ok(variable);
        }
        Err(why)
    }

    /// The statement that sets a field, by what the class that declares it has.
    fn set(&self, field: &FieldValue, object: &str, value: &str) -> Option<String> {
        let owner = self.surfaces.get(&field.owner.replace('.', "/"))?;
        owner.set(object, &field.name, value, self.package)
    }

    fn declare(&mut self, class: &str, value: &str) -> String {
        let variable = format!("{}{}", self.prefix, self.statements.len() + 1);
        self.statements
            .push(format!("{class} {variable} = {value};"));
        variable
    }
}

/// What a field holds that nobody has set.
fn is_default(value: Value) -> bool {
    match value {
        Value::Boolean(truth) => !truth,
        Value::Byte(number) => number == 0,
        Value::Char(unit) => unit == 0,
        Value::Short(number) => number == 0,
        Value::Int(number) => number == 0,
        Value::Float(number) => number.to_bits() == 0,
        Value::Long(number) => number == 0,
        Value::Double(number) => number.to_bits() == 0,
        Value::Ref(object) => object == ObjectId::NULL,
    }
}
