//! A stream of server-sent events, read beside those it is meant for. Must never hold more than one event, and none without
//! bound.

/// An event that is longer is not read: longer than any result that is worth keeping. Bytes.
const LONGEST: usize = 4 * 1024 * 1024;

/// An event is too long to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an event is longer than {LONGEST} bytes")]
pub struct TooLong;

/// Collects the data of events from pieces of a stream.
#[derive(Debug, Default)]
pub struct Events {
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    after_return: bool,
}

impl Events {
    /// Takes a piece of the stream; the data of each event that it completes.
    ///
    /// # Errors
    /// When an event is too long. What follows is not read any more.
    pub fn push(&mut self, piece: &[u8]) -> Result<Vec<Vec<u8>>, TooLong> {
        let mut complete = Vec::new();
        for byte in piece {
            let follows = std::mem::replace(&mut self.after_return, *byte == b'\r');
            match byte {
                b'\n' if follows => {}
                b'\n' | b'\r' => complete.extend(self.end_of_line()),
                byte => self.line.push(*byte),
            }
            let held = self.line.len() + self.data.as_ref().map_or(0, Vec::len);
            if held > LONGEST {
                return Err(TooLong);
            }
        }
        Ok(complete)
    }

    /// An empty line ends an event.
    fn end_of_line(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return self.data.take();
        }
        let value = line.strip_prefix(b"data")?;
        let value = match value {
            [] => value,
            [b':', rest @ ..] => rest.strip_prefix(b" ").unwrap_or(rest),
            // Another field whose name begins so.
            _ => return None,
        };
        match &mut self.data {
            Some(data) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
            None => self.data = Some(value.to_vec()),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(pieces: &[&str]) -> Vec<String> {
        let mut events = Events::default();
        let read = pieces
            .iter()
            .flat_map(|piece| events.push(piece.as_bytes()).unwrap());
        read.map(|data| String::from_utf8(data).unwrap()).collect()
    }

    #[test]
    fn data_is_read_whatever_ends_the_lines_and_comes_beside_it() {
        assert_eq!(
            all(&["id: 1\nevent: message\ndata: {\"a\":1}\n\n: beat\n\ndata:x\r\ndata: y\r\n\r\n"]),
            ["{\"a\":1}", "x\ny"]
        );
        assert_eq!(all(&["data\r\rretry: 5\n\ndatabase: no\n\n"]), [""]);
    }

    #[test]
    fn an_event_without_its_empty_line_is_not_over() {
        assert_eq!(all(&["data: half\n"]), [""; 0]);
    }

    #[test]
    fn an_endless_event_is_given_up() {
        let mut events = Events::default();
        let piece = vec![b'x'; LONGEST];
        assert_eq!(events.push(&piece), Ok(Vec::new()));
        assert_eq!(events.push(&piece), Err(TooLong));
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_a_stream_is_cut(
            lines in proptest::collection::vec(("(data: |data:|id: |: )?[a-c]{0,3}", "\n|\r\n|\r"), 0..20),
            cuts in proptest::collection::vec(1usize..5, 0..40),
        ) {
            let text: String = lines.iter().map(|(line, end)| format!("{line}{end}")).collect();
            let whole = all(&[&text]);
            let mut events = Events::default();
            let mut rest = text.as_bytes();
            let mut read = Vec::new();
            for cut in cuts {
                let (piece, more) = rest.split_at(cut.min(rest.len()));
                read.extend(events.push(piece).unwrap());
                rest = more;
            }
            read.extend(events.push(rest).unwrap());
            let read: Vec<String> = read.into_iter().map(|data| String::from_utf8(data).unwrap()).collect();
            prop_assert_eq!(read, whole);
        }
    }
}
