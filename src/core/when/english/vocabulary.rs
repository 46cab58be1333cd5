//! The words of English for numbers, units, days, months and parts of the day.

use chrono::Weekday::{self, Fri, Mon, Sat, Sun, Thu, Tue, Wed};

use crate::when::expression::{Day, Month, Part, Season, Unit, Year};
use crate::when::schedule::MonthDay;

/// Returns what a word stands for in a table.
pub(super) fn look_up<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    let found = table.iter().find(|(name, _)| *name == word);
    found.map(|(_, meaning)| *meaning)
}

pub(super) const NUMBERS: [(&str, u32); 28] = [
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("hundred", 100),
];

pub(super) const ORDINALS: [(&str, u32); 14] = [
    ("first", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("eleventh", 11),
    ("twelfth", 12),
    ("fifteenth", 15),
    ("twentieth", 20),
];

pub(super) const UNITS: [(&str, Unit); 19] = [
    ("second", Unit::Second),
    ("seconds", Unit::Second),
    ("sec", Unit::Second),
    ("secs", Unit::Second),
    ("minute", Unit::Minute),
    ("minutes", Unit::Minute),
    ("min", Unit::Minute),
    ("mins", Unit::Minute),
    ("hour", Unit::Hour),
    ("hours", Unit::Hour),
    ("hr", Unit::Hour),
    ("hrs", Unit::Hour),
    ("day", Unit::Day),
    ("days", Unit::Day),
    ("week", Unit::Week),
    ("weeks", Unit::Week),
    ("wk", Unit::Week),
    ("wks", Unit::Week),
    ("month", Unit::Month),
];

/// Units of one letter, which touch their number: `90m`.
pub(super) const SHORT_UNITS: [(&str, Unit); 5] = [
    ("s", Unit::Second),
    ("m", Unit::Minute),
    ("h", Unit::Hour),
    ("d", Unit::Day),
    ("w", Unit::Week),
];

pub(super) const MORE_UNITS: [(&str, Unit); 5] = [
    ("months", Unit::Month),
    ("year", Unit::Year),
    ("years", Unit::Year),
    ("yr", Unit::Year),
    ("yrs", Unit::Year),
];

pub(super) fn unit(word: &str) -> Option<Unit> {
    look_up(&UNITS, word).or_else(|| look_up(&MORE_UNITS, word))
}

pub(super) const WEEKDAYS: [(&str, Weekday); 23] = [
    ("monday", Mon),
    ("tuesday", Tue),
    ("wednesday", Wed),
    ("thursday", Thu),
    ("friday", Fri),
    ("saturday", Sat),
    ("sunday", Sun),
    ("mondays", Mon),
    ("tuesdays", Tue),
    ("wednesdays", Wed),
    ("thursdays", Thu),
    ("fridays", Fri),
    ("saturdays", Sat),
    ("sundays", Sun),
    ("tue", Tue),
    ("tues", Tue),
    ("thu", Thu),
    ("thur", Thu),
    ("thurs", Thu),
    ("fri", Fri),
    ("weds", Wed),
    ("wednsday", Wed),
    ("thurday", Thu),
];

/// Short names of weekdays that are also other words.
pub(super) const DOUBTFUL_WEEKDAYS: [(&str, Weekday); 4] =
    [("mon", Mon), ("wed", Wed), ("sat", Sat), ("sun", Sun)];

pub(super) const MONTHS: [(&str, u32); 23] = [
    ("january", 1),
    ("february", 2),
    ("march", 3),
    ("april", 4),
    ("may", 5),
    ("june", 6),
    ("july", 7),
    ("august", 8),
    ("september", 9),
    ("october", 10),
    ("november", 11),
    ("december", 12),
    ("jan", 1),
    ("feb", 2),
    ("mar", 3),
    ("apr", 4),
    ("jun", 6),
    ("jul", 7),
    ("aug", 8),
    ("sep", 9),
    ("sept", 9),
    ("oct", 10),
    ("nov", 11),
];

pub(super) fn month(word: &str) -> Option<u32> {
    look_up(&MONTHS, word).or_else(|| (word == "dec").then_some(12))
}

/// Names of months that are nothing else, not even a person.
pub(super) const PLAIN_MONTHS: [&str; 8] = [
    "january",
    "february",
    "july",
    "september",
    "october",
    "november",
    "december",
    "sept",
];

pub(super) const PARTS: [(&str, Part); 12] = [
    ("morning", Part::Morning),
    ("mornings", Part::Morning),
    ("noon", Part::Noon),
    ("midday", Part::Noon),
    ("afternoon", Part::Afternoon),
    ("afternoons", Part::Afternoon),
    ("evening", Part::Evening),
    ("evenings", Part::Evening),
    ("night", Part::Night),
    ("nights", Part::Night),
    ("nite", Part::Night),
    ("midnight", Part::Midnight),
];

pub(super) const SEASONS: [(&str, Season); 5] = [
    ("spring", Season::Spring),
    ("summer", Season::Summer),
    ("autumn", Season::Autumn),
    ("fall", Season::Autumn),
    ("winter", Season::Winter),
];

/// Holidays on a fixed date: their words, month and day.
pub(super) const HOLIDAYS: [(&[&str], u32, u32); 12] = [
    (&["christmas", "eve"], 12, 24),
    (&["xmas", "eve"], 12, 24),
    (&["boxing", "day"], 12, 26),
    (&["christmas", "day"], 12, 25),
    (&["christmas"], 12, 25),
    (&["xmas"], 12, 25),
    (&["new", "years", "eve"], 12, 31),
    (&["new", "years", "day"], 1, 1),
    (&["halloween"], 10, 31),
    (&["valentines", "day"], 2, 14),
    (&["valentines"], 2, 14),
    (&["saint", "nicholas", "day"], 12, 6),
];

/// Holidays of the lunar calendar.
pub(super) const LUNAR_HOLIDAYS: [(&[&str], u32, u32); 6] = [
    (&["chinese", "new", "years", "day"], 1, 1),
    (&["chinese", "new", "year"], 1, 1),
    (&["lunar", "new", "year"], 1, 1),
    (&["mid", "autumn", "festival"], 8, 15),
    (&["dragon", "boat", "festival"], 5, 5),
    (&["lantern", "festival"], 1, 15),
];

/// Holidays whose date is not calculated here, or differs from place to place.
pub(super) const UNKNOWN_HOLIDAYS: [&[&str]; 16] = [
    &["easter", "sunday"],
    &["easter", "monday"],
    &["easter"],
    &["good", "friday"],
    &["ash", "wednesday"],
    &["palm", "sunday"],
    &["pentecost"],
    &["thanksgiving", "day"],
    &["thanksgiving"],
    &["ramadan"],
    &["passover"],
    &["hanukkah"],
    &["diwali"],
    &["mothers", "day"],
    &["fathers", "day"],
    &["labor", "day"],
];

/// Words for a day, and how far ahead of today it is.
pub(super) const NEAR_DAYS: [(&[&str], i64); 14] = [
    (&["the", "day", "after", "tomorrow"], 2),
    (&["day", "after", "tomorrow"], 2),
    (&["the", "day", "before", "yesterday"], -2),
    (&["day", "before", "yesterday"], -2),
    (&["overmorrow"], 2),
    (&["tomorrow"], 1),
    (&["tomorow"], 1),
    (&["tommorow"], 1),
    (&["tommorrow"], 1),
    (&["tmrw"], 1),
    (&["tmr"], 1),
    (&["today"], 0),
    (&["yesterday"], -1),
    (&["tmrrw"], 1),
];

/// Words that say no more than some time ahead.
pub(super) const VAGUE: [&[&str]; 17] = [
    &["later"],
    &["later", "today"],
    &["soon"],
    &["sometime"],
    &["some", "time"],
    &["someday"],
    &["some", "day"],
    &["eventually"],
    &["in", "a", "bit"],
    &["in", "a", "while"],
    &["in", "a", "moment"],
    &["in", "a", "few"],
    &["at", "some", "point"],
    &["one", "of", "these", "days"],
    &["one", "day"],
    &["every", "so", "often"],
    &["now", "and", "then"],
];

/// Names that stand for a zone behind a time of the clock.
pub(super) const ZONES: [(&str, &str); 14] = [
    ("utc", "UTC"),
    ("gmt", "UTC"),
    ("z", "UTC"),
    ("est", "America/New_York"),
    ("edt", "America/New_York"),
    ("et", "America/New_York"),
    ("pst", "America/Los_Angeles"),
    ("pdt", "America/Los_Angeles"),
    ("pt", "America/Los_Angeles"),
    ("cet", "Europe/Berlin"),
    ("cest", "Europe/Berlin"),
    ("bst", "Europe/London"),
    ("jst", "Asia/Tokyo"),
    ("eastern", "America/New_York"),
];

/// Cities that give no name to a zone.
pub(super) const CITIES: [(&str, &str); 10] = [
    ("beijing", "Asia/Shanghai"),
    ("china", "Asia/Shanghai"),
    ("san francisco", "America/Los_Angeles"),
    ("seattle", "America/Los_Angeles"),
    ("boston", "America/New_York"),
    ("washington", "America/New_York"),
    ("munich", "Europe/Berlin"),
    ("geneva", "Europe/Zurich"),
    ("mumbai", "Asia/Kolkata"),
    ("delhi", "Asia/Kolkata"),
];

/// Returns a date that names no year.
pub(super) fn yearly(month: u32, day: u32) -> Day {
    Day::OfMonth(MonthDay::Day(day), Month::Named(month, Year::Nearest))
}
