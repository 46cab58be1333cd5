//! Draws two chats side by side as SVG, in the colours of a theme. Pure: the same messages give the
//! same picture.

use std::fmt::Write as _;

use sayso_fakes::{Author, Message};

use super::spans::{self, Line, Look};
use crate::platform::Platform;

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark letters on a light ground.
    Light,
    /// Light letters on a dark ground.
    Dark,
}

/// The colours of a chat.
struct Colours {
    ground: &'static str,
    bar: &'static str,
    bar_text: &'static str,
    text: &'static str,
    faint: &'static str,
    bot: &'static str,
    person: &'static str,
    code: &'static str,
    button: &'static str,
    button_text: &'static str,
    composer: &'static str,
}

/// Sizes, in pixels.
const PANEL: f64 = 510.0;
const GAP: f64 = 24.0;
const MARGIN: f64 = 14.0;
const BAR: f64 = 46.0;
const LINE: f64 = 21.0;
const BUTTON: f64 = 34.0;
const SIZE: f64 = 15.0;
const COMPOSER: f64 = 40.0;

/// A chat under the pen: the SVG so far, and the height that is used.
struct Panel {
    svg: String,
    platform: Platform,
    colours: Colours,
    left: f64,
    top: f64,
}

/// Returns the picture of both chats.
pub fn chats(telegram: &[Message], discord: &[Message], theme: Theme) -> String {
    let panels = [
        (Platform::Telegram, telegram, 0.0),
        (Platform::Discord, discord, PANEL + GAP),
    ];
    let drawn = panels.map(|(platform, messages, left)| {
        let mut panel = Panel {
            svg: String::new(),
            platform,
            colours: colours(platform, theme),
            left,
            top: BAR + MARGIN,
        };
        for message in messages {
            panel.message(message);
        }
        panel
    });
    let used = drawn.iter().map(|panel| panel.top).fold(0.0, f64::max);
    let height = used + COMPOSER + MARGIN;
    let width = 2.0 * PANEL + GAP;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height:.0}\" width=\"{width}\" \
         height=\"{height:.0}\" role=\"img\" aria-label=\"Sayso in Telegram and in Discord, asking before it \
         deletes a directory\">\n<style>\n\
         text {{ font: {SIZE}px -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif; \
         white-space: pre; }}\n\
         .c {{ font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: 13.5px; }}\n\
         .b {{ font-weight: 600; }}\n.s {{ font-size: 13px; }}\n</style>\n"
    );
    for mut panel in drawn {
        // As in a chat, what is newest stands at the bottom.
        let above = used - panel.top;
        panel.svg = format!(
            "<g transform=\"translate(0 {above:.1})\">\n{}</g>\n",
            panel.svg
        );
        svg += &panel.framed(height);
    }
    svg + "</svg>\n"
}

