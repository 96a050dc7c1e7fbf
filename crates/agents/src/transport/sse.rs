//! Server-sent events from bytes, wherever these are split. Must never hold an event longer than its bound.

use std::collections::VecDeque;

use crate::unanswered::Unanswered;

/// The longest event, in bytes, unless it is said otherwise: as long as the longest answer that is read whole.
const EVENT_BYTES: usize = 1024 * 1024;

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SseEvent {
    /// Its type; empty where the stream names none.
    pub(crate) name: String,
    /// Its data, lines joined by line feeds.
    pub(crate) data: String,
}

/// What was read so far: the line that is not over, and the fields of the event that is not over.
pub(crate) struct Sse {
    line: Vec<u8>,
    name: String,
    data: Vec<u8>,
    id: Option<String>,
    /// A carriage return ended the last line: a line feed that follows belongs to it.
    after_return: bool,
    begun: bool,
    most: usize,
}

impl Default for Sse {
    fn default() -> Self {
        Self::up_to(EVENT_BYTES)
    }
}

impl Sse {
    /// Reads events of up to so many bytes.
    pub(crate) const fn up_to(most: usize) -> Self {
        Self {
            line: Vec::new(),
            name: String::new(),
            data: Vec::new(),
            id: None,
            after_return: false,
            begun: false,
            most,
        }
    }

    /// What the stream calls the place that it has come to; where it is taken up again.
    pub(crate) fn last_id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Takes the next bytes and adds the events that they complete.
    ///
    /// # Errors
    /// `TooLong` when one event is longer than a megabyte, or what was said instead.
    pub(crate) fn push(
        &mut self,
        mut bytes: &[u8],
        found: &mut VecDeque<SseEvent>,
    ) -> Result<(), Unanswered> {
        while !bytes.is_empty() {
            if std::mem::take(&mut self.after_return) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.line.extend_from_slice(bytes);
                return self.check();
            };
            self.line.extend_from_slice(&bytes[..end]);
            self.after_return = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            let line = std::mem::take(&mut self.line);
            found.extend(self.end_line(&line));
            self.line = line;
            self.line.clear();
            self.check()?;
        }
        Ok(())
    }

    fn check(&self) -> Result<(), Unanswered> {
        if self.line.len() + self.data.len() > self.most {
            return Err(Unanswered::TooLong);
        }
        Ok(())
    }

    fn end_line(&mut self, line: &[u8]) -> Option<SseEvent> {
        let line = if self.begun {
            line
        } else {
            line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line)
        };
        self.begun = true;
        if line.is_empty() {
            return self.end_event();
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = match colon {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, &line[line.len()..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                self.data.extend_from_slice(value);
                self.data.push(b'\n');
            }
            b"event" => self.name = String::from_utf8_lossy(value).into_owned(),
            b"id" => self.id = Some(String::from_utf8_lossy(value).into_owned()),
            _ => {}
        }
        None
    }

    /// An event without data is none.
    fn end_event(&mut self) -> Option<SseEvent> {
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data);
        let data = data.strip_suffix(b"\n")?;
        Some(SseEvent {
            name,
            data: String::from_utf8_lossy(data).into_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "\u{feff}: hello\n\ndata: {\"a\":1}\n\nevent: message_stop\r\ndata:eins\r\ndata: zwei \
                          é\u{1f600}\r\n\r\nid: 7\rretry: 10\rdata\rdata\r\revent: no data\n\n: ping\n\n\
                          data: [DONE]\n\ndata: not over\n";

    fn event(name: &str, data: &str) -> SseEvent {
        SseEvent {
            name: name.to_owned(),
            data: data.to_owned(),
        }
    }

    fn expected() -> Vec<SseEvent> {
        vec![
            event("", "{\"a\":1}"),
            event("message_stop", "eins\nzwei é\u{1f600}"),
            event("", "\n"),
            event("", "[DONE]"),
        ]
    }

    fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<SseEvent> {
        let (mut sse, mut found) = (Sse::default(), VecDeque::new());
        for piece in pieces {
            sse.push(piece, &mut found).unwrap();
        }
        found.into()
    }

    #[test]
    fn a_stream_reads_the_same_wherever_it_is_split_in_three() {
        let bytes = STREAM.as_bytes();
        for first in 0..=bytes.len() {
            for second in first..=bytes.len() {
                let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                assert_eq!(read(pieces), expected(), "split at {first} and {second}");
            }
        }
    }

    #[test]
    fn a_stream_reads_the_same_byte_by_byte() {
        assert_eq!(read(STREAM.as_bytes().chunks(1)), expected());
    }

    #[test]
    fn an_event_without_end_is_refused() {
        let (mut sse, mut found) = (Sse::default(), VecDeque::new());
        let long = vec![b'x'; EVENT_BYTES + 1];
        assert_eq!(sse.push(&long, &mut found), Err(Unanswered::TooLong));
        let mut sse = Sse::default();
        let line = [b"data: ".as_slice(), &vec![b'x'; 1024], b"\n"].concat();
        let refused = (0..2_000).find_map(|_| sse.push(&line, &mut found).err());
        assert_eq!(refused, Some(Unanswered::TooLong));
        assert!(found.is_empty());
    }
}
