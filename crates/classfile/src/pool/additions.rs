//! Appending constants.

use super::{ConstantPool, HOLE, PoolError, tag};
use crate::bytes::Writer;
use java_names::modified_utf8;

/// Additions. Adding the same thing twice gives the same index.
impl ConstantPool {
    pub fn add_utf8(&mut self, text: &str) -> Result<u16, PoolError> {
        self.add_utf8_bytes(&modified_utf8::encode(text))
    }

    pub(crate) fn add_utf8_bytes(&mut self, text: &[u8]) -> Result<u16, PoolError> {
        let len = u16::try_from(text.len()).map_err(|_| PoolError::StringTooLong(text.len()))?;
        let mut entry = Vec::with_capacity(3 + text.len());
        entry.put_u8(tag::UTF8);
        entry.put_u16(len);
        entry.put_slice(text);
        self.add(&entry)
    }

    /// `name` is internal: `a/b/C`, or a descriptor for arrays (`[I`, `[La/b/C;`).
    pub fn add_class(&mut self, name: &str) -> Result<u16, PoolError> {
        let name = self.add_utf8(name)?;
        self.add_pair(tag::CLASS, name, None)
    }

    pub fn add_string(&mut self, text: &str) -> Result<u16, PoolError> {
        let utf8 = self.add_utf8(text)?;
        self.add_pair(tag::STRING, utf8, None)
    }

    /// A string constant with a text that is in the pool.
    pub(crate) fn add_string_of(&mut self, utf8: u16) -> Result<u16, PoolError> {
        self.add_pair(tag::STRING, utf8, None)
    }

    pub(crate) fn add_method_handle(&mut self, kind: u8, reference: u16) -> Result<u16, PoolError> {
        let [a, b] = reference.to_be_bytes();
        self.add(&[tag::METHOD_HANDLE, kind, a, b])
    }

    pub(crate) fn add_method_type(&mut self, descriptor: u16) -> Result<u16, PoolError> {
        self.add_pair(tag::METHOD_TYPE, descriptor, None)
    }

    pub(crate) fn add_dynamic(
        &mut self,
        bootstrap: u16,
        name_and_type: u16,
    ) -> Result<u16, PoolError> {
        self.add_pair(tag::DYNAMIC, bootstrap, Some(name_and_type))
    }

    pub(crate) fn add_invoke_dynamic(
        &mut self,
        bootstrap: u16,
        name_and_type: u16,
    ) -> Result<u16, PoolError> {
        self.add_pair(tag::INVOKE_DYNAMIC, bootstrap, Some(name_and_type))
    }

    pub fn add_integer(&mut self, value: i32) -> Result<u16, PoolError> {
        let [a, b, c, d] = value.to_be_bytes();
        self.add(&[tag::INTEGER, a, b, c, d])
    }

    pub fn add_float(&mut self, value: f32) -> Result<u16, PoolError> {
        let [a, b, c, d] = value.to_be_bytes();
        self.add(&[tag::FLOAT, a, b, c, d])
    }

    pub fn add_long(&mut self, value: i64) -> Result<u16, PoolError> {
        let [a, b, c, d, e, f, g, h] = value.to_be_bytes();
        self.add(&[tag::LONG, a, b, c, d, e, f, g, h])
    }

    pub fn add_double(&mut self, value: f64) -> Result<u16, PoolError> {
        let [a, b, c, d, e, f, g, h] = value.to_be_bytes();
        self.add(&[tag::DOUBLE, a, b, c, d, e, f, g, h])
    }

    pub fn add_name_and_type(&mut self, name: &str, descriptor: &str) -> Result<u16, PoolError> {
        let name = self.add_utf8(name)?;
        let descriptor = self.add_utf8(descriptor)?;
        self.add_pair(tag::NAME_AND_TYPE, name, Some(descriptor))
    }

