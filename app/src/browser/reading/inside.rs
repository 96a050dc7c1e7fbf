//! What stands inside a value: items, fields, entries, or one of several.

use super::{Read, Unreadable, Value};
use js_sys::{Array, Object, Reflect};
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use wasm_bindgen::{JsCast, JsValue};

/// The items of a list.
pub(crate) struct Items {
    list: Array,
    next: u32,
}

impl Items {
    pub(super) fn of(list: Array) -> Self {
        Self { list, next: 0 }
    }
}

impl<'de> SeqAccess<'de> for Items {
    type Error = Unreadable;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<Option<T::Value>> {
        if self.next == self.list.length() {
            return Ok(None);
        }
        let item = self.list.get(self.next);
        self.next += 1;
        seed.deserialize(Value(item)).map(Some)
    }
}

/// The fields of a type, in its own order.
pub(crate) struct Fields {
    of: JsValue,
    names: std::slice::Iter<'static, &'static str>,
}

impl Fields {
    pub(super) fn of(of: JsValue, names: &'static [&'static str]) -> Self {
        Self {
            of,
            names: names.iter(),
        }
    }
}

impl<'de> SeqAccess<'de> for Fields {
    type Error = Unreadable;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<Option<T::Value>> {
        let Some(name) = self.names.next() else {
            return Ok(None);
        };
        let value = Reflect::get(&self.of, &JsValue::from_str(name)).map_err(|_| Unreadable)?;
        let is_left_out = value.is_undefined();
        match seed.deserialize(Value(value)) {
            // A field that may be left out has a value of its own for that.
            Err(_) if is_left_out => Ok(None),
            read => read.map(Some),
        }
    }
}

/// The entries of a map.
pub(crate) struct Entries {
    pairs: Array,
    next: u32,
}

impl Entries {
    pub(super) fn of(object: &Object) -> Self {
        Self {
            pairs: Object::entries(object),
            next: 0,
        }
    }

    fn half(&self, half: u32) -> Value {
        Value(
            self.pairs
                .get(self.next)
                .unchecked_into::<Array>()
                .get(half),
        )
    }
}

impl<'de> MapAccess<'de> for Entries {
    type Error = Unreadable;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Read<Option<K::Value>> {
        if self.next == self.pairs.length() {
            return Ok(None);
        }
        seed.deserialize(self.half(0)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Read<V::Value> {
        let value = self.half(1);
        self.next += 1;
        seed.deserialize(value)
    }
}

/// One of several: a word alone, or a word with what it holds.
pub(crate) struct Variant {
    word: String,
    held: JsValue,
}

impl Variant {
    pub(super) fn of(value: Value) -> Read<Self> {
        if let Some(word) = value.0.as_string() {
            let held = JsValue::UNDEFINED;
            return Ok(Self { word, held });
        }
        let object = value.0.dyn_into::<Object>().map_err(|_| Unreadable)?;
        let pair = Object::entries(&object).get(0);
        let pair = pair.dyn_into::<Array>().map_err(|_| Unreadable)?;
        Ok(Self {
            word: Value(pair.get(0)).text()?,
            held: pair.get(1),
        })
    }
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Unreadable;
    type Variant = Value;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Read<(V::Value, Value)> {
        let word: StrDeserializer<'_, Unreadable> = self.word.as_str().into_deserializer();
        Ok((seed.deserialize(word)?, Value(self.held)))
    }
}

impl<'de> VariantAccess<'de> for Value {
    type Error = Unreadable;

    fn unit_variant(self) -> Read<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Read<T::Value> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Read<V::Value> {
        visitor.visit_seq(self.items()?)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        visitor.visit_seq(self.fields(names))
    }
}
