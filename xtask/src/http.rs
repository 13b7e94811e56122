//! A minimal HTTP/1.1 server for the files of one folder: GET and HEAD, one request per connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};

/// A request line and its headers are far shorter; anything longer is not from a browser.
const LONGEST_REQUEST: u64 = 16 * 1024;

/// Status line and body of a response.
struct Answer {
    status: &'static str,
    content_type: &'static str,
    body: Vec<u8>,
}

impl Answer {
    fn plain(status: &'static str) -> Answer {
        let body = format!("{status}\n").into_bytes();
        Answer { status, content_type: "text/plain; charset=utf-8", body }
    }
}

/// Reads one request from the connection and writes the response.
///
/// * `root` canonical path of the served folder; nothing outside it is ever read
pub fn answer(mut connection: impl Read + Write, root: &Path) -> std::io::Result<()> {
    let mut reader = BufReader::new(Read::by_ref(&mut connection).take(LONGEST_REQUEST));
    let mut request_line = String::new();
    if reader.read_line(&mut request_line)? == 0 {
        return Ok(()); // Browsers open connections that they then do not use.
    }
    // The headers are not used, but closing with unread bytes would reset the connection.
    let mut header = String::new();
    while reader.read_line(&mut header)? > 0 && !header.trim_end().is_empty() {
        header.clear();
    }

    let mut words = request_line.split_whitespace();
    let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let answer = match method {
        "GET" | "HEAD" => find(root, target),
        _ => Answer::plain("405 Method Not Allowed"),
    };
    // `no-cache` lets a browser keep a file but makes it ask again, so that a new build shows at once.
    let head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\nAllow: GET, HEAD\r\nConnection: close\r\n\r\n",
        answer.status,
        answer.content_type,
        answer.body.len()
    );
    connection.write_all(head.as_bytes())?;
    if method != "HEAD" {
        connection.write_all(&answer.body)?;
    }
    connection.flush()
}

/// The file that a request names, or a plain "404 Not Found".
fn find(root: &Path, target: &str) -> Answer {
    let missing = Answer::plain("404 Not Found");
    let Some(path) = locate(root, target) else {
        return missing;
    };
    match std::fs::read(&path) {
        Ok(body) => Answer { status: "200 OK", content_type: content_type(&path), body },
        Err(_) => missing,
    }
}

/// The existing file inside `root` that a request target names; a folder means its index.html.
fn locate(root: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?;
    let decoded = percent_decode(path.strip_prefix('/')?)?;
    let relative = Path::new(&decoded);
    // Only plain names: no `..`, no second root, no drive letter. A backslash is a separator only on Windows.
    let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
    if !plain || decoded.contains(['\\', '\0']) {
        return None;
    }
    let mut file = root.join(relative);
    if decoded.is_empty() || decoded.ends_with('/') {
        file.push("index.html");
    }
    // A link inside the folder could still lead outside, so the canonical path decides.
    let file = file.canonicalize().ok()?;
    (file.starts_with(root) && file.is_file()).then_some(file)
}

/// `%41` to `A`; `None` for a broken escape or bytes that are not UTF-8.
fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || rest.next().and_then(|byte| char::from(byte).to_digit(16));
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

/// The content type by file extension. Browsers insist on the right one for modules and wasm.
fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|end| end.to_str()).unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "csv" => "text/csv; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    /// A connection that holds a request and keeps the response.
    struct Fake<'a>(&'a [u8], Vec<u8>);

    impl Read for Fake<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.0.read(buffer)
        }
    }

    impl Write for Fake<'_> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.1.write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// A folder with a page, a module, and a secret next to the folder. Each test has its own.
    fn folder(name: &str) -> (Scratch, PathBuf) {
        let base = Scratch::new(&format!("http-{name}"));
        let site = base.join("site");
        std::fs::create_dir_all(site.join("assets")).unwrap();
        std::fs::write(site.join("index.html"), "<p>page</p>").unwrap();
        std::fs::write(site.join("assets/index.html"), "<p>inner</p>").unwrap();
        std::fs::write(site.join("assets/a b.wasm"), "\0asm").unwrap();
        std::fs::write(base.join("secret.txt"), "secret").unwrap();
        (base, site)
    }

    fn ask(root: &Path, request: &str) -> String {
        let mut connection = Fake(request.as_bytes(), Vec::new());
        answer(&mut connection, root).unwrap();
        String::from_utf8(connection.1).unwrap()
    }

    fn get(root: &Path, target: &str) -> String {
        ask(root, &format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n"))
    }

    #[test]
    fn files_come_with_their_type() {
        let (_base, root) = folder("types");
        for target in ["/", "/index.html", "/?x=1", "/%69ndex.html"] {
            let answer = get(&root, target);
            assert!(
                answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\n<p>page</p>"),
                "{answer}"
            );
            assert!(
                answer.contains("Content-Type: text/html; charset=utf-8\r\nContent-Length: 11\r\n"),
                "{answer}"
            );
        }
        assert!(get(&root, "/assets/").ends_with("<p>inner</p>"));
        assert!(get(&root, "/assets/a%20b.wasm").contains("Content-Type: application/wasm\r\n"));
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        let (_base, root) = folder("outside");
        let targets = [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/assets/../../secret.txt",
            "/..%2fsecret.txt",
            "/..%5csecret.txt",
            "//etc/passwd",
            "/%2fetc/passwd",
            "/\0",
            "/%00",
            "/%zz",
            "/%",
            "/%ff",
            "secret.txt",
            "",
            "*",
        ];
        for target in targets {
            let answer = get(&root, target);
            assert!(
                answer.starts_with("HTTP/1.1 404 Not Found") && !answer.contains("secret"),
                "{target:?}: {answer}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_is_not_followed() {
        let (_base, root) = folder("link");
        std::os::unix::fs::symlink("../secret.txt", root.join("link.txt")).unwrap();
        assert!(root.join("link.txt").is_file());
        assert!(get(&root, "/link.txt").starts_with("HTTP/1.1 404"));
    }

    #[test]
    fn missing_files_and_other_methods_are_refused() {
        let (_base, root) = folder("refused");
        assert!(get(&root, "/missing.js").starts_with("HTTP/1.1 404"));
        assert!(
            get(&root, "/assets").starts_with("HTTP/1.1 404"),
            "a folder needs its slash, else relative links break"
        );
        assert!(ask(&root, "POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
        let head = ask(&root, "HEAD / HTTP/1.1\r\n\r\n");
        assert!(head.contains("Content-Length: 11\r\n") && head.ends_with("\r\n\r\n"), "{head}");
        assert_eq!(ask(&root, ""), "");
        let endless = ask(&root, &format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(100_000)));
        assert!(endless.starts_with("HTTP/1.1 404"));
    }
}
