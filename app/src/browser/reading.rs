//! Reading what the server wrote as JSON. The browser parses it; what it made is read field by field, by name, in the order
//! in which a type lists its fields. A general reader of JSON would be a sixth of the browser half.
//!
//! Numbers are those of the browser: whole up to 2^53, which no count, version or time of the console comes near.

mod inside;

use inside::{Entries, Fields, Items, Variant};
use js_sys::{Array, JSON, Object};
use serde::de::{self, DeserializeOwned, Deserializer, Expected, Unexpected, Visitor};
use wasm_bindgen::{JsCast, JsValue};

/// What this value says, or nothing where it says something else.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    T::deserialize(value).ok()
}

/// It is not what was expected. What exactly is wrong helps nobody here: both halves are built together.
#[derive(Debug)]
pub(crate) struct Unreadable;

impl std::fmt::Display for Unreadable {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("unreadable")
    }
}

impl std::error::Error for Unreadable {}

impl de::Error for Unreadable {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self
    }

    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self
    }

    fn invalid_value(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self
    }

    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Self
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }

    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }

    fn missing_field(_: &'static str) -> Self {
        Self
    }

    fn duplicate_field(_: &'static str) -> Self {
        Self
    }
}

type Read<T> = Result<T, Unreadable>;

/// A value as the browser parsed it.
pub(crate) struct Value(pub(crate) JsValue);

impl Value {
    /// What a text holds.
    pub(crate) fn parsed(text: &str) -> Option<Self> {
        JSON::parse(text).ok().map(Self)
    }

    fn is_nothing(&self) -> bool {
        self.0.is_null() || self.0.is_undefined()
    }

    fn text(&self) -> Read<String> {
        self.0.as_string().ok_or(Unreadable)
    }

    fn number(&self) -> Read<f64> {
        self.0.as_f64().ok_or(Unreadable)
    }

    fn whole(&self) -> Read<i64> {
        let number = self.number()?;
        if number.fract() == 0.0 {
            Ok(number as i64)
        } else {
            Err(Unreadable)
        }
    }

    fn items(self) -> Read<Items> {
        let list = self.0.dyn_into::<Array>().map_err(|_| Unreadable)?;
        Ok(Items::of(list))
    }

    fn fields(self, names: &'static [&'static str]) -> Fields {
        Fields::of(self.0, names)
    }
}

macro_rules! whole_numbers {
    ($($ask:ident),+ $(,)?) => {
        $(fn $ask<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
            visitor.visit_i64(self.whole()?)
        })+
    };
}

macro_rules! nowhere {
    ($($ask:ident),+ $(,)?) => {
        $(fn $ask<V: Visitor<'de>>(self, _: V) -> Read<V::Value> {
            Err(Unreadable)
        })+
    };
}

impl<'de> Deserializer<'de> for Value {
    type Error = Unreadable;

    whole_numbers!(
        deserialize_i8,
        deserialize_i16,
        deserialize_i32,
        deserialize_i64,
        deserialize_u8,
        deserialize_u16,
        deserialize_u32,
        deserialize_u64,
    );

    // No type of the console needs them.
    nowhere!(deserialize_any, deserialize_bytes, deserialize_byte_buf);

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_bool(self.0.as_bool().ok_or(Unreadable)?)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_f64(self.number()?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_f64(self.number()?)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_str(&self.text()?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_str(&self.text()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        if self.is_nothing() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Read<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Read<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_seq(self.items()?)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Read<V::Value> {
        visitor.visit_seq(self.items()?)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Read<V::Value> {
        visitor.visit_seq(self.items()?)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        let object = self.0.dyn_into::<Object>().map_err(|_| Unreadable)?;
        visitor.visit_map(Entries::of(&object))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        visitor.visit_seq(self.fields(names))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        visitor.visit_enum(Variant::of(self)?)
    }
}
