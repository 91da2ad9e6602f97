//! Expressions over recorded state: names, fields, elements, operators.
//!
//! Nothing runs. What would have to run, a call, is refused with a sentence, but for a few methods of strings, which
//! need nothing but the text, and those that do nothing but give a field back.

use java_analysis::variable::{self, FoundVariable, PathError, Variable};
use java_model::heap::{Heap as _, ThingKind};
use java_model::run::JavaRun;
use java_model::shown;
use java_names::names;
use trace_format::{MethodId, ObjectId, Value};

use crate::arithmetic;
use crate::frames::{self, CallVariables, Frame, FrameVariable};
use crate::java_value::JavaValue;
use crate::strings::{self, Given, Made};
use crate::syntax::{BinaryOperator, Literal, Node};

/// An expression's value, and the variable that it names if it names one.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    pub value: JavaValue,
    pub variable: Option<Variable>,
}

impl Evaluated {
    pub(crate) fn is_true(&self) -> bool {
        self.value == JavaValue::Known(Value::Boolean(true))
    }
}

/// Why an expression has no value, as one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EvaluationError(String);

impl From<PathError> for EvaluationError {
    fn from(error: PathError) -> Self {
        EvaluationError(format!("{}; {}", error.sentence, error.hint))
    }
}

fn refused(sentence: impl Into<String>) -> EvaluationError {
    EvaluationError(sentence.into())
}

pub(crate) struct Evaluation<'run, 'frame> {
    run: &'run JavaRun,
    frame: &'frame Frame,
    variables: Vec<FrameVariable>,
}

type Outcome = Result<Evaluated, EvaluationError>;

fn plain(value: Value) -> Evaluated {
    Evaluated {
        value: JavaValue::Known(value),
        variable: None,
    }
}

fn text(text: String) -> Evaluated {
    Evaluated {
        value: JavaValue::Text(text),
        variable: None,
    }
}

impl<'run, 'frame> Evaluation<'run, 'frame> {
    pub(crate) fn new(variables: &mut CallVariables<'run>, frame: &'frame Frame) -> Self {
        Evaluation {
            run: variables.traveller().run(),
            frame,
            variables: variables.of(frame),
        }
    }

    pub(crate) fn value(&self, node: &Node) -> Outcome {
        match node {
            Node::Literal(literal) => Ok(constant(literal)),
            Node::Name(name) => self.name(name),
            Node::Object(number) => {
                let object = variable::object_numbered(self.run, *number)?;
                Ok(plain(Value::Ref(object)))
            }
            Node::Field(whole, name) => self.field(whole, name),
            Node::Element(whole, index) => self.element(whole, index),
            Node::Call(whole, name, arguments) => self.call(whole.as_deref(), name, arguments),
            Node::Unary(operator, operand) => {
                let operand = self.unboxed(&self.value(operand)?)?;
                let result = arithmetic::unary(*operator, operand);
                result
                    .map(plain)
                    .ok_or_else(|| refused("the operator does not go with this value"))
            }
            Node::Binary(operator, left, right) => self.binary(*operator, left, right),
            Node::InstanceOf(value, class) => self.instance_of(value, class),
            Node::Conditional(condition, yes, no) => {
                match self.unboxed(&self.value(condition)?)? {
                    Value::Boolean(true) => self.value(yes),
                    Value::Boolean(false) => self.value(no),
                    _ => Err(refused("a condition is a truth value")),
                }
            }
        }
    }

    /// A variable of the frame, a field of `this`, a static of the class or of one around it.
    fn name(&self, name: &str) -> Outcome {
        if let Some(found) = self.variables.iter().rev().find(|found| found.name == name) {
            return match &found.value {
                Ok(value) => Ok(Evaluated {
                    value: value.clone(),
                    variable: Some(self.frame.variable(name)),
                }),
                Err(why) => Err(refused(format!("{name} is {why}"))),
            };
        }
        if let Some(this) = self.this()
            && let Ok(found) = self.field_of("this", this, name)
        {
            return Ok(found);
        }
        let class = self
            .run
            .method_names(self.run.method(self.frame.node()))
            .class;
        let mut class = names::class(class);
        loop {
            if let Some(found) = variable::static_of(self.run, &class, name, self.frame.time) {
                return known(found);
            }
            match class.rsplit_once(['$', '.']) {
                Some((around, _)) if class.contains('$') => class = around.to_owned(),
                _ => break,
            }
        }
        let is_known = frames::is_declared(self.run, self.frame, name);
        Err(refused(match is_known {
            true => format!("{name} has no value here"),
            false if name == "this" => "there is no object here: the method is static".to_owned(),
            false if self.is_recorded_class(name) => format!("{name} is a class and no value"),
            false => format!("there is no variable {name} here"),
        }))
    }

