//! Pages and spreadsheets as a model reads them: how much text there is, whether the main text of a
//! page is found, how long that takes and how much memory. Prints its figures as one JSON line, last.
//!
//! Ten pages are made here (`pages.rs`), ten are taken from the documentation that comes with Rust,
//! where it is installed. The ten spreadsheets are written by `sheets.py`, where there is openpyxl.
//! Files that are named are read too: `.xlsx` as spreadsheets, all others as pages.
//! `-- --write DIRECTORY` also writes all texts there. `-- --beside DIRECTORY` prints them beside the
//! texts of the same names there, which an earlier version wrote.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod beside;
mod helper;
mod pages;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::Context as _;
use sayso::bench_support::{PageExtent, document_text, page_text};
use serde_json::{Value, json};

use self::beside::beside;
use self::helper::Helper;
use self::pages::Made;

/// Pages of Rust's documentation: of a book, a reference, an interface, lists and large ones.
const INSTALLED: [&str; 10] = [
    "book/ch04-01-what-is-ownership.html",
    "cargo/commands/cargo-build.html",
    "edition-guide/index.html",
    "error_codes/E0308.html",
    "index.html",
    "reference/expressions/operator-expr.html",
    "releases.html",
    "std/index.html",
    "std/iter/trait.Iterator.html",
    "std/vec/struct.Vec.html",
];
/// How often each is read to measure the time.
const ROUNDS: u32 = 5;

fn main() -> anyhow::Result<()> {
    let options = Options::of(std::env::args().skip(1));
    let helper = Helper::of_this_build()?;
    let mut read = Vec::new();
    println!(
        "page                            bytes   whole    main      ms   MB  helper  found  around"
    );
    let named = options.named_pages()?;
    for made in pages::made().into_iter().chain(installed()).chain(named) {
        read.push(page(&made, &helper, &options)?);
    }
    println!("\nspreadsheet                     bytes    text      ms   MB");
    let sheets = tempfile::tempdir()?;
    for path in written(sheets.path())?.iter().chain(&options.sheets) {
        read.push(sheet(path, &options)?);
    }
    println!("{}", json!({"bench": "reading", "read": read}));
    Ok(())
}

/// What is wanted besides the figures.
#[derive(Default)]
struct Options {
    /// Where texts are written, to be looked at.
    write: Option<PathBuf>,
    /// Where the texts of an earlier version are.
    beside: Option<PathBuf>,
    pages: Vec<PathBuf>,
    sheets: Vec<PathBuf>,
}

impl Options {
    fn of(mut arguments: impl Iterator<Item = String>) -> Self {
        let mut options = Self::default();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--write" => options.write = arguments.next().map(PathBuf::from),
                "--beside" => options.beside = arguments.next().map(PathBuf::from),
                // Of cargo itself.
                "--bench" => {}
                _ => {
                    let path = PathBuf::from(argument);
                    let is_sheet = path.extension().is_some_and(|it| it == "xlsx");
                    let named = if is_sheet {
                        &mut options.sheets
                    } else {
                        &mut options.pages
                    };
                    named.push(path);
                }
            }
        }
        options
    }

    fn named_pages(&self) -> anyhow::Result<Vec<Made>> {
        let read = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = name.trim_end_matches(".html").trim_end_matches(".page");
            Ok(Made {
                name: name.to_owned(),
                markup: String::from_utf8_lossy(&fs::read(path)?).into_owned(),
                main: &[],
                around: &[],
            })
        };
        self.pages.iter().map(read).collect()
    }

    /// Writes a text, and prints it beside that of an earlier version.
    fn show(&self, name: &str, text: &str) -> anyhow::Result<()> {
        let name = name.replace(['/', ' '], "_");
        if let Some(directory) = &self.write {
            fs::create_dir_all(directory)?;
            fs::write(directory.join(&name), text).context("cannot write a text")?;
        }
        let earlier = self.beside.as_ref().map(|it| it.join(&name));
        if let Some(earlier) = earlier.filter(|it| it.exists()) {
            println!("\n{name}\n{}", beside(&fs::read_to_string(earlier)?, text));
        }
        Ok(())
    }
}

fn page(made: &Made, helper: &Helper, options: &Options) -> anyhow::Result<Value> {
    let whole = page_text(&made.markup, PageExtent::Whole)?.text;
    let (main, took, memory) = measured(|| page_text(&made.markup, PageExtent::Main));
    let main = main?.text;
    let in_helper = helper.milliseconds(&made.markup)?;
    let has = |words: &&&str| main.contains(**words);
    let found = made.main.iter().filter(has).count();
    let around = made.around.iter().filter(has).count();
    println!(
        "{:28.28} {:8} {:7} {:7} {took:7.1} {memory:4} {in_helper:7.1}  {found}/{}    {around}/{}",
        made.name,
        made.markup.len(),
        whole.len(),
        main.len(),
        made.main.len(),
        made.around.len()
    );
    options.show(&format!("{}.page.html", made.name), &made.markup)?;
    options.show(&format!("{}.whole.txt", made.name), &whole)?;
    options.show(&format!("{}.main.txt", made.name), &main)?;
    Ok(json!({
        "page": made.name, "bytes": made.markup.len(), "whole": whole.len(), "main": main.len(),
        "ms": took, "mb": memory, "helper_ms": in_helper, "found": found, "of": made.main.len(),
        "around": around,
    }))
}

fn sheet(path: &Path, options: &Options) -> anyhow::Result<Value> {
    let bytes = fs::read(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (text, took, memory) = measured(|| document_text(&bytes));
    let text = text?;
    println!(
        "{name:28} {:8} {:7} {took:7.1} {memory:4}",
        bytes.len(),
        text.len()
    );
    options.show(&format!("{name}.txt"), &text)?;
    Ok(json!({
        "sheet": name, "bytes": bytes.len(), "text": text.len(), "ms": took, "mb": memory,
    }))
}

/// Returns the pages of Rust's documentation that are installed.
fn installed() -> Vec<Made> {
    let asked = Command::new("rustc").args(["--print", "sysroot"]).output();
    let sysroot = asked.map(|it| String::from_utf8_lossy(&it.stdout).trim().to_owned());
    let root = PathBuf::from(sysroot.unwrap_or_default()).join("share/doc/rust/html");
    let read = |name: &&'static str| {
        Some(Made {
            name: (*name).to_owned(),
            markup: fs::read_to_string(root.join(name)).ok()?,
            main: &[],
            around: &[],
        })
    };
    INSTALLED.iter().filter_map(read).collect()
}

/// Writes the spreadsheets; none where there is no openpyxl.
fn written(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/reading/sheets.py");
    let made = Command::new("python3").arg(script).arg(directory).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("(none: python3 with openpyxl is needed)");
    }
    let found = fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path()));
    let mut found: Vec<PathBuf> = found.collect::<Result<_, _>>()?;
    found.sort();
    Ok(found)
}

/// Returns what `read` returns, its milliseconds, and the megabytes that it grew the process by.
fn measured<T>(read: impl Fn() -> T) -> (T, f64, u64) {
    // Makes the most that was resident what is resident now (proc_pid_clear_refs(5)).
    let _ = fs::write("/proc/self/clear_refs", "5");
    let before = most_resident();
    let first = read();
    let memory = most_resident().saturating_sub(before) / 1024;
    let begun = Instant::now();
    for _ in 0..ROUNDS {
        read();
    }
    let took = begun.elapsed().as_secs_f64() * 1000.0 / f64::from(ROUNDS);
    (first, took, memory)
}

/// Returns the most that was resident, in kilobytes.
fn most_resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or_default()
}
