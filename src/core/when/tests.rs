//! What expressions mean: the cases in `tests/data/when`, the labelled set of the material where it is
//! there, and texts of every kind that must not panic.

use chrono::DateTime;
use chrono_tz::Tz;

use super::*;

fn seen_from(at: &str, zone: &str) -> DateTime<Tz> {
    let at = DateTime::parse_from_rfc3339(at).unwrap();
    at.with_timezone(&zone.parse::<Tz>().unwrap())
}

#[test]
fn scratch() {
    let Ok(text) = std::env::var("WHEN_CASES") else {
        return;
    };
    for line in std::fs::read_to_string(text).unwrap().lines() {
        let mut cells = line.split('\t');
        let (id, at, zone, say) = (
            cells.next().unwrap(),
            cells.next().unwrap(),
            cells.next().unwrap(),
            cells.next().unwrap(),
        );
        let now = seen_from(at, zone);
        let Understood { answer, about } = understand(say, &now);
        let (kind, value) = match answer {
            Answer::At(at) => ("at", at.to_rfc3339()),
            Answer::Past(at) => ("past", at.to_rfc3339()),
            Answer::Nothing => ("none", String::new()),
            Answer::Span(span) => (
                "span",
                format!("{} {}", span.from.to_rfc3339(), span.until.to_rfc3339()),
            ),
            Answer::Ask(question) => ("ask", format!("{:?}", question.why)),
            Answer::Recurring(schedule) => {
                let next: Vec<String> = schedule
                    .occurrences(&now)
                    .take(3)
                    .map(|at| at.to_rfc3339())
                    .collect();
                (
                    "recurring",
                    format!("{} | {}", next.join(" "), schedule.as_text()),
                )
            }
        };
        println!("CASE\t{id}\t{kind}\t{value}\t{about}");
    }
}