impl Panel {
    /// Puts the chat onto its ground, below the bar with the name of the bot.
    fn framed(self, height: f64) -> String {
        let (left, colours) = (self.left, &self.colours);
        let name = match self.platform {
            Platform::Telegram => "Telegram",
            Platform::Discord => "Discord",
        };
        let ground = rectangle((left, 0.0), (PANEL, height), 14.0, colours.ground);
        let bar = rectangle((left, 0.0), (PANEL, BAR), 14.0, colours.bar);
        let straight = rectangle((left, BAR / 2.0), (PANEL, BAR / 2.0), 0.0, colours.bar);
        let title = format!(
            "<text x=\"{}\" y=\"29\" fill=\"{}\"><tspan class=\"b\">Sayso</tspan> <tspan class=\"s\" \
             fill-opacity=\"0.75\">· {name}</tspan></text>\n",
            left + 18.0,
            colours.bar_text
        );
        let below = (left + MARGIN, height - COMPOSER - MARGIN);
        let composer = rectangle(
            below,
            (PANEL - 2.0 * MARGIN, COMPOSER),
            12.0,
            colours.composer,
        );
        let hint = format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{}\">{}</text>\n",
            below.0 + 16.0,
            below.1 + 25.0,
            colours.faint,
            match self.platform {
                Platform::Telegram => "Message",
                Platform::Discord => "Message @Sayso",
            }
        );
        format!("{ground}{bar}{straight}{title}{}{composer}{hint}", self.svg)
    }

    fn message(&mut self, message: &Message) {
        match self.platform {
            Platform::Telegram => self.bubble(message),
            Platform::Discord => self.post(message),
        }
    }

    /// A message of Telegram: a bubble, and rows of buttons below it.
    fn bubble(&mut self, message: &Message) {
        let most = PANEL * 0.92;
        let lines = wrapped(spans::lines(message, self.platform), most - 2.0 * MARGIN);
        let is_own = matches!(message.author, Author::Person(_));
        let widest = lines.iter().map(width).fold(0.0, f64::max) + 2.0 * MARGIN;
        let across = if message.buttons.is_empty() {
            widest
        } else {
            most
        };
        let left = if is_own {
            self.left + PANEL - MARGIN - across
        } else {
            self.left + MARGIN
        };
        let fill = if is_own {
            self.colours.person
        } else {
            self.colours.bot
        };
        let height = lines.len() as f64 * LINE + 14.0;
        self.svg += &rectangle((left, self.top), (across, height), 14.0, fill);
        self.lines(&lines, (left + MARGIN, self.top + 7.0));
        self.top += height + 5.0;
        for row in &message.buttons {
            let each = (across - 5.0 * (row.len() - 1) as f64) / row.len() as f64;
            for (place, button) in row.iter().enumerate() {
                self.button((left + place as f64 * (each + 5.0), each), &button.label);
            }
            self.top += BUTTON + 5.0;
        }
        self.top += 7.0;
    }

    /// A message of Discord: the author with a picture, the text, and buttons side by side.
    fn post(&mut self, message: &Message) {
        let is_own = matches!(message.author, Author::Person(_));
        let left = self.left + MARGIN + 50.0;
        let (fill, initial) = if is_own {
            ("#eb459e", "A")
        } else {
            ("#5865f2", "S")
        };
        let (middle, top) = (self.left + MARGIN + 19.0, self.top);
        // Writing to a string cannot fail.
        let _ = write!(
            self.svg,
            "<circle cx=\"{middle}\" cy=\"{:.1}\" r=\"19\" fill=\"{fill}\"/>\n<text class=\"b\" x=\"{middle}\" \
             y=\"{:.1}\" text-anchor=\"middle\" fill=\"#ffffff\">{initial}</text>\n\
             <text class=\"b\" x=\"{left}\" y=\"{:.1}\" fill=\"{}\">{}</text>\n",
            top + 21.0,
            top + 26.0,
            top + 15.0,
            self.colours.text,
            message.author.name()
        );
        if !is_own {
            self.svg += &rectangle((left + 56.0, top + 2.0), (34.0, 16.0), 4.0, "#5865f2");
            let _ = writeln!(
                self.svg,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#ffffff\" \
                 style=\"font-size:10.5px;font-weight:600\">APP</text>",
                left + 73.0,
                top + 14.0
            );
        }
        let lines = wrapped(spans::lines(message, self.platform), PANEL - 78.0 - MARGIN);
        self.lines(&lines, (left, self.top + 21.0));
        self.top += 21.0 + lines.len() as f64 * LINE + 6.0;
        for row in &message.buttons {
            let mut at = left;
            for button in row {
                let across = plain_width(&button.label) + 30.0;
                self.button((at, across), &button.label);
                at += across + 8.0;
            }
            self.top += BUTTON + 7.0;
        }
        self.top += 9.0;
    }

    /// A button from the left, so wide.
    fn button(&mut self, (left, across): (f64, f64), label: &str) {
        let colours = &self.colours;
        self.svg += &rectangle((left, self.top), (across, BUTTON), 8.0, colours.button);
        let _ = writeln!(
            self.svg,
            "<text class=\"b s\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
            left + across / 2.0,
            self.top + BUTTON / 2.0 + 5.0,
            colours.button_text,
            escaped(label)
        );
    }

    /// Lines of text below each other. Code stands on a ground of its own.
    fn lines(&mut self, lines: &[Line], (left, top): (f64, f64)) {
        for (place, line) in lines.iter().enumerate() {
            let is_note = place + 1 == lines.len() && is_note(line);
            let fill = if is_note {
                self.colours.faint
            } else {
                self.colours.text
            };
            self.line(line, (left, top + place as f64 * LINE), fill);
        }
    }

    /// One line, piece by piece: what is code or a sign begins where the pieces before it end.
    fn line(&mut self, line: &Line, (left, top): (f64, f64), fill: &str) {
        let mut at = left;
        let mut text = String::new();
        let mut begins = true;
        for piece in line.chunk_by(|one, other| is_of_one_piece(*one, *other)) {
            let across: f64 = piece
                .iter()
                .map(|(letter, look)| drawn_width(*letter, *look))
                .sum();
            let letters: String = piece.iter().map(|(letter, _)| letter).collect();
            let look = piece[0].1;
            if let Some(sign) = sign(piece[0].0) {
                self.svg += &sign_at(sign, (at, top));
            } else {
                if look.is_code {
                    // Its ground is wider than its letters.
                    at += if at > left { 5.0 } else { 0.0 };
                    let ground = ((at - 3.0, top + 1.0), (across + 6.0, LINE - 2.0));
                    self.svg += &rectangle(ground.0, ground.1, 4.0, self.colours.code);
                }
                let class = if look.is_code {
                    " class=\"c\""
                } else if look.is_bold {
                    " class=\"b\""
                } else {
                    ""
                };
                let place = if begins || look.is_code {
                    format!(" x=\"{at:.1}\"")
                } else {
                    String::new()
                };
                // Writing to a string cannot fail.
                let _ = write!(text, "<tspan{place}{class}>{}</tspan>", escaped(&letters));
            }
            begins = look.is_code || sign(piece[0].0).is_some();
            at += across;
        }
        let _ = writeln!(
            self.svg,
            "<text xml:space=\"preserve\" y=\"{:.1}\" fill=\"{fill}\">{text}</text>",
            top + 15.5
        );
    }
}

