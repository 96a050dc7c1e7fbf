//! The same in the browser: whatever stands there, stands there.

use leptos::prelude::{AddAnyAttr, Render, RenderHtml};
use leptos::tachys::html::attribute::Attribute;
use leptos::tachys::html::attribute::any_attribute::AnyAttribute;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::renderer::{CastFrom, Rndr, types};
use leptos::tachys::view::{Position, PositionState};

/// An element that never changes.
pub(crate) struct Still;

impl Still {
    /// The element that is there. How the server made it is not looked at.
    pub(crate) fn of<T>(element: impl FnOnce() -> T) -> Self {
        drop(element);
        Self
    }
}

impl Render for Still {
    type State = types::Element;

    /// Only on a page of the server: elsewhere there is nothing to stand still.
    fn build(self) -> types::Element {
        Rndr::create_element("template", None)
    }

    fn rebuild(self, _: &mut types::Element) {}
}

impl AddAnyAttr for Still {
    type Output<Added: Attribute> = Self;

    /// It was written with all its attributes.
    fn add_any_attr<Added: Attribute>(self, _: Added) -> Self {
        self
    }
}

impl RenderHtml for Still {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    /// Only the server writes pages.
    fn to_html_with_buf(
        self,
        _: &mut String,
        _: &mut Position,
        _: bool,
        _: bool,
        _: Vec<AnyAttribute>,
    ) {
    }

    fn hydrate<const FROM_SERVER: bool>(
        self,
        cursor: &Cursor,
        position: &PositionState,
    ) -> types::Element {
        match position.get() {
            Position::FirstChild => cursor.child(),
            Position::Current => {}
            _ => cursor.sibling(),
        }
        position.set(Position::NextChild);
        types::Element::cast_from(cursor.current()).unwrap_or_else(|| self.build())
    }

    fn into_owned(self) -> Self {
        self
    }
}
