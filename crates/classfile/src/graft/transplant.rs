//! Constants of one class file in another, and bootstrap methods with them.

use std::collections::HashMap;

use super::{GraftError, Renaming, Text};
use crate::attribute::{counted, list};
use crate::bytes::{Reader, Writer};
use crate::pool::Constant;
use crate::{Attribute, ClassFile, ConstantPool, MemberRef, Method, ParseError};

/// A dynamic constant may be made of others; a damaged file could make one of itself.
const DEEPEST: u32 = 16;

const ATTRIBUTE: &str = "BootstrapMethods";

/// Carries constants over.
#[derive(Debug)]
pub(super) struct Transplant<'d> {
    donor: &'d ClassFile,
    renaming: &'d Renaming,
    name: String,
    /// The donor's bootstrap methods.
    given: Vec<Bootstrap>,
    /// The host's, with those that were carried over behind them.
    taken: Vec<Bootstrap>,
    /// How many of them the host had.
    own: usize,
    /// Where a constant, and a bootstrap method, of the donor's has come to lie.
    constants: HashMap<u16, u16>,
    bootstraps: HashMap<u16, u16>,
    deeper: u32,
}

/// A bootstrap method: its handle, and what it is given.
#[derive(Debug, Clone)]
struct Bootstrap {
    handle: u16,
    arguments: Vec<u16>,
}

impl<'d> Transplant<'d> {
    pub(super) fn new(
        host: &ClassFile,
        donor: &'d ClassFile,
        renaming: &'d Renaming,
    ) -> Result<Self, ParseError> {
        let taken = bootstraps(host)?;
        Ok(Transplant {
            donor,
            renaming,
            name: donor.name()?.into_owned(),
            given: bootstraps(donor)?,
            own: taken.len(),
            taken,
            constants: HashMap::new(),
            bootstraps: HashMap::new(),
            deeper: DEEPEST,
        })
    }