/// A sign of a message that is drawn, since every font draws it otherwise.
#[derive(Clone, Copy)]
enum Sign {
    Done,
    Danger,
}

fn sign(letter: char) -> Option<Sign> {
    match letter {
        '✅' => Some(Sign::Done),
        '⚠' => Some(Sign::Danger),
        _ => None,
    }
}

fn sign_at(sign: Sign, (left, top): (f64, f64)) -> String {
    let (left, top) = (left + 1.0, top + 2.5);
    match sign {
        Sign::Done => format!(
            "{}<path d=\"M{:.1} {:.1}l3.2 3.4 6-7\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"2.2\"/>\n",
            rectangle((left, top), (16.0, 16.0), 4.0, "#3ba55d"),
            left + 3.4,
            top + 8.4
        ),
        Sign::Danger => format!(
            "<path d=\"M{:.1} {:.1}l8 14.5h-16z\" fill=\"#f0b232\" stroke=\"#f0b232\" stroke-width=\"1.5\" \
             stroke-linejoin=\"round\"/>\n<path d=\"M{:.1} {:.1}v5.4m0 1.8v1.8\" stroke=\"#3a2b00\" \
             stroke-width=\"1.8\"/>\n",
            left + 8.0,
            top + 0.8,
            left + 8.0,
            top + 5.2
        ),
    }
}

/// Whether two letters are drawn as one piece: alike, and neither a sign.
fn is_of_one_piece((one, look): (char, Look), (other, other_look): (char, Look)) -> bool {
    let goes_with_sign = sign(one).is_some() && other == '\u{fe0f}';
    goes_with_sign
        || look == other_look && sign(other).is_none() && sign(one).is_none() && one != '\u{fe0f}'
}

