//! Synthetic texts: words with a natural frequency distribution, a third of the texts Chinese.

/// How many words there are.
const WORDS: f64 = 30_000.0;
/// How many Chinese characters.
const CHARACTERS: f64 = 3_000.0;
/// The first of them.
const FIRST_CHARACTER: u32 = 0x4E00;
const SYLLABLES: [&str; 20] = [
    "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va",
    "we", "xi", "yo", "zu",
];

/// Makes texts; the same number gives the same ones.
pub struct MadeUp(u64);

impl MadeUp {
    /// Begins anew.
    pub fn from(number: u64) -> Self {
        Self(number)
    }

    /// Returns something to remember; no two are alike, because of the number in them.
    pub fn entry(&mut self, number: usize) -> String {
        if number.is_multiple_of(3) {
            let characters: String = (0..24).map(|_| self.character()).collect();
            return format!("{characters}，{number}");
        }
        let words: Vec<String> = (0..14).map(|_| self.word()).collect();
        format!("{} {number}", words.join(" "))
    }

    /// Returns a question that an entry answers: a few of its words among common ones.
    pub fn question_for(&mut self, entry: &str) -> String {
        let words: Vec<&str> = entry.split(' ').collect();
        if words.len() < 3 {
            let start = self.below(16);
            return entry.chars().skip(start).take(7).collect();
        }
        let asked: Vec<&str> = (0..4)
            .filter_map(|_| words.get(self.below(words.len())).copied())
            .collect();
        format!(
            "what did we say about {} and {}?",
            asked.join(" "),
            self.word()
        )
    }

    /// Returns a number below this one.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// Returns a vector without a meaning.
    pub fn vector(&mut self, dimension: usize) -> Vec<f32> {
        (0..dimension)
            .map(|_| (self.share() * 2.0 - 1.0) as f32)
            .collect()
    }

    fn word(&mut self) -> String {
        let mut rank = self.rank(WORDS);
        let mut word = String::new();
        loop {
            word.push_str(SYLLABLES[rank % SYLLABLES.len()]);
            rank /= SYLLABLES.len();
            if rank == 0 {
                return word;
            }
        }
    }

    fn character(&mut self) -> char {
        let rank = self.rank(CHARACTERS) as u32;
        char::from_u32(FIRST_CHARACTER + rank).unwrap_or('一')
    }

    /// Returns a place below `bound`, which comes as often as one over it: the law of Zipf.
    fn rank(&mut self, bound: f64) -> usize {
        bound.powf(self.share()) as usize - 1
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}
