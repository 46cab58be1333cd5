//! Links of the pages: to other pages and files, and to the headings in them. Addresses of the internet
//! are not asked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use super::{Page, check, pages, root};

/// Returns the targets of the links in a line: of `[text](target)` and `src="target"`.
fn targets(line: &str) -> Vec<&str> {
    let plain = without_code(line);
    let mut targets = Vec::new();
    for (mark, end) in [
        ("](", ')'),
        ("src=\"", '"'),
        ("srcset=\"", '"'),
        ("href=\"", '"'),
    ] {
        for (at, _) in plain.match_indices(mark) {
            let rest = &line[at + mark.len()..];
            targets.push(rest.split([end, ' ']).next().unwrap_or_default());
        }
    }
    targets
}

/// Returns a line of the same length, with code blanked out.
fn without_code(line: &str) -> String {
    let mut is_code = false;
    let letter = |letter: char| {
        is_code ^= letter == '`';
        let mut bytes = [0; 4];
        let length = letter.encode_utf8(&mut bytes).len();
        if is_code || letter == '`' {
            " ".repeat(length)
        } else {
            letter.to_string()
        }
    };
    line.chars().map(letter).collect()
}

/// Returns the names by which the headings of a page can be linked to, as mdBook and GitHub make them:
/// lower case, blanks as `-`, and no other punctuation; a second one of a name has a number.
fn anchors(page: &Page) -> BTreeSet<String> {
    let mut seen = BTreeMap::<String, usize>::new();
    let mut anchors = BTreeSet::new();
    for (_, line) in page.prose() {
        let Some(heading) = line.strip_prefix('#') else {
            continue;
        };
        let name = anchor(heading.trim_start_matches('#'));
        let count = seen.entry(name.clone()).or_default();
        anchors.insert(match *count {
            0 => name.clone(),
            number => format!("{name}-{number}"),
        });
        *count += 1;
    }
    anchors
}

fn anchor(heading: &str) -> String {
    let mut text = heading.trim().to_owned();
    // Of a link the text counts.
    while let Some((before, rest)) = text.split_once("](") {
        let after = rest.split_once(')').map_or("", |(_, after)| after);
        text = format!("{}{after}", before.replacen('[', "", 1));
    }
    let letters = text.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '_' | '-' => Some(letter),
        _ if letter.is_alphanumeric() => Some(letter),
        _ => None,
    });
    letters.collect::<String>().to_lowercase()
}

/// Takes `.` and `..` out of a path.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

/// Returns why a link leads nowhere.
fn trouble(page: &Page, target: &str, all: &[Page]) -> Option<String> {
    if ["http://", "https://", "mailto:"]
        .iter()
        .any(|it| target.starts_with(it))
    {
        return None;
    }
    let (file, name) = match target.split_once('#') {
        Some((file, name)) => (file, Some(name)),
        None => (target, None),
    };
    let path = if file.is_empty() {
        PathBuf::from(&page.path)
    } else {
        plain(&Path::new(&page.path).parent().unwrap().join(file))
    };
    if !root().join(&path).exists() {
        return Some(format!("`{target}`: there is no `{}`", path.display()));
    }
    // What is not in the book is not in its pages either.
    let is_in_book = |path: &Path| path.starts_with("docs/src");
    if is_in_book(Path::new(&page.path)) && !is_in_book(&path) {
        return Some(format!("`{target}` leads out of the book"));
    }
    let name = name?;
    let linked = all.iter().find(|page| Path::new(&page.path) == path);
    let Some(linked) = linked else {
        return Some(format!("`{target}`: `{}` is no page", path.display()));
    };
    let has_it = anchors(linked).contains(name);
    (!has_it).then(|| format!("`{target}`: no heading of `{}` is `#{name}`", linked.path))
}

#[test]
fn links_lead_to_pages_and_headings() {
    let all = pages();
    let (mut count, mut breaches) = (0, Vec::new());
    for page in &all {
        for (number, line) in page.prose() {
            for target in targets(line) {
                count += 1;
                if let Some(trouble) = trouble(page, target, &all) {
                    breaches.push(format!("{}:{number}: {trouble}", page.path));
                }
            }
        }
    }
    check(&breaches);
    assert!(count > 10, "only {count} links were found");
}

#[test]
fn every_page_is_in_the_summary() {
    let all = pages();
    let Some(summary) = all.iter().find(|page| page.path == "docs/src/SUMMARY.md") else {
        return;
    };
    let listed: BTreeSet<PathBuf> = summary
        .prose()
        .iter()
        .flat_map(|(_, line)| targets(line))
        .map(|target| Path::new("docs/src").join(target))
        .collect();
    let mut missing = Vec::new();
    for page in all.iter().filter(|page| page.path.starts_with("docs/src/")) {
        let path = PathBuf::from(&page.path);
        if page.path != summary.path && !listed.contains(&path) {
            missing.push(page.path.clone());
        }
    }
    check(&missing);
}

#[test]
fn anchors_are_those_of_mdbook() {
    assert_eq!(
        anchor(" Use `[http] listen`, please!"),
        "use-http-listen-please"
    );
    assert_eq!(anchor("A [link](to.md#x) here"), "a-link-here");
    assert_eq!(anchor("在聊天中"), "在聊天中");
    assert_eq!(
        targets("see [a](b.md#c) and `[d](e)`, <img src=\"f.svg\">"),
        ["b.md#c", "f.svg"]
    );
    let page = Page {
        path: "a.md".to_owned(),
        text: "# One\n```text\n# no\n```\n## One\n<!-- ## Two -->\n".to_owned(),
    };
    let anchors: Vec<String> = anchors(&page).into_iter().collect();
    assert_eq!(anchors, ["one", "one-1"]);
}
