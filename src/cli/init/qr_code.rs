//! A link as a QR code in the terminal, to be opened by a telephone.

use qrcode::{Color, EcLevel, QrCode};

/// How many light modules stand around the code.
const MARGIN: i32 = 2;
/// Black on white, whatever the colours of the terminal are: many readers do not read it inverted.
const BLACK_ON_WHITE: &str = "\x1b[38;5;16;48;5;231m";
/// The terminal's own colours.
const PLAIN: &str = "\x1b[0m";

/// Returns the rows of a code, each of two rows of modules; nothing for a text that is too long.
pub(super) fn qr_code(text: &str) -> Option<Vec<String>> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let width = i32::try_from(code.width()).ok()?;
    let colors = code.to_colors();
    let is_dark = |x: i32, y: i32| {
        let is_inside = (0..width).contains(&x) && (0..width).contains(&y);
        let at = usize::try_from(y * width + x).ok().filter(|_| is_inside);
        at.and_then(|at| colors.get(at)) == Some(&Color::Dark)
    };
    let row = |y: i32| {
        let modules = (-MARGIN..width + MARGIN).map(|x| match (is_dark(x, y), is_dark(x, y + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        });
        format!("{BLACK_ON_WHITE}{}{PLAIN}", modules.collect::<String>())
    };
    Some((-MARGIN..width + MARGIN).step_by(2).map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::qr_code;

    #[test]
    fn u23_a_link_is_a_code_of_few_rows() {
        let rows = qr_code("https://t.me/sayso_bot").unwrap();
        assert_eq!(rows.len(), 15, "25 modules and the margin, two a row");
        let widths = rows
            .iter()
            .map(|row| row.matches(['█', '▀', '▄', ' ']).count());
        assert!(widths.clone().all(|width| width == 29), "{rows:#?}");
        assert!(qr_code(&"x".repeat(10_000)).is_none());
    }
}