    fn this(&self) -> Option<ObjectId> {
        let this = self.variables.iter().find(|found| found.name == "this");
        match this?.value {
            Ok(JavaValue::Known(Value::Ref(object))) => Some(object),
            _ => None,
        }
    }

    fn field(&self, whole: &Node, name: &str) -> Outcome {
        let found = match self.value(whole) {
            Ok(found) => found,
            // A class is no value, but has statics.
            Err(error) => {
                let Some(class) = class_path(whole) else {
                    return Err(error);
                };
                let of_class = variable::static_of(self.run, &class, name, self.frame.time);
                return match of_class {
                    Some(found) => known(found),
                    None if self.is_recorded_class(&class) => Err(refused(format!(
                        "no recorded code names a static {class}.{name}"
                    ))),
                    None => Err(error),
                };
            }
        };
        let object = self.object(&found, name)?;
        if name == "length"
            && let Ok(Some(length)) = self.run.trace().array_length(object)
        {
            return Ok(plain(Value::Int(i32::try_from(length).unwrap_or(i32::MAX))));
        }
        self.field_of(&shown::object_name(self.run, object), object, name)
    }

    /// Whether this names a class, with its package or without.
    fn is_recorded_class(&self, name: &str) -> bool {
        let mut classes = self.run.trace().symbols().classes();
        classes.any(|class| {
            let full = names::class(&class.name);
            full == name || names::simple_class(&class.name) == name
        })
    }

    fn field_of(&self, label: &str, object: ObjectId, name: &str) -> Outcome {
        known(variable::field_of(
            self.run,
            label,
            object,
            name,
            self.frame.time,
        )?)
    }

    fn element(&self, whole: &Node, index: &Node) -> Outcome {
        let whole = self.value(whole)?;
        let object = self.object(&whole, "an element")?;
        let index = match self.unboxed(&self.value(index)?)? {
            Value::Int(index) => index,
            Value::Byte(index) => index.into(),
            Value::Short(index) => index.into(),
            Value::Char(index) => index.into(),
            _ => return Err(refused("an index is an int")),
        };
        let label = shown::object_name(self.run, object);
        let index =
            u32::try_from(index).map_err(|_| refused(format!("{label} has no element {index}")))?;
        known(variable::element_of(
            self.run,
            &label,
            object,
            index,
            self.frame.time,
        )?)
    }

    /// The object that something is to be taken from.
    fn object(&self, whole: &Evaluated, part: &str) -> Result<ObjectId, EvaluationError> {
        match &whole.value {
            JavaValue::Known(Value::Ref(object)) if object.is_null() => {
                Err(refused(format!("it is null, so it has no {part}")))
            }
            JavaValue::Known(Value::Ref(object)) => Ok(*object),
            _ => Err(refused(format!("it is no object, so it has no {part}"))),
        }
    }

    fn call(&self, whole: Option<&Node>, name: &str, arguments: &[Node]) -> Outcome {
        let cannot = || {
            refused(format!(
                "a recorded run cannot call {name}(); fields, elements and operators can be evaluated"
            ))
        };
        let whole = match whole {
            Some(whole) => self.value(whole)?,
            None => plain(Value::Ref(self.this().ok_or_else(cannot)?)),
        };
        if let JavaValue::Known(Value::Ref(object)) = whole.value
            && arguments.is_empty()
            && let Some(field) = field_given_by(self.run, object, name)
        {
            return self.field_of(&shown::object_name(self.run, object), object, &field);
        }
        let own = self.string(&whole.value).ok_or_else(cannot)?;
        let given = arguments.iter().map(|node| {
            let found = self.value(node)?;
            Ok(match (self.string(&found.value), self.unboxed(&found)) {
                (Some(text), _) => Given::Text(text),
                (None, Ok(Value::Int(number))) => Given::Number(number),
                (None, Ok(Value::Char(unit))) => Given::Number(unit.into()),
                _ => Given::Other,
            })
        });
        let given: Result<Vec<Given>, EvaluationError> = given.collect();
        match strings::call(&own, name, &given?).ok_or_else(cannot)? {
            Ok(Made::Text(made)) => Ok(text(made)),
            Ok(Made::Value(value)) => Ok(plain(value)),
            Err(sentence) => Err(refused(sentence)),
        }
    }

