//! `cargo xtask serve`: builds the page and serves it to this computer only.

use crate::project::Project;
use crate::{Outcome, http, site};
use std::io::{ErrorKind, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a connection may be silent.
const PATIENCE: Duration = Duration::from_secs(10);

/// Builds, listens, prints the address, and serves until the program is ended.
pub fn serve(port: u16) -> Outcome {
    // Before the build, so that a port in use is reported at once and not after a minute.
    let listeners = listen(port)?;
    let project = Project::find()?;
    site::build(&project)?;
    let root = project.dist.canonicalize().map_err(|error| format!("cannot open dist/: {error}"))?;

    let address = listeners[0].local_addr().map_err(|error| format!("the server has no address: {error}"))?;
    println!("Espalier is on http://localhost:{} (end with Ctrl-C)", address.port());
    // Scripts wait for this line, and a pipe would buffer it.
    std::io::stdout().flush().map_err(|error| format!("cannot print the address: {error}"))?;

    let threads: Vec<_> = listeners
        .into_iter()
        .map(|listener| {
            let root = root.clone();
            std::thread::spawn(move || accept(&listener, &root))
        })
        .collect();
    for thread in threads {
        thread.join().map_err(|_| "the server stopped unexpectedly")?;
    }
    Ok(())
}

/// Listens on both addresses of `localhost`; IPv6 is optional, because not every computer has it.
///
/// * `port` 0 lets the system choose one
fn listen(port: u16) -> Outcome<Vec<TcpListener>> {
    let bind = |address: IpAddr, port: u16| {
        TcpListener::bind((address, port)).map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => format!(
                "port {port} is in use by another program: end that one, or choose another port, \
                 for example `cargo xtask serve --port {}`",
                if port < u16::MAX { port + 1 } else { 8080 }
            ),
            ErrorKind::PermissionDenied => {
                format!(
                    "port {port} needs special rights: \
                    choose one above 1023, for example `cargo xtask serve --port 8080`"
                )
            }
            _ => format!("cannot listen on port {port}: {error}"),
        })
    };
    let first = bind(Ipv4Addr::LOCALHOST.into(), port)?;
    let chosen = first.local_addr().map_or(port, |address| address.port());
    let mut listeners = vec![first];
    match TcpListener::bind((Ipv6Addr::LOCALHOST, chosen)) {
        Ok(second) => listeners.push(second),
        // A browser may prefer IPv6 and would then show the other program's page.
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            bind(Ipv6Addr::LOCALHOST.into(), chosen)?;
        }
        Err(_) => {}
    }
    Ok(listeners)
}

/// One thread per connection: a page loads a handful of files at once.
fn accept(listener: &TcpListener, root: &Path) {
    for connection in listener.incoming() {
        let root: PathBuf = root.to_path_buf();
        match connection {
            Ok(connection) => {
                std::thread::spawn(move || {
                    // A browser that disconnects during a response is not an error.
                    let _ = talk(&connection, &root);
                });
            }
            // Probably out of file handles: give the other connections time to finish.
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

fn talk(connection: &TcpStream, root: &Path) -> std::io::Result<()> {
    connection.set_read_timeout(Some(PATIENCE))?;
    connection.set_write_timeout(Some(PATIENCE))?;
    http::answer(connection, root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use std::io::Read;

    #[test]
    fn a_port_in_use_gets_a_way_out() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let message = listen(port).unwrap_err();
        assert!(
            message.contains(&format!("port {port} is in use")) && message.contains("--port"),
            "{message}"
        );
        assert!(!message.contains('\n'));
    }

    #[test]
    fn a_real_connection_is_answered() {
        let folder = Scratch::new("serve");
        std::fs::write(folder.join("index.html"), "<p>page</p>").unwrap();
        let root = folder.to_path_buf();

        let listener = listen(0).unwrap().remove(0);
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || accept(&listener, &root));
        let mut connection = TcpStream::connect(address).unwrap();
        connection.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("<p>page</p>"), "{answer}");
    }
}
