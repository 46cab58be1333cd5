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
}

/// Sizes, in pixels.
const PANEL: f64 = 480.0;
const GAP: f64 = 24.0;
const MARGIN: f64 = 14.0;
const BAR: f64 = 46.0;
const LINE: f64 = 21.0;
const BUTTON: f64 = 34.0;
const SIZE: f64 = 15.0;

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
    let height = drawn.iter().map(|panel| panel.top).fold(0.0, f64::max);
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
    for panel in drawn {
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
        format!("{ground}{bar}{straight}{title}{}", self.svg)
    }

    fn message(&mut self, message: &Message) {
        match self.platform {
            Platform::Telegram => self.bubble(message),
            Platform::Discord => self.post(message),
        }
    }

    /// A message of Telegram: a bubble, and rows of buttons below it.
    fn bubble(&mut self, message: &Message) {
        let most = PANEL * 0.84;
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
            self.svg += &rectangle((left + 50.0, top + 2.0), (34.0, 16.0), 4.0, "#5865f2");
            let _ = write!(
                self.svg,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#ffffff\" \
                 style=\"font-size:10.5px;font-weight:600\">APP</text>\n",
                left + 67.0,
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
        let _ = write!(
            self.svg,
            "<text class=\"b s\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{}\">{}</text>\n",
            left + across / 2.0,
            self.top + BUTTON / 2.0 + 5.0,
            colours.button_text,
            escaped(label)
        );
    }

    /// Lines of text below each other; lines of code stand on a ground of their own.
    fn lines(&mut self, lines: &[Line], (left, top): (f64, f64)) {
        for (place, line) in lines.iter().enumerate() {
            let top = top + place as f64 * LINE;
            if line.iter().any(|(_, look)| look.is_code) {
                let across = width(line) + 12.0;
                self.svg += &rectangle(
                    (left - 4.0, top + 1.0),
                    (across, LINE - 2.0),
                    4.0,
                    self.colours.code,
                );
            }
            let is_small = place + 1 == lines.len() && starts_like_a_note(line);
            let fill = if is_small {
                self.colours.faint
            } else {
                self.colours.text
            };
            let _ = write!(
                self.svg,
                "<text x=\"{left:.1}\" y=\"{:.1}\" fill=\"{fill}\">{}</text>\n",
                top + 15.5,
                tspans(line)
            );
        }
    }
}

/// Whether a line is the last of a card: how far it reaches, and when it expires.
fn starts_like_a_note(line: &Line) -> bool {
    let text: String = line.iter().map(|(letter, _)| letter).collect();
    text.contains("expires in")
}

fn tspans(line: &Line) -> String {
    let mut text = String::new();
    for piece in line.chunk_by(|(_, one), (_, other)| one == other) {
        let letters: String = piece.iter().map(|(letter, _)| letter).collect();
        let letters = escaped(&letters);
        let class = match piece.first().map(|(_, look)| *look) {
            Some(Look { is_code: true, .. }) => "c",
            Some(Look { is_bold: true, .. }) => "b",
            _ => {
                text += &letters;
                continue;
            }
        };
        let _ = write!(text, "<tspan class=\"{class}\">{letters}</tspan>");
    }
    text
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
        .map(|(letter, look)| {
            if look.is_code {
                8.15
            } else {
                letter_width(*letter)
            }
        })
        .sum()
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
    ems * SIZE
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
        },
    }
}
