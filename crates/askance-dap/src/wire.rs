//! Messages on a stream: a header with the length, an empty line, JSON.

use std::io::{self, BufRead, Read as _, Write};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Nothing that a client has to say is longer.
const LONGEST_MESSAGE: u64 = 16 << 20;
const LONGEST_HEADER: u64 = 1 << 12;

/// What a client wants.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    #[serde(default)]
    pub(crate) seq: i64,
    /// Empty in a message that is no request.
    #[serde(default)]
    pub(crate) command: String,
    #[serde(default)]
    pub(crate) arguments: Value,
}

/// The next message; `None` at the end of the stream.
pub(crate) fn receive(input: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        let read = input.by_ref().take(LONGEST_HEADER).read_line(&mut line)?;
        if read == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            match length {
                Some(_) => break,
                // Blank lines between messages do no harm.
                None => continue,
            }
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            length = value.trim().parse::<u64>().ok();
        }
    }
    let length = length.filter(|&length| length <= LONGEST_MESSAGE);
    let length = length.ok_or_else(|| io::Error::other("a message without a sensible length"))?;
    let mut body = Vec::new();
    input.by_ref().take(length).read_to_end(&mut body)?;
    if body.len() as u64 != length {
        return Ok(None);
    }
    let request = serde_json::from_slice(&body).map_err(io::Error::other)?;
    Ok(Some(request))
}

/// Sends messages, each with its number.
pub(crate) struct Sender {
    output: Box<dyn Write + Send>,
    last: i64,
}

impl Sender {
    pub(crate) fn new(output: impl Write + Send + 'static) -> Sender {
        Sender {
            output: Box::new(output),
            last: 0,
        }
    }

    pub(crate) fn event(&mut self, event: &str, body: impl Serialize) -> io::Result<()> {
        self.send(json!({"type": "event", "event": event, "body": body}))
    }

    pub(crate) fn response(&mut self, request: &Request, body: Value) -> io::Result<()> {
        self.send(json!({
            "type": "response",
            "request_seq": request.seq,
            "success": true,
            "command": request.command,
            "body": body,
        }))
    }

    /// Says in one sentence why something cannot be done.
    pub(crate) fn refusal(
        &mut self,
        request: &Request,
        sentence: &str,
        is_shown: bool,
    ) -> io::Result<()> {
        let error = json!({
            "id": 1,
            "format": "{sentence}",
            "variables": {"sentence": sentence},
            "showUser": is_shown,
        });
        self.send(json!({
            "type": "response",
            "request_seq": request.seq,
            "success": false,
            "command": request.command,
            "message": sentence,
            "body": {"error": error},
        }))
    }

    fn send(&mut self, mut message: Value) -> io::Result<()> {
        self.last += 1;
        message["seq"] = self.last.into();
        let body = serde_json::to_vec(&message)?;
        write!(self.output, "Content-Length: {}\r\n\r\n", body.len())?;
        self.output.write_all(&body)?;
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Result<String, String>> {
        let mut input = bytes;
        let mut found = Vec::new();
        loop {
            match receive(&mut input) {
                Ok(Some(request)) => found.push(Ok(request.command)),
                Ok(None) => return found,
                Err(error) => {
                    found.push(Err(error.to_string()));
                    return found;
                }
            }
        }
    }

    #[test]
    fn messages_are_read_one_by_one() {
        let one = "Content-Length: 26\r\n\r\n{\"seq\":1,\"command\":\"next\"}";
        assert_eq!(
            one.split_once("\r\n\r\n").map(|(_, body)| body.len()),
            Some(26)
        );
        let two = format!("{one}X-Other: 1\r\n{one}");
        assert_eq!(
            all(two.as_bytes()),
            [Ok("next".to_owned()), Ok("next".to_owned())]
        );
        // Whoever breaks off in the middle is gone.
        assert_eq!(all(&one.as_bytes()[..40]), []);
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        assert!(all(b"Content-Length: 99999999999\r\n\r\n")[0].is_err());
        assert!(all(b"Content-Length: 2\r\n\r\n{]")[0].is_err());
        assert!(all(b"Length: 2\r\n\r\n{}").is_empty());
    }
}
