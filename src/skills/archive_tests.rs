//! Archives that unpack, and those that are refused.

use std::io::{Cursor, Write as _};
use std::path::PathBuf;

use tempfile::TempDir;
use zip::write::SimpleFileOptions;

use super::{Format, unpack};
use crate::skills::content::Content;
use crate::skills::problem::Refusal;

/// Puts an archive on disk and unpacks it.
fn unpacked(name: &str, bytes: &[u8]) -> Result<Content, Refusal> {
    let directory = TempDir::new().unwrap();
    let path: PathBuf = directory.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    unpack(&path, Format::of(name).unwrap())
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Builds an archive with names that the crate's own writer would refuse.
fn tarred(entries: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, kind, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append(&header, *bytes).unwrap();
    }
    archive.into_inner().unwrap()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

#[test]
fn either_archive_unpacks_to_the_same() {
    let files: [(&str, &[u8]); 2] = [("tea/SKILL.md", b"boil"), ("tea/a/b.md", b"wait")];
    let zip = unpacked("tea.zip", &zipped(&files)).unwrap();
    let regular = files.map(|(name, bytes)| (name, tar::EntryType::Regular, bytes));
    let tar = tarred(&regular);
    assert_eq!(unpacked("tea.tar", &tar).unwrap(), zip);
    assert_eq!(unpacked("tea.tar.gz", &gzipped(&tar)).unwrap(), zip);
    assert_eq!(zip.skills(), ["tea"]);
    let tea = zip.below("tea");
    assert_eq!(tea.text("a/b.md"), Some("wait"));
}

#[test]
fn a_path_that_leads_out_is_refused() {
    for name in ["../x", "a/../../x", "/etc/x", "a\\..\\x", "C:x"] {
        let refused = Err(Refusal::LeadsOut(name.to_owned()));
        assert_eq!(unpacked("x.zip", &zipped(&[(name, b"x")])), refused);
        let tar = tarred(&[(name, tar::EntryType::Regular, b"x")]);
        assert_eq!(unpacked("x.tgz", &gzipped(&tar)), refused);
    }
}

#[test]
fn what_is_no_plain_file_is_refused() {
    use tar::EntryType::{Block, Char, Fifo, Link, Symlink};
    for kind in [Symlink, Link, Char, Block, Fifo] {
        let tar = tarred(&[("names", kind, b"")]);
        let refused = Err(Refusal::NoPlainFile("names".to_owned()));
        assert_eq!(unpacked("x.tar", &tar), refused, "{kind:?}");
    }
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive
        .add_symlink("names", "/etc/passwd", SimpleFileOptions::default())
        .unwrap();
    let zip = archive.finish().unwrap().into_inner();
    let refused = Err(Refusal::NoPlainFile("names".to_owned()));
    assert_eq!(unpacked("x.zip", &zip), refused);
}

#[test]
fn what_unpacks_to_far_more_than_it_packs_is_refused() {
    let zeros = vec![0; 1024 * 1024];
    let bomb = zipped(&[("SKILL.md", &zeros)]);
    assert!(bomb.len() < 10_000);
    assert_eq!(unpacked("x.zip", &bomb), Err(Refusal::Bomb));
    let tar = gzipped(&tarred(&[("SKILL.md", tar::EntryType::Regular, &zeros)]));
    assert_eq!(unpacked("x.tgz", &tar), Err(Refusal::Bomb));
    let zeros = vec![0; 64 * 1024 * 1024];
    let larger = gzipped(&tarred(&[("SKILL.md", tar::EntryType::Regular, &zeros)]));
    assert_eq!(unpacked("x.tgz", &larger), Err(Refusal::TooLarge));
}

#[test]
fn too_many_entries_are_refused() {
    let names: Vec<String> = (0..2000).map(|number| format!("f{number}/")).collect();
    let folders: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), tar::EntryType::Directory, &b""[..]))
        .collect();
    let tar = gzipped(&tarred(&folders));
    assert_eq!(unpacked("x.tgz", &tar), Err(Refusal::TooManyFiles));
}

#[test]
fn what_is_no_archive_is_refused() {
    for name in ["x.zip", "x.tar", "x.tgz"] {
        let refused = unpacked(name, &[b'x'; 2000]);
        assert!(
            matches!(refused, Err(Refusal::BrokenArchive(_))),
            "{name}: {refused:?}"
        );
    }
    assert_eq!(Format::of("x.rar"), None);
}
