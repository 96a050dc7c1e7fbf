//! The pages, one file each. A page reads its address, asks through [`api`](crate::api) and shows; it decides nothing.

mod first_run;
mod not_found;
mod session;
mod sessions;
mod sign_in;

pub(crate) use first_run::FirstRunPage;
pub(crate) use not_found::NotFoundPage;
pub(crate) use session::SessionPage;
pub(crate) use sessions::SessionsPage;
pub(crate) use sign_in::SignInPage;
#[cfg(feature = "ssr")]
pub(crate) use sign_in::sign_in_address;
