//! Reading an answer, compressed or not, up to a limit in bytes.

use std::io::{self, Read};

use flate2::read::{MultiGzDecoder, ZlibDecoder};
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName};
use reqwest::{Response, StatusCode};
use sayso_core::visible::visible_line;

use super::error::FetchError;
use super::target::Target;

/// How an answer may be packed.
pub(crate) const PACKINGS: &str = "gzip, deflate";
/// The longest header that is shown, in characters.
const MAX_HEADER_CHARS: usize = 200;

/// What a server answered.
#[derive(Debug)]
pub struct Answer {
    /// Who answered, after all redirects.
    pub target: Target,
    /// How.
    pub status: StatusCode,
    /// What the server says the body is.
    pub content_type: Option<String>,
    /// How long the server says the body is, packed, in bytes.
    pub told_length: Option<u64>,
    /// The body, unpacked.
    pub body: Vec<u8>,
    /// Whether there was more of it.
    pub is_cut: bool,
}

impl Answer {
    /// Takes in at most `limit` bytes of a body.
    pub async fn take(
        target: Target,
        mut response: Response,
        limit: usize,
    ) -> Result<Self, FetchError> {
        let packing = Packing::of(&response)?;
        let told_length = header(&response, &reqwest::header::CONTENT_LENGTH)
            .and_then(|length| length.parse().ok());
        let mut received = Vec::new();
        let mut is_cut = false;
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| FetchError::broken(&error))?
        {
            let room = limit - received.len();
            received.extend_from_slice(&chunk[..chunk.len().min(room)]);
            if chunk.len() > room {
                is_cut = true;
                break;
            }
        }
        let (body, is_cut_unpacked) = packing.unpack(received, limit, is_cut)?;
        Ok(Self {
            target,
            status: response.status(),
            content_type: header(&response, &CONTENT_TYPE),
            told_length,
            body,
            is_cut: is_cut || is_cut_unpacked,
        })
    }
}

fn header(response: &Response, name: &HeaderName) -> Option<String> {
    let value = response.headers().get(name)?;
    let text = visible_line(&String::from_utf8_lossy(value.as_bytes()));
    Some(text.chars().take(MAX_HEADER_CHARS).collect())
}

/// How a body is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    None,
    Gzip,
    Deflate,
}

impl Packing {
    fn of(response: &Response) -> Result<Self, FetchError> {
        let Some(named) = header(response, &CONTENT_ENCODING) else {
            return Ok(Self::None);
        };
        match named.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Ok(Self::None),
            "gzip" | "x-gzip" => Ok(Self::Gzip),
            "deflate" => Ok(Self::Deflate),
            _ => Err(FetchError::Packed(named)),
        }
    }

    /// Unpacks at most `limit` bytes, and returns whether there is more. Of a body that was cut,
    /// what can be unpacked is.
    fn unpack(
        self,
        packed: Vec<u8>,
        limit: usize,
        is_cut: bool,
    ) -> Result<(Vec<u8>, bool), FetchError> {
        let unpacked = match self {
            Self::None => return Ok((packed, false)),
            // An answer without a body, as to HEAD, may still name its compression.
            Self::Gzip | Self::Deflate if packed.is_empty() => return Ok((packed, false)),
            Self::Gzip => read(MultiGzDecoder::new(&packed[..]), limit),
            Self::Deflate => read(ZlibDecoder::new(&packed[..]), limit),
        };
        match unpacked {
            (body, Err(_)) if is_cut => Ok((body, true)),
            (_, Err(error)) => Err(FetchError::Broken(format!(
                "its answer cannot be unpacked: {error}"
            ))),
            (body, Ok(is_more)) => Ok((body, is_more)),
        }
    }
}

/// Reads at most `limit` bytes, and whether there are more; what was read before an error counts.
fn read(reader: impl Read, limit: usize) -> (Vec<u8>, io::Result<bool>) {
    let mut body = Vec::new();
    let ended = reader.take(limit as u64 + 1).read_to_end(&mut body);
    let is_more = body.len() > limit;
    body.truncate(limit);
    (body, ended.map(|_| is_more))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};

    use super::Packing;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let packed = gzip(b"hello");
        let unpacked = Packing::Gzip.unpack(packed, 100, false).unwrap();
        assert_eq!(unpacked, (b"hello".to_vec(), false));
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(b"hello").unwrap();
        let packed = encoder.finish().unwrap();
        let unpacked = Packing::Deflate.unpack(packed, 5, false).unwrap();
        assert_eq!(unpacked, (b"hello".to_vec(), false));
    }

    #[test]
    fn a_bomb_is_unpacked_to_the_limit() {
        let packed = gzip(&vec![b'x'; 50_000_000]);
        assert!(packed.len() < 100_000);
        let (body, is_cut) = Packing::Gzip.unpack(packed, 1000, false).unwrap();
        assert_eq!((body.len(), is_cut), (1000, true));
    }

    #[test]
    fn of_a_cut_body_the_beginning_is_kept_and_a_broken_one_is_told() {
        let numbers: Vec<_> = (0..2000).map(|number| number.to_string()).collect();
        let text = numbers.join(" ");
        let packed = gzip(text.as_bytes());
        let half = packed[..packed.len() / 2].to_vec();
        let (body, is_cut) = Packing::Gzip.unpack(half.clone(), 1 << 20, true).unwrap();
        assert!(is_cut && body.len() > 100);
        assert!(text.as_bytes().starts_with(&body));
        assert!(Packing::Gzip.unpack(half, 1 << 20, false).is_err());
        assert!(
            Packing::Gzip
                .unpack(b"no gzip".to_vec(), 100, false)
                .is_err()
        );
    }
}
