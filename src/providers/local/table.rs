//! The vectors of tokens as `model.safetensors` has them: read where they lie, number by number.
//!
//! The tensors: `embeddings` (a row for each vector) and, in newer models, `weights` (how much a
//! token says) and `mapping` (which row is a token's, where several share one).

use std::ops::Range;

use anyhow::{Context as _, bail, ensure};
use safetensors::tensor::{Dtype, Metadata, SafeTensors};

use crate::MAX_DIMENSION;

/// Before the header stands its length.
const LENGTH_BYTES: usize = 8;

/// The vectors of a model.
pub(super) struct Table {
    file: Vec<u8>,
    rows: usize,
    dimension: usize,
    vectors: Numbers,
    weights: Option<Numbers>,
    /// The row of each token.
    mapping: Option<Vec<usize>>,
}

/// Numbers of one kind, side by side in the file.
#[derive(Debug, Clone)]
struct Numbers {
    place: Range<usize>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    F64,
    F32,
    F16,
    Bf16,
    I8,
}

impl Table {
    /// Finds the vectors in a file.
    pub(super) fn read(file: Vec<u8>) -> anyhow::Result<Self> {
        let (header, metadata) =
            SafeTensors::read_metadata(&file).context("its header is damaged")?;
        let start = header + LENGTH_BYTES;
        let end = start + metadata.data_len();
        ensure!(
            file.len() >= end,
            "it ends after {} bytes of {end}",
            file.len()
        );
        let (vectors, shape) = numbers(&metadata, "embeddings", start)?
            .context("it has no tensor `embeddings`: it is no static model in model2vec form")?;
        let &[rows, dimension] = shape.as_slice() else {
            bail!("`embeddings` must have two dimensions, not {}", shape.len());
        };
        ensure!(
            (1..=MAX_DIMENSION).contains(&dimension),
            "its vectors have {dimension} numbers, allowed are 1-{MAX_DIMENSION}"
        );
        let weights = numbers(&metadata, "weights", start)?.map(|(weights, _)| weights);
        let mapping = mapping(&metadata, &file, start, rows)?;
        let table = Self {
            file,
            rows,
            dimension,
            vectors,
            weights,
            mapping,
        };
        let (tokens, weighed) = (table.tokens(), table.weights.as_ref().map(Numbers::count));
        if let Some(weighed) = weighed.filter(|weighed| *weighed != tokens) {
            bail!("`weights` has {weighed} numbers for {tokens} tokens");
        }
        Ok(table)
    }

    /// Returns how many numbers a vector has.
    pub(super) fn dimension(&self) -> usize {
        self.dimension
    }

    /// Returns for how many tokens it has a vector.
    pub(super) fn tokens(&self) -> usize {
        self.mapping.as_ref().map_or(self.rows, Vec::len)
    }

    /// Returns the mean of the vectors of these tokens; of none it is zero.
    pub(super) fn mean(&self, tokens: impl Iterator<Item = u32>) -> Vec<f32> {
        let mut sum = vec![0.0_f32; self.dimension];
        let mut count = 0.0_f32;
        for token in tokens {
            let Some(row) = self.row(token as usize) else {
                continue;
            };
            let weight = self.weight(token as usize);
            for (number, part) in sum.iter_mut().zip(self.vectors.of(&self.file, row)) {
                *number += part * weight;
            }
            count += 1.0;
        }
        for number in &mut sum {
            *number /= count.max(1.0);
            // What overflows a number has no direction.
            if !number.is_finite() {
                *number = 0.0;
            }
        }
        sum
    }

    /// Returns where the vector of a token lies among all numbers.
    fn row(&self, token: usize) -> Option<Range<usize>> {
        let row = match &self.mapping {
            Some(mapping) => *mapping.get(token)?,
            None => token,
        };
        (row < self.rows).then(|| row * self.dimension..(row + 1) * self.dimension)
    }

    fn weight(&self, token: usize) -> f32 {
        let weights = self.weights.as_ref();
        let weight = weights.and_then(|weights| weights.of(&self.file, token..token + 1).next());
        weight.unwrap_or(1.0)
    }
}

impl Numbers {
    fn count(&self) -> usize {
        self.place.len() / self.kind.bytes()
    }

