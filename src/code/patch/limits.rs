//! How large patches and files may be, so that the work on one patch is bounded.

/// The largest patch, in bytes.
pub const PATCH_BYTES: usize = 1024 * 1024;
/// The largest file that a patch may change, in bytes.
pub const FILE_BYTES: usize = 4 * 1024 * 1024;
/// The most sections of one patch: a section adds, deletes or updates a file.
pub const SECTIONS: usize = 500;
/// The most hunks of one patch.
pub const HUNKS: usize = 2_000;
/// The most lines of files that all searches of one patch go through together. A search is linear in
/// the lines of the file, so this bounds the time of a whole patch to about a second.
pub const LINES_SEARCHED: usize = 100_000_000;
/// The most lines, old and new together, between two lines that occur once, for which the shortest
/// difference is computed: its cost may be the square of this. Beyond it all old lines are removed and
/// all new ones added, which is longer and just as correct.
pub const SHORTEST_DIFF_LINES: usize = 8_000;
/// The most lines that a failure quotes, of the patch and of the file each.
pub const QUOTED_LINES: usize = 12;
/// The most characters of a line that a failure quotes.
pub const QUOTED_CHARS: usize = 200;
/// The most places that a failure names where a hunk would fit.
pub const NAMED_PLACES: usize = 8;
