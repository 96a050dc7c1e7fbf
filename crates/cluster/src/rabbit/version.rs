//! The broker's version, which it tells whoever says hello, before anybody signs in. The driver reads it and does not pass
//! it on.

use futures::io::{AsyncReadExt, AsyncWriteExt};
use lapin::protocol::{AMQPClass, connection, parse_class};
use lapin::tcp::{AMQPUriTcpExt, TLSConfig};
use lapin::types::AMQPValue;

use super::line::{Ground, Trouble};

/// What a client of AMQP 0-9-1 says first.
const HELLO: &[u8] = b"AMQP\x00\x00\x09\x01";
/// Kind, channel and size of a frame.
const HEAD: usize = 7;
/// No broker says more about itself.
const MOST: usize = 1 << 17;

/// The version that the broker tells.
pub async fn version(ground: &Ground) -> Result<String, Trouble> {
    // The buffers of a TLS handshake lie in it.
    let started = Box::pin(ground.answer("hello", async {
        let runtime = lapin::runtime::default_runtime()?;
        let mut stream = ground
            .uri
            .connect_with_config_async(TLSConfig::default(), &runtime)
            .await?;
        stream.write_all(HELLO).await?;
        stream.flush().await?;
        let mut head = [0; HEAD];
        stream.read_exact(&mut head).await?;
        let size = u32::from_be_bytes([head[3], head[4], head[5], head[6]]) as usize;
        let mut body = vec![0; size.min(MOST)];
        stream.read_exact(&mut body).await?;
        Ok(body)
    }));
    let body = started.await?;
    read(&body).ok_or_else(|| Trouble::Away("it does not speak AMQP 0-9-1".to_owned()))
}

/// The version in the broker's first message.
fn read(body: &[u8]) -> Option<String> {
    let (_, said) = parse_class(body).ok()?;
    let AMQPClass::Connection(connection::AMQPMethod::Start(start)) = said else {
        return None;
    };
    match start.server_properties.inner().get("version")? {
        AMQPValue::LongString(version) => Some(version.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_greeting_has_no_version() {
        assert_eq!(read(b""), None);
        assert_eq!(read(b"HTTP/1.1 400 Bad Request"), None);
    }
}
