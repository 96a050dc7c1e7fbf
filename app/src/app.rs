//! The frame of the console: its routes, and what stands around every page.

use crate::pages::{FirstRunPage, NotFoundPage, SessionPage, SessionsPage, SignInPage};
use crate::parts::Masthead;
use crate::view::Caller;
use crate::words::words;
use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::components::{Redirect, Route, Router, Routes};
use leptos_router::{SsrMode, path};

/// The whole console.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    let product = words().shell.product;
    let caller = SharedValue::new(signed_in).into_inner();
    view! {
        <Title formatter=move |page: String| title(&page, product)/>
        <Router>
            <Masthead caller/>
            <main id="main">
                <Routes fallback=NotFoundPage>
                    <Route path=path!("/") view=|| view! { <Redirect path="/sessions"/> } ssr=SsrMode::Async/>
                    <Route path=path!("/sessions") view=SessionsPage ssr=SsrMode::Async/>
                    <Route path=path!("/sessions/:sid") view=SessionPage ssr=SsrMode::Async/>
                    <Route path=path!("/sign-in") view=SignInPage ssr=SsrMode::Async/>
                    <Route path=path!("/first-run") view=FirstRunPage ssr=SsrMode::Async/>
                </Routes>
            </main>
        </Router>
    }
}

fn title(page: &str, product: &str) -> String {
    if page.is_empty() {
        product.to_owned()
    } else {
        format!("{page} · {product}")
    }
}

/// Who is signed in. Only the server knows; it sends the answer along with the page.
fn signed_in() -> Option<Caller> {
    #[cfg(feature = "ssr")]
    {
        let parts = use_context::<axum::http::request::Parts>()?;
        parts.extensions.get::<Caller>().cloned()
    }
    #[cfg(not(feature = "ssr"))]
    None
}
