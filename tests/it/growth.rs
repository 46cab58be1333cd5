//! What the soak says of memory: that it grows where something leaks, and not where a process only holds what
//! it once needed. Counted over made-up hours, with a reading a second.

#[path = "../../benches/turns/slope.rs"]
mod slope;

use slope::Slope;

use crate::crash::Random;

const HOURS: u64 = 200;
/// The readings of an hour behind its first quarter.
const SECONDS: u64 = 2_700;
const PAGE_KIB: f64 = 4.0;
/// The soak's twenty messages a second, and the least that an allocator hands out for each.
const SMALLEST_LEAK_KIB: f64 = 20.0 * 16.0 / 1024.0;

/// Returns of how many hours it is said that something grows, or shrinks.
fn called_growing(hour: impl Fn(&mut Random) -> Vec<f64>) -> usize {
    let hours = (0..HOURS).map(|seed| hour(&mut Random::new(seed)));
    hours
        .filter(|readings| !Slope::of(readings).unwrap().may_be_level())
        .count()
}

/// A number between 0 and 1, without both.
fn share(random: &mut Random) -> f64 {
    (random.below(1 << 20) as f64 + 0.5) / f64::from(1 << 20)
}

/// An hour of a process that gives nothing back and leaks nothing: what it holds is the most it ever needed
/// at once, which was most often little and now and then much.
fn holding(random: &mut Random) -> Vec<f64> {
    let mut most = 0.0_f64;
    let hour = (0..SECONDS * 4 / 3).map(|_| {
        most = most.max(-28.0 * share(random).ln());
        whole_pages(most)
    });
    hour.skip(SECONDS as usize / 3).collect()
}

fn whole_pages(kib: f64) -> f64 {
    (kib / PAGE_KIB).floor() * PAGE_KIB
}

/// The same hour with a leak beside it, in KiB a second.
fn leaking(by: f64, random: &mut Random) -> Vec<f64> {
    let held = holding(random).into_iter().enumerate();
    held.map(|(second, held)| held + whole_pages(second as f64 * by))
        .collect()
}

/// An hour of something that goes up and down and comes to nothing.
fn restless(random: &mut Random) -> Vec<f64> {
    (0..SECONDS).map(|_| 100.0 * share(random)).collect()
}

#[test]
fn what_only_holds_what_it_once_needed_is_rarely_called_growing() {
    let wrong = called_growing(holding);
    assert!(wrong <= HOURS as usize / 20, "{wrong} of {HOURS}");
}

#[test]
fn what_goes_up_and_down_is_rarely_called_growing() {
    let wrong = called_growing(restless);
    assert!(wrong <= HOURS as usize / 20, "{wrong} of {HOURS}");
}

#[test]
fn the_smallest_leak_of_each_message_is_always_found() {
    let found = called_growing(|random| leaking(SMALLEST_LEAK_KIB, random));
    assert_eq!(found, HOURS as usize);
}

#[test]
fn how_much_it_grows_is_told_within_what_is_claimed() {
    let right = (0..HOURS).filter(|seed| {
        let readings = leaking(SMALLEST_LEAK_KIB, &mut Random::new(*seed));
        let slope = Slope::of(&readings).unwrap();
        (slope.by - SMALLEST_LEAK_KIB).abs() <= slope.give_or_take
    });
    let right = right.count();
    assert!(right >= HOURS as usize * 95 / 100, "{right} of {HOURS}");
}

#[test]
fn what_rises_evenly_is_told_exactly() {
    let readings: Vec<f64> = (0..100).map(f64::from).collect();
    let minute = Slope::of(&readings).unwrap().times(60.0);
    assert!((minute.by - 60.0).abs() < 1e-9, "{minute:?}");
    assert!(minute.give_or_take < 1e-9, "{minute:?}");
}

#[test]
fn too_few_readings_tell_nothing() {
    assert!(Slope::of(&[1.0; 19]).is_none());
    assert!(Slope::of(&[1.0; 20]).is_some());
}
