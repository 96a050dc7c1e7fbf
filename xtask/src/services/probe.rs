//! Whether a service answers in its own protocol. Must never sign in: an open port is not enough, and a password is none
//! of its business.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use super::{Place, Service};

/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(2);

/// Whether the service is there.
pub fn answers(service: Service, place: &Place) -> bool {
    let Ok(addresses) = (place.host.as_str(), place.port).to_socket_addrs() else {
        return false;
    };
    addresses
        .into_iter()
        .any(|address| answers_at(service, address))
}

fn answers_at(service: Service, address: SocketAddr) -> bool {
    let (question, is_answer) = hello(service);
    let Ok(mut stream) = TcpStream::connect_timeout(&address, LIMIT) else {
        return false;
    };
    let mut first = [0];
    let heard = stream
        .set_read_timeout(Some(LIMIT))
        .and_then(|()| stream.write_all(question))
        .and_then(|()| stream.read_exact(&mut first));
    heard.is_ok() && is_answer(first[0])
}

/// What a client says first, and what the first byte of an answer is.
fn hello(service: Service) -> (&'static [u8], fn(u8) -> bool) {
    match service {
        // Whether it speaks TLS: yes or no.
        Service::Postgres => (&[0, 0, 0, 8, 4, 210, 22, 47], |byte| {
            byte == b'S' || byte == b'N'
        }),
        // `+PONG`, or the demand for a password.
        Service::Redis => (b"PING\r\n", |byte| byte == b'+' || byte == b'-'),
        // A method frame: `connection.start`.
        Service::Rabbit => (b"AMQP\x00\x00\x09\x01", |byte| byte == 1),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// A server that says this to the first client.
    fn server(says: &'static [u8]) -> Place {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            let (mut client, _) = listener.accept().unwrap();
            client.write_all(says).unwrap();
            // Until the client has gone, so that what was said is not lost with the connection.
            let _ = client.read_to_end(&mut Vec::new());
        });
        Place {
            host: "127.0.0.1".to_owned(),
            port,
        }
    }

    #[test]
    fn each_service_is_known_by_its_answer() {
        assert!(answers(Service::Postgres, &server(b"N")));
        assert!(answers(
            Service::Redis,
            &server(b"-NOAUTH Authentication required.\r\n")
        ));
        assert!(answers(Service::Rabbit, &server(&[1, 0, 0])));
    }

    #[test]
    fn an_open_port_with_something_else_behind_it_is_no_answer() {
        assert!(!answers(Service::Rabbit, &server(b"AMQP\x00\x00\x09\x01")));
        assert!(!answers(
            Service::Redis,
            &server(b"HTTP/1.1 400 Bad Request\r\n")
        ));
    }

    #[test]
    fn a_closed_port_is_no_answer() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let place = Place {
            host: "127.0.0.1".to_owned(),
            port,
        };
        assert!(!answers(Service::Redis, &place));
    }
}