    /// The text of a string, if all of it is recorded.
    fn string(&self, value: &JavaValue) -> Option<String> {
        match value {
            JavaValue::Text(text) => Some(text.clone()),
            JavaValue::Known(Value::Ref(object)) if !object.is_null() => {
                match self.run.thing(*object)?.kind {
                    ThingKind::Text { text, missing: 0 } => Some(text),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The value inside an `Integer`, a `Character`, …
    fn unboxed(&self, found: &Evaluated) -> Result<Value, EvaluationError> {
        match &found.value {
            JavaValue::Known(Value::Ref(object)) if object.is_null() => {
                Err(refused("it is null, which no operator takes"))
            }
            JavaValue::Known(Value::Ref(object)) => {
                match self.run.thing(*object).map(|thing| thing.kind) {
                    Some(ThingKind::Boxed(value)) => Ok(value),
                    _ => Err(refused("operators take numbers, truth values and strings")),
                }
            }
            JavaValue::Known(value) => Ok(*value),
            JavaValue::Text(_) | JavaValue::Class(_) => {
                Err(refused("operators take numbers, truth values and strings"))
            }
        }
    }

    fn binary(&self, operator: BinaryOperator, left: &Node, right: &Node) -> Outcome {
        use BinaryOperator as Op;
        let left = self.value(left)?;
        if let (Op::And, false) | (Op::Or, true) = (operator, left.is_true())
            && matches!(left.value, JavaValue::Known(Value::Boolean(_)))
        {
            return Ok(left);
        }
        let right = self.value(right)?;
        if operator == Op::Add && (self.is_string(&left) || self.is_string(&right)) {
            return Ok(text(self.said(&left)? + &self.said(&right)?));
        }
        if let Op::Equal | Op::NotEqual = operator
            && let Some(are_same) = self.are_same(&left, &right)?
        {
            return Ok(plain(Value::Boolean(are_same == (operator == Op::Equal))));
        }
        let operands = (self.unboxed(&left)?, self.unboxed(&right)?);
        match arithmetic::binary(operator, operands.0, operands.1) {
            Ok(Some(value)) => Ok(plain(value)),
            Ok(None) => Err(refused("the operator does not go with these values")),
            Err(thrown) => Err(refused(format!("it would throw {thrown}"))),
        }
    }

    /// Whether two references are the same; `None` if they are not both references.
    fn are_same(
        &self,
        left: &Evaluated,
        right: &Evaluated,
    ) -> Result<Option<bool>, EvaluationError> {
        let is_reference = |found: &Evaluated| !matches!(&found.value, JavaValue::Known(value) if !matches!(value, Value::Ref(_)));
        if !is_reference(left) || !is_reference(right) {
            return Ok(None);
        }
        Ok(Some(match (&left.value, &right.value) {
            (JavaValue::Known(left), JavaValue::Known(right)) => left == right,
            (JavaValue::Class(left), JavaValue::Class(right)) => left == right,
            (JavaValue::Known(Value::Ref(ObjectId::NULL)), _)
            | (_, JavaValue::Known(Value::Ref(ObjectId::NULL))) => false,
            // Whether it is the same object is not known; the same text is what somebody means.
            _ => match (self.string(&left.value), self.string(&right.value)) {
                (Some(left), Some(right)) => left == right,
                _ => return Err(refused("whether these are the same object is not recorded")),
            },
        }))
    }

    fn is_string(&self, found: &Evaluated) -> bool {
        match &found.value {
            JavaValue::Text(_) => true,
            JavaValue::Known(Value::Ref(object)) => {
                shown::class_of(self.run, *object).as_deref() == Some("java.lang.String")
            }
            _ => false,
        }
    }

    /// A value as string concatenation writes it.
    fn said(&self, found: &Evaluated) -> Result<String, EvaluationError> {
        if let Some(text) = self.string(&found.value) {
            return Ok(text);
        }
        match &found.value {
            JavaValue::Known(Value::Ref(ObjectId::NULL)) => return Ok("null".to_owned()),
            JavaValue::Class(name) => return Ok(format!("class {name}")),
            _ => {}
        }
        let value = self
            .unboxed(found)
            .map_err(|_| refused("a recorded run cannot call toString()"))?;
        Ok(match value {
            Value::Char(unit) => String::from_utf16_lossy(&[unit]),
            other => debug_engine::view::render::value(
                &shown::value(self.run, other, self.frame.time, shown::BRIEF),
                shown::BRIEF,
            ),
        })
    }

    fn instance_of(&self, value: &Node, class: &str) -> Outcome {
        let found = self.value(value)?;
        let truth = |holds| Ok(plain(Value::Boolean(holds)));
        let object = match &found.value {
            JavaValue::Known(Value::Ref(ObjectId::NULL)) => return truth(false),
            JavaValue::Known(Value::Ref(object)) => *object,
            JavaValue::Text(_) => return truth(matches!(class, "String" | "java.lang.String")),
            _ => return Err(refused("instanceof takes objects")),
        };
        let Some(own) = shown::class_of(self.run, object) else {
            return Err(refused("the class of this object is not recorded"));
        };
        match is_subtype(self.run, &own, class) {
            Some(holds) => truth(holds),
            None => Err(refused(format!(
                "it is of class {own}; whether that is a {class} is not recorded"
            ))),
        }
    }
}

fn known(found: FoundVariable) -> Outcome {
    match found.value {
        Some(value) => Ok(Evaluated {
            value: JavaValue::Known(value),
            variable: Some(found.variable),
        }),
        None => Err(refused(format!("what {} held is not known", found.label))),
    }
}

fn constant(literal: &Literal) -> Evaluated {
    plain(match literal {
        Literal::Null => Value::NULL,
        Literal::Boolean(value) => Value::Boolean(*value),
        Literal::Char(unit) => Value::Char(*unit),
        Literal::Int(value) => Value::Int(*value),
        Literal::Long(value) => Value::Long(*value),
        Literal::Float(value) => Value::Float(*value),
        Literal::Double(value) => Value::Double(*value),
        Literal::Text(content) => return text(content.clone()),
    })
}

/// `a.b.C` as the name of a class.
fn class_path(node: &Node) -> Option<String> {
    match node {
        Node::Name(name) => Some(name.clone()),
        Node::Field(whole, name) => Some(format!("{}.{name}", class_path(whole)?)),
        _ => None,
    }
}

/// The field that a method without parameters gives back, if that is all that it does.
fn field_given_by(run: &JavaRun, object: ObjectId, name: &str) -> Option<String> {
    let mut class = names::internal(&shown::class_of(run, object)?);
    let mut above = Vec::new();
    let method = loop {
        let is_it = |method: &MethodId| {
            let found = run.method_names(*method);
            found.class == class && found.name == name && found.descriptor.starts_with("()")
        };
        if let Some(method) = run.methods().find(is_it) {
            break method;
        }
        let declared = run.classes().get(&class)?;
        above.push(std::mem::replace(&mut class, declared.super_name.clone()?));
    };
    let code = run.program().code(run.trace(), method).ok()?;
    let [load, get, end] = code.instructions() else {
        return None;
    };
    let gives =
        load.name() == "aload_0" && get.name() == "getfield" && end.name().ends_with("return");
    let field = code.field_of(1).filter(|_| gives)?.name.clone();
    // Where a class hides a field of the one above, a name does not say which is meant.
    let hides = |class: &String| {
        let declared = run.classes().get(class);
        declared.is_none_or(|class| class.fields.iter().any(|known| known.name == field))
    };
    (!above.iter().any(hides)).then_some(field)
}

/// Whether a class is another or below it; `None` if not all that is above it is recorded.
fn is_subtype(run: &JavaRun, own: &str, wanted: &str) -> Option<bool> {
    // `Shape` and `Outer.Shape` mean `shop.Outer$Shape` too.
    let nested = format!(".{wanted}");
    let is_it = |internal: &str| {
        let name = names::class(internal).replace('$', ".");
        name == wanted || name.ends_with(&nested)
    };
    let mut is_sure = true;
    let mut open = vec![names::internal(own)];
    let mut seen = 0;
    while let Some(class) = open.pop() {
        seen += 1;
        if is_it(&class) || wanted == "Object" {
            return Some(true);
        }
        match run.classes().get(&class) {
            Some(declared) if seen < 1000 => {
                open.extend(declared.super_name.clone());
                open.extend(declared.interfaces.iter().cloned());
            }
            _ => is_sure &= class == "java/lang/Object",
        }
    }
    is_sure.then_some(false)
}
