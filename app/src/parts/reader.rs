//! Who reads: where they are, as every part that tells a time needs it.

use crate::view::Zone;
use leptos::prelude::use_context;
use std::sync::Arc;

/// The reader of the page, in the context of every part of it.
#[derive(Clone)]
pub(crate) struct Reader {
    zone: Arc<Zone>,
}

impl Reader {
    pub(crate) fn new(zone: Zone) -> Self {
        Self {
            zone: Arc::new(zone),
        }
    }
}

/// Where the reader is.
pub(crate) fn zone() -> Arc<Zone> {
    use_context::<Reader>().map_or_else(|| Arc::new(Zone::utc()), |reader| reader.zone)
}