    pub fn add_field_ref(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, PoolError> {
        self.add_member(tag::FIELDREF, owner, name, descriptor)
    }

    pub fn add_method_ref(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, PoolError> {
        self.add_member(tag::METHODREF, owner, name, descriptor)
    }

    pub fn add_interface_method_ref(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, PoolError> {
        self.add_member(tag::INTERFACE_METHODREF, owner, name, descriptor)
    }

    fn add_member(
        &mut self,
        tag: u8,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, PoolError> {
        let owner = self.add_class(owner)?;
        let name_and_type = self.add_name_and_type(name, descriptor)?;
        self.add_pair(tag, owner, Some(name_and_type))
    }

    fn add_pair(&mut self, tag: u8, first: u16, second: Option<u16>) -> Result<u16, PoolError> {
        let [a, b] = first.to_be_bytes();
        match second.map(u16::to_be_bytes) {
            None => self.add(&[tag, a, b]),
            Some([c, d]) => self.add(&[tag, a, b, c, d]),
        }
    }

    fn add(&mut self, entry: &[u8]) -> Result<u16, PoolError> {
        if let Some(&index) = self.added.get(entry) {
            return Ok(index);
        }
        let slots = match entry.first() {
            Some(&(tag::LONG | tag::DOUBLE)) => 2,
            _ => 1,
        };
        // The file stores the count, so the highest index is one less than a u16 can hold.
        if self.offsets.len() + slots > usize::from(u16::MAX) {
            return Err(PoolError::Full);
        }
        let index = self.offsets.len() as u16;
        self.offsets.push(self.bytes.len() as u32);
        self.offsets.extend((1..slots).map(|_| HOLE));
        self.bytes.put_slice(entry);
        self.added.insert(entry.into(), index);
        Ok(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Constant;

    #[test]
    fn equal_constants_share_an_index() {
        let mut pool = ConstantPool::new();
        let first = pool.add_method_ref("a/B", "c", "()V").unwrap();
        let count = pool.count();
        assert_eq!(pool.add_method_ref("a/B", "c", "()V"), Ok(first));
        assert_eq!(pool.count(), count);
        assert_ne!(pool.add_field_ref("a/B", "c", "()V"), Ok(first));
        assert_ne!(pool.add_interface_method_ref("a/B", "c", "()V"), Ok(first));
        let member = pool.member_ref(first).unwrap();
        let parts = [&*member.owner, &*member.name, &*member.descriptor];
        assert_eq!(parts, ["a/B", "c", "()V"]);
    }

    #[test]
    fn numbers_keep_their_bits() {
        let mut pool = ConstantPool::new();
        let integer = pool.add_integer(i32::MIN).unwrap();
        let long = pool.add_long(-2).unwrap();
        let double = pool.add_double(-0.0).unwrap();
        let float = pool.add_float(1.5).unwrap();
        assert_eq!(pool.get(integer), Ok(Constant::Integer(i32::MIN)));
        assert_eq!(pool.get(long), Ok(Constant::Long(-2)));
        assert!(pool.get(long + 1).is_err());
        assert_eq!(double, long + 2);
        assert_ne!(pool.add_double(0.0), Ok(double));
        assert_eq!(pool.get(float), Ok(Constant::Float(1.5)));
    }

    #[test]
    fn a_pool_can_be_full() {
        let mut pool = ConstantPool::new();
        let mut last = 0;
        for value in 0..65533 {
            last = pool.add_integer(value).unwrap();
        }
        assert_eq!(last, 65533);
        assert_eq!(pool.add_long(1), Err(PoolError::Full));
        assert_eq!(pool.add_integer(-1), Ok(65534));
        assert_eq!(pool.add_integer(-2), Err(PoolError::Full));
        assert_eq!(pool.add_integer(7), Ok(8));
        let long = "x".repeat(65536);
        assert_eq!(pool.add_utf8(&long), Err(PoolError::StringTooLong(65536)));
    }
}
