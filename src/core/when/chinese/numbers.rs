//! Chinese numerals: 十五, 二十三, 廿八, 二〇二七, and figures.

use super::{Chinese, Read};

impl Chinese<'_> {
    /// Reads a number below ten thousand in figures or in characters, at most four of them.
    pub(super) fn number(&self, at: usize) -> Read<u32> {
        let mut behind = at;
        let (mut whole, mut last) = (0, None);
        while behind < at + 4 {
            let Some(character) = self.at(behind) else {
                break;
            };
            match (digit(character), character) {
                (Some(digit), _) => last = Some(last.unwrap_or(0) * 10 + digit),
                (None, '十') => whole += last.take().unwrap_or(1) * 10,
                (None, '廿') if behind == at => whole = 20,
                (None, '卅') if behind == at => whole = 30,
                (None, '百') => whole += last.take()? * 100,
                _ => break,
            }
            behind += 1;
        }
        (behind > at).then(|| (whole + last.unwrap_or(0), behind))
    }

    /// Reads a number of the numbers of a day or an hour; a figure that goes on is none.
    pub(super) fn short_number(&self, at: usize) -> Read<u32> {
        let (number, behind) = self.number(at)?;
        let goes_on = self.at(behind).is_some_and(|it| digit(it).is_some());
        (number < 100 && !goes_on).then_some((number, behind))
    }
}

pub(super) fn digit(character: char) -> Option<u32> {
    Some(match character {
        '〇' | '零' => 0,
        '一' => 1,
        '二' | '两' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        _ => return character.to_digit(10),
    })
}
