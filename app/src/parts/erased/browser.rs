//! The same in the browser, where the library's own way would also carry code that waits while it takes pages over, for
//! every type: a fifth of the browser half, and never run.

use leptos::prelude::{AddAnyAttr, Mountable, Render, RenderHtml};
use leptos::tachys::html::attribute::Attribute;
use leptos::tachys::html::attribute::any_attribute::AnyAttribute;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::renderer::{Rndr, types};
use leptos::tachys::view::{Position, PositionState};
use std::any::Any;

/// Some piece of a page. It takes over what the server wrote as if its type were known.
pub(crate) struct Erased(Box<dyn Piece>);

/// Forgets a piece's type.
pub(crate) trait Erase {
    /// The same piece; where it changes, another takes its place.
    fn erased(self) -> Erased;

    /// The same piece; where it changes, it changes in place, and what is open or has the focus keeps it.
    fn kept(self) -> Erased;
}

impl<T: RenderHtml> Erase for T {
    fn erased(self) -> Erased {
        Erased(Box::new(Passing(self.into_owned())))
    }

    fn kept(self) -> Erased {
        Erased(Box::new(Lasting(self.into_owned())))
    }
}

/// What can be done with a piece of any type.
trait Piece: Send {
    fn build(self: Box<Self>) -> OnScreen;
    fn take_over(self: Box<Self>, cursor: &Cursor, position: &PositionState) -> OnScreen;
    fn rebuild(self: Box<Self>, there: &mut OnScreen);
}

/// A piece that gives way to another.
struct Passing<T>(T);

/// A piece that changes in place.
struct Lasting<T>(T);

impl<T: RenderHtml + 'static> Piece for Passing<T> {
    fn build(self: Box<Self>) -> OnScreen {
        OnScreen::built(self.0)
    }

    fn take_over(self: Box<Self>, cursor: &Cursor, position: &PositionState) -> OnScreen {
        OnScreen::taken_over(self.0, cursor, position)
    }

    fn rebuild(self: Box<Self>, there: &mut OnScreen) {
        there.replace(self.build());
    }
}

impl<T: RenderHtml + 'static> Piece for Lasting<T> {
    fn build(self: Box<Self>) -> OnScreen {
        OnScreen::built(self.0)
    }

    fn take_over(self: Box<Self>, cursor: &Cursor, position: &PositionState) -> OnScreen {
        OnScreen::taken_over(self.0, cursor, position)
    }

    fn rebuild(self: Box<Self>, there: &mut OnScreen) {
        match (*there.state).as_any().downcast_mut::<T::State>() {
            Some(state) => self.0.rebuild(state),
            None => there.replace(self.build()),
        }
    }
}

/// What a piece leaves in the page.
trait State: Mountable {
    fn as_any(&mut self) -> &mut dyn Any;
}

impl<T: Mountable + 'static> State for T {
    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

/// A piece in the page.
pub(crate) struct OnScreen {
    state: Box<dyn State>,
    /// Keeps the place of a piece that is nothing.
    placeholder: Option<types::Placeholder>,
}

impl OnScreen {
    fn built<T: RenderHtml + 'static>(piece: T) -> Self {
        Self {
            state: Box::new(piece.build()),
            placeholder: (!T::EXISTS).then(Rndr::create_placeholder),
        }
    }

    fn taken_over<T: RenderHtml + 'static>(
        piece: T,
        cursor: &Cursor,
        position: &PositionState,
    ) -> Self {
        Self {
            state: Box::new(piece.hydrate::<true>(cursor, position)),
            placeholder: (!T::EXISTS).then(|| cursor.next_placeholder(position)),
        }
    }

    fn replace(&mut self, mut by: Self) {
        if let Some(placeholder) = &mut self.placeholder {
            placeholder.insert_before_this(&mut by);
            placeholder.unmount();
        } else {
            self.state.insert_before_this(&mut by);
        }
        self.state.unmount();
        *self = by;
    }
}

impl Mountable for OnScreen {
    fn unmount(&mut self) {
        self.state.unmount();
        if let Some(placeholder) = &mut self.placeholder {
            placeholder.unmount();
        }
    }

    fn mount(&mut self, parent: &types::Element, marker: Option<&types::Node>) {
        self.state.mount(parent, marker);
        if let Some(placeholder) = &mut self.placeholder {
            placeholder.mount(parent, marker);
        }
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        match &self.placeholder {
            Some(placeholder) => placeholder.insert_before_this(child),
            None => self.state.insert_before_this(child),
        }
    }

    fn elements(&self) -> Vec<types::Element> {
        self.state.elements()
    }
}

impl Render for Erased {
    type State = OnScreen;

    fn build(self) -> OnScreen {
        self.0.build()
    }

    fn rebuild(self, state: &mut OnScreen) {
        self.0.rebuild(state);
    }
}

impl AddAnyAttr for Erased {
    type Output<Added: Attribute> = Self;

    /// Nobody puts attributes on a piece from outside.
    fn add_any_attr<Added: Attribute>(self, _: Added) -> Self {
        self
    }
}

impl RenderHtml for Erased {
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
    ) -> OnScreen {
        self.0.take_over(cursor, position)
    }

    fn into_owned(self) -> Self {
        self
    }
}
