//! Reads a multipart form (RFC 7578) held whole in memory.

use axum::body::Bytes;

/// One part of the form.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) file_name: Option<String>,
    pub(crate) bytes: Bytes,
}

/// Splits the body at the boundary that the content type names.
pub(crate) fn parts(content_type: &str, body: &Bytes) -> Result<Vec<Part>, String> {
    let boundary = parameter(content_type, "boundary").ok_or("the form names no boundary")?;
    let delimiter = format!("--{boundary}");
    let mut parts = Vec::new();
    let mut start =
        find(body, delimiter.as_bytes()).ok_or("the form has no part")? + delimiter.len();
    while !body[start..].starts_with(b"--") {
        start += b"\r\n".len();
        let ending = format!("\r\n{delimiter}");
        let rest = body.get(start..).ok_or("the form ends early")?;
        let length = find(rest, ending.as_bytes()).ok_or("the form's last part does not end")?;
        parts.push(part(&body.slice(start..start + length))?);
        start += length + ending.len();
    }
    Ok(parts)
}

fn part(bytes: &Bytes) -> Result<Part, String> {
    let blank = find(bytes, b"\r\n\r\n").ok_or("a part has no headers")?;
    let headers =
        std::str::from_utf8(&bytes[..blank]).map_err(|_| "a part's headers are not text")?;
    let header = |wanted: &str| {
        headers.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case(wanted).then(|| value.trim())
        })
    };
    let disposition = header("content-disposition").ok_or("a part has no disposition")?;
    Ok(Part {
        name: parameter(disposition, "name").ok_or("a part has no name")?,
        file_name: parameter(disposition, "filename"),
        bytes: bytes.slice(blank + b"\r\n\r\n".len()..),
    })
}

/// Returns `name=value` or `name="value"` of a header.
fn parameter(header: &str, name: &str) -> Option<String> {
    header.split(';').find_map(|piece| {
        let (key, value) = piece.trim().split_once('=')?;
        (key == name).then(|| value.trim_matches('"').to_owned())
    })
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let first = *needle.first()?;
    let mut start = 0;
    while let Some(step) = haystack
        .get(start..)?
        .iter()
        .position(|byte| *byte == first)
    {
        if haystack[start + step..].starts_with(needle) {
            return Some(start + step);
        }
        start += step + 1;
    }
    None
}