/// Whether a line is the last of a card: how far it reaches, and when it expires.
fn is_note(line: &Line) -> bool {
    let text: String = line.iter().map(|(letter, _)| letter).collect();
    text.contains("expires in")
}

fn rectangle(
    (left, top): (f64, f64),
    (across, down): (f64, f64),
    round: f64,
    fill: &str,
) -> String {
    format!(
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{across:.1}\" height=\"{down:.1}\" rx=\"{round}\" \
         fill=\"{fill}\"/>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Breaks lines between words.
fn wrapped(lines: Vec<Line>, most: f64) -> Vec<Line> {
    let mut wrapped = Vec::new();
    for line in lines {
        let mut current = Line::new();
        for word in line.split_inclusive(|(letter, _)| *letter == ' ') {
            let longer: Line = [current.as_slice(), word].concat();
            if width(&longer) > most && !current.is_empty() {
                wrapped.push(std::mem::take(&mut current));
                current.extend_from_slice(word);
            } else {
                current = longer;
            }
        }
        wrapped.push(current);
    }
    wrapped
}

/// How wide a line is, about.
fn width(line: &Line) -> f64 {
    line.iter()
        .map(|(letter, look)| drawn_width(*letter, *look))
        .sum()
}

fn drawn_width(letter: char, look: Look) -> f64 {
    match look {
        Look { is_code: true, .. } => 8.15,
        Look { is_bold: true, .. } => letter_width(letter) * 1.1,
        Look { .. } => letter_width(letter),
    }
}

fn plain_width(text: &str) -> f64 {
    text.chars().map(letter_width).sum()
}

/// The widths of letters in a common sans serif, by their kind.
fn letter_width(letter: char) -> f64 {
    let ems = match letter {
        'i' | 'j' | 'l' | '\'' | '.' | ',' | ':' | ';' | '|' | '!' => 0.29,
        'f' | 't' | 'r' | ' ' | '(' | ')' | '-' | '/' | '“' | '”' | '·' => 0.38,
        'm' | 'w' | 'M' | 'W' => 0.88,
        letter if letter.is_ascii_uppercase() => 0.68,
        letter if letter.is_ascii() => 0.58,
        '…' | '•' => 0.7,
        '\u{fe0f}' => 0.0,
        _ => 1.25,
    };
    ems * SIZE * 1.03
}

fn colours(platform: Platform, theme: Theme) -> Colours {
    match (platform, theme) {
        (Platform::Telegram, Theme::Light) => Colours {
            ground: "#d6e3d3",
            bar: "#ffffff",
            bar_text: "#111111",
            text: "#111111",
            faint: "#5f6b73",
            bot: "#ffffff",
            person: "#e3fbc8",
            code: "#eef1f4",
            button: "#7d9a84",
            button_text: "#ffffff",
            composer: "#ffffff",
        },
        (Platform::Telegram, Theme::Dark) => Colours {
            ground: "#0e1621",
            bar: "#17212b",
            bar_text: "#f5f5f5",
            text: "#f5f5f5",
            faint: "#94a5b5",
            bot: "#182533",
            person: "#2b5278",
            code: "#0f1a25",
            button: "#2b3a4a",
            button_text: "#ffffff",
            composer: "#17212b",
        },
        (Platform::Discord, Theme::Light) => Colours {
            ground: "#f7f7f9",
            bar: "#ebedef",
            bar_text: "#060607",
            text: "#2e3338",
            faint: "#6a7079",
            bot: "#f7f7f9",
            person: "#f7f7f9",
            code: "#e7e9ec",
            button: "#d9dce1",
            button_text: "#2e3338",
            composer: "#ebedef",
        },
        (Platform::Discord, Theme::Dark) => Colours {
            ground: "#313338",
            bar: "#2b2d31",
            bar_text: "#f2f3f5",
            text: "#dbdee1",
            faint: "#a3a6ad",
            bot: "#313338",
            person: "#313338",
            code: "#2b2d31",
            button: "#4e5058",
            button_text: "#ffffff",
            composer: "#383a40",
        },
    }
}