    /// Returns some of the numbers; of those that are not there, none.
    fn of<'f>(&self, file: &'f [u8], which: Range<usize>) -> impl Iterator<Item = f32> + 'f {
        let (kind, bytes) = (self.kind, self.kind.bytes());
        let all = file.get(self.place.clone()).unwrap_or_default();
        let some = all.get(which.start * bytes..which.end * bytes);
        let some = some.unwrap_or_default();
        some.chunks_exact(bytes)
            .map(move |bytes| kind.number(bytes))
    }
}

impl Kind {
    fn of(dtype: Dtype, tensor: &str) -> anyhow::Result<Self> {
        match dtype {
            Dtype::F64 => Ok(Self::F64),
            Dtype::F32 => Ok(Self::F32),
            Dtype::F16 => Ok(Self::F16),
            Dtype::BF16 => Ok(Self::Bf16),
            Dtype::I8 => Ok(Self::I8),
            other => bail!(
                "`{tensor}` has numbers of kind {other:?}; F64, F32, F16, BF16 and I8 can be read"
            ),
        }
    }

    fn bytes(self) -> usize {
        match self {
            Self::F64 => 8,
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::I8 => 1,
        }
    }

    /// Reads one number; a file has them with the lowest byte first.
    fn number(self, bytes: &[u8]) -> f32 {
        let read = match (self, bytes) {
            (Self::F64, bytes) => bytes
                .try_into()
                .ok()
                .map(|it| f64::from_le_bytes(it) as f32),
            (Self::F32, bytes) => bytes.try_into().ok().map(f32::from_le_bytes),
            (Self::F16, bytes) => bytes
                .try_into()
                .ok()
                .map(|it| of_half(u16::from_le_bytes(it))),
            // The upper half of an F32.
            (Self::Bf16, &[low, high]) => Some(f32::from_le_bytes([0, 0, low, high])),
            (Self::I8, &[byte]) => Some(f32::from(byte.cast_signed())),
            (Self::Bf16 | Self::I8, _) => None,
        };
        read.unwrap_or_default()
    }
}

/// Reads an IEEE 754 number of 16 bits: sign, 5 bits of exponent, 10 of fraction.
fn of_half(bits: u16) -> f32 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1F), f32::from(bits & 0x3FF));
    let size = match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2.0_f32.powi(exponent - 15),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// Returns where the numbers of a tensor lie, and its shape.
fn numbers(
    metadata: &Metadata,
    tensor: &str,
    start: usize,
) -> anyhow::Result<Option<(Numbers, Vec<usize>)>> {
    let Some(info) = metadata.info(tensor) else {
        return Ok(None);
    };
    let kind = Kind::of(info.dtype, tensor)?;
    let (from, to) = info.data_offsets;
    let place = start + from..start + to;
    Ok(Some((Numbers { place, kind }, info.shape.clone())))
}

/// Returns the row of each token.
fn mapping(
    metadata: &Metadata,
    file: &[u8],
    start: usize,
    rows: usize,
) -> anyhow::Result<Option<Vec<usize>>> {
    let Some(info) = metadata.info("mapping") else {
        return Ok(None);
    };
    let (from, to) = info.data_offsets;
    let bytes = file.get(start + from..start + to).unwrap_or_default();
    let read = |bytes: &[u8]| match info.dtype {
        Dtype::I64 => bytes.try_into().ok().map(i64::from_le_bytes),
        _ => bytes
            .try_into()
            .ok()
            .map(|it| i64::from(i32::from_le_bytes(it))),
    };
    let width = match info.dtype {
        Dtype::I64 => 8,
        Dtype::I32 => 4,
        other => bail!("`mapping` has numbers of kind {other:?}; I64 and I32 can be read"),
    };
    let row = |bytes| {
        let row = read(bytes).and_then(|row| usize::try_from(row).ok());
        row.filter(|row| *row < rows)
            .with_context(|| format!("`mapping` names a row that is none of the {rows}"))
    };
    let all: anyhow::Result<Vec<usize>> = bytes.chunks_exact(width).map(row).collect();
    all.map(Some)
}

#[cfg(test)]
mod tests {
    use super::of_half;

    #[test]
    fn numbers_of_16_bits_are_read() {
        for (bits, number) in [
            (0x0000, 0.0),
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x3555, 0.333_251_95),
            (0x7BFF, 65504.0),
            (0x0001, 5.960_464_5e-8),
            (0xFC00, f32::NEG_INFINITY),
        ] {
            assert_eq!(of_half(bits).to_bits(), f32::to_bits(number), "{bits:#06x}");
        }
        assert!(of_half(0x7E00).is_nan());
    }
}