    pub(super) fn donor(&self) -> &'d ClassFile {
        self.donor
    }

    pub(super) fn renaming(&self) -> &'d Renaming {
        self.renaming
    }

    /// Name and descriptor of a method of the donor's, in the host's names.
    pub(super) fn method_names(&self, method: &Method) -> Result<(Text<'d>, Text<'d>), ParseError> {
        let name = self.donor.method_name(method)?;
        let descriptor = self.donor.method_descriptor(method)?;
        let new = self.renaming.method(&self.name, &name, &descriptor);
        let new = new.into_owned().into();
        let descriptor = self.renaming.descriptor(&descriptor).into_owned().into();
        Ok((new, descriptor))
    }

    /// A text that is a descriptor or a signature.
    pub(super) fn descriptor(&self, pool: &mut ConstantPool, utf8: u16) -> Result<u16, GraftError> {
        let text = self.donor.constants.utf8(utf8)?;
        Ok(pool.add_utf8(&self.renaming.descriptor(&text))?)
    }

    /// Any constant; 0, which stands for none, stays.
    pub(super) fn constant(
        &mut self,
        pool: &mut ConstantPool,
        index: u16,
    ) -> Result<u16, GraftError> {
        if index == 0 {
            return Ok(0);
        }
        if let Some(&known) = self.constants.get(&index) {
            return Ok(known);
        }
        self.deeper = self.deeper.checked_sub(1).ok_or(ParseError::BadConstant {
            index,
            expected: "made of others to such a depth",
        })?;
        let new = self.carried(pool, index);
        self.deeper += 1;
        let new = new?;
        self.constants.insert(index, new);
        Ok(new)
    }

    fn carried(&mut self, pool: &mut ConstantPool, index: u16) -> Result<u16, GraftError> {
        let donor = &self.donor.constants;
        Ok(match donor.get(index)? {
            Constant::Utf8(bytes) => pool.add_utf8_bytes(bytes)?,
            Constant::Integer(value) => pool.add_integer(value)?,
            Constant::Float(value) => pool.add_float(value)?,
            Constant::Long(value) => pool.add_long(value)?,
            Constant::Double(value) => pool.add_double(value)?,
            Constant::Class { name } => {
                let name = donor.utf8(name)?;
                pool.add_class(&self.renaming.class(&name))?
            }
            Constant::String { utf8 } => {
                let text = pool.add_utf8_bytes(donor.utf8_bytes(utf8)?)?;
                pool.add_string_of(text)?
            }
            Constant::Fieldref { .. } => {
                let MemberRef {
                    owner,
                    name,
                    descriptor,
                } = donor.member_ref(index)?;
                let name = self.renaming.field(&owner, &name, &descriptor);
                let descriptor = self.renaming.descriptor(&descriptor);
                pool.add_field_ref(&self.renaming.class(&owner), &name, &descriptor)?
            }
            Constant::Methodref { .. } => {
                let (owner, name, descriptor) = self.method_ref(index)?;
                pool.add_method_ref(&owner, &name, &descriptor)?
            }
            Constant::InterfaceMethodref { .. } => {
                let (owner, name, descriptor) = self.method_ref(index)?;
                pool.add_interface_method_ref(&owner, &name, &descriptor)?
            }
            Constant::NameAndType { name, descriptor } => {
                let descriptor = donor.utf8(descriptor)?;
                let name = donor.utf8(name)?;
                pool.add_name_and_type(&name, &self.renaming.descriptor(&descriptor))?
            }
            Constant::MethodHandle { kind, reference } => {
                let reference = self.constant(pool, reference)?;
                pool.add_method_handle(kind, reference)?
            }
            Constant::MethodType { descriptor } => {
                let descriptor = self.descriptor(pool, descriptor)?;
                pool.add_method_type(descriptor)?
            }
            Constant::Dynamic {
                bootstrap,
                name_and_type,
            } => {
                let name_and_type = self.constant(pool, name_and_type)?;
                let bootstrap = self.bootstrap(pool, bootstrap)?;
                pool.add_dynamic(bootstrap, name_and_type)?
            }
            Constant::InvokeDynamic {
                bootstrap,
                name_and_type,
            } => {
                let name_and_type = self.constant(pool, name_and_type)?;
                let bootstrap = self.bootstrap(pool, bootstrap)?;
                pool.add_invoke_dynamic(bootstrap, name_and_type)?
            }
            Constant::Module { .. } | Constant::Package { .. } => {
                return Err(GraftError::Parse(ParseError::BadConstant {
                    index,
                    expected: "used by code",
                }));
            }
        })
    }

    fn method_ref(&self, index: u16) -> Result<(String, String, String), ParseError> {
        let MemberRef {
            owner,
            name,
            descriptor,
        } = self.donor.constants.member_ref(index)?;
        Ok((
            self.renaming.class(&owner).into_owned(),
            self.renaming
                .method(&owner, &name, &descriptor)
                .into_owned(),
            self.renaming.descriptor(&descriptor).into_owned(),
        ))
    }

    fn bootstrap(&mut self, pool: &mut ConstantPool, number: u16) -> Result<u16, GraftError> {
        if let Some(&known) = self.bootstraps.get(&number) {
            return Ok(known);
        }
        let given = self.given.get(usize::from(number)).cloned();
        let given = given.ok_or(ParseError::Truncated { what: ATTRIBUTE })?;
        let handle = self.constant(pool, given.handle)?;
        let arguments = given.arguments.iter();
        let arguments = arguments
            .map(|&argument| self.constant(pool, argument))
            .collect::<Result<_, _>>()?;
        let new = u16::try_from(self.taken.len()).map_err(|_| crate::PoolError::Full)?;
        self.taken.push(Bootstrap { handle, arguments });
        self.bootstraps.insert(number, new);
        Ok(new)
    }

    /// Writes the bootstrap methods into the host.
    pub(super) fn finish(&self, host: &mut ClassFile) -> Result<(), GraftError> {
        if self.taken.len() == self.own {
            return Ok(());
        }
        let mut bytes = Vec::new();
        for bootstrap in counted(&self.taken, &mut bytes).to_vec() {
            bytes.put_u16(bootstrap.handle);
            for argument in counted(&bootstrap.arguments, &mut bytes).to_vec() {
                bytes.put_u16(argument);
            }
        }
        let name = host.constants.add_utf8(ATTRIBUTE)?;
        let constants = &host.constants;
        let is_old = |attribute: &Attribute| {
            constants.utf8_bytes(attribute.name) == Ok(ATTRIBUTE.as_bytes())
        };
        host.attributes.retain(|attribute| !is_old(attribute));
        host.attributes.push(Attribute { name, bytes });
        Ok(())
    }
}

fn bootstraps(class: &ClassFile) -> Result<Vec<Bootstrap>, ParseError> {
    let Some(attribute) = class.attribute(&class.attributes, ATTRIBUTE.as_bytes()) else {
        return Ok(Vec::new());
    };
    let mut reader = Reader::new(&attribute.bytes, ATTRIBUTE);
    list(&mut reader, |reader| {
        Ok(Bootstrap {
            handle: reader.u16()?,
            arguments: list(reader, Reader::u16)?,
        })
    })
}
