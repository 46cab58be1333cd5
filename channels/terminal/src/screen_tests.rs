//! What is written where; escape sequences are shown with `^`.

use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use insta::assert_snapshot;
use sayso_channel::{Language, MessageKey, Outbound};

use super::{Screen, Surface};
use crate::device::Size;
use crate::lines::Echoes;
use crate::render::render;
use crate::rows::Paint;

/// An output that a test can read, and empty.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Paper {
    fn take(&self) -> String {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap());
        String::from_utf8(bytes).unwrap().replace('\x1b', "^")
    }
}

fn stream() -> (Screen, Paper) {
    let paper = Paper::default();
    let screen = Screen::new(Box::new(paper.clone()), Surface::Stream, Language::English);
    (screen, paper)
}

fn terminal() -> (Screen, Paper, Echoes) {
    let (paper, echoes) = (Paper::default(), Echoes::default());
    let surface = Surface::Terminal {
        size: || Size {
            columns: 20,
            rows: 8,
        },
        echoes: Arc::clone(&echoes),
        paint: Paint::None,
    };
    let screen = Screen::new(Box::new(paper.clone()), surface, Language::English);
    (screen, paper, echoes)
}

fn show(screen: &mut Screen, message: &str, markdown: &str) {
    let part = render(&Outbound::markdown(markdown)).remove(0);
    screen.show(&MessageKey::from(message), &part).unwrap();
}

fn change(screen: &mut Screen, message: &str, markdown: &str) {
    let part = render(&Outbound::markdown(markdown)).remove(0);
    screen.change(&MessageKey::from(message), &part).unwrap();
}

#[test]
fn the_new_form_of_a_message_is_a_new_block_in_a_stream() {
    let (mut screen, paper) = stream();
    show(&mut screen, "1", "May I?");
    change(&mut screen, "1", "May I?\nApproved.");
    change(&mut screen, "1", "May I?\nApproved.");
    show(&mut screen, "2", "Next.");
    screen.remark("done").unwrap();
    change(&mut screen, "1", "It is 43.");
    assert_snapshot!(paper.take(), @r"
    sayso> May I?
         ↳ May I?
    Approved.
    sayso> Next.
         · done
         ↳ It is 43.
    ");
}

#[test]
fn the_newest_message_is_written_over_on_a_terminal() {
    let (mut screen, paper, _) = terminal();
    show(&mut screen, "1", "one line\nand a long one that wraps");
    assert_snapshot!(paper.take(), @r"
    sayso> one line
    and a long one that
    wraps
    ");
    change(&mut screen, "1", "one line\nand more\nof it");
    assert_snapshot!(paper.take().replace('\r', ""), @r"
    ^[2A^[Jand more
    of it
    ");
    change(&mut screen, "1", "gone");
    assert_snapshot!(paper.take().replace('\r', ""), @"^[3A^[Jsayso> gone");
    change(&mut screen, "1", "gone");
    assert_eq!(paper.take(), "");
}

#[test]
fn what_was_typed_below_a_message_is_never_written_over() {
    let (mut screen, paper, echoes) = terminal();
    show(&mut screen, "1", "May I?");
    echoes.fetch_add(1, Ordering::SeqCst);
    paper.take();
    change(&mut screen, "1", "Approved");
    assert_snapshot!(paper.take(), @"     ↳ Approved");
    change(&mut screen, "1", "Approved: done");
    assert_snapshot!(paper.take().replace('\r', ""), @r"
    ^[1A^[J     ↳ Approved:
    done
    ");
}

#[test]
fn what_scrolled_away_is_never_written_over() {
    let (mut screen, paper, _) = terminal();
    show(&mut screen, "1", "1\n2\n3\n4\n5\n6\n7");
    paper.take();
    change(&mut screen, "1", "1\n2\n3\n4\n5\n6\n7\n8");
    assert_snapshot!(paper.take(), @"8");
    change(&mut screen, "1", "x");
    assert_snapshot!(paper.take(), @"     ↳ x");
}
