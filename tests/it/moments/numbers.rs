//! That each of the seventy moments stands on a page.

use std::collections::BTreeSet;
use std::path::Path;

/// How many moments there are.
const MOMENTS: u8 = 70;

/// Returns the numbers of the moments on a page.
fn numbers_of(page: &str) -> BTreeSet<u8> {
    let headings = page.lines().filter_map(|line| line.strip_prefix("## "));
    headings
        .filter_map(|heading| heading.split(' ').next()?.parse().ok())
        .collect()
}

#[test]
fn each_moment_stands_on_a_page_of_each_platform_and_language() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/moments/snapshots");
    for platform in ["telegram", "discord"] {
        for language in ["english", "chinese"] {
            let mut found = BTreeSet::new();
            for page in std::fs::read_dir(&pages).unwrap() {
                let page = page.unwrap();
                let name = page.file_name().into_string().unwrap();
                let is_here = [platform, "terminal"]
                    .iter()
                    .any(|place| name.ends_with(&format!(".{place}.{language}.snap")));
                if is_here {
                    found.extend(numbers_of(&std::fs::read_to_string(page.path()).unwrap()));
                }
            }
            let missing: Vec<u8> = (1..=MOMENTS).filter(|it| !found.contains(it)).collect();
            assert!(missing.is_empty(), "{platform}, {language}: {missing:?}");
        }
    }
}
