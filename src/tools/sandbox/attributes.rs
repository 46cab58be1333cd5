//! The system calls with which a command changes attributes of files, as a second seccomp filter for
//! commands that only read. Landlock does not see them (landlock(7), "Current limitations").

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::BpfProgram;

use super::filter::{refusing, requests};

/// Calls that change the mode, owner, times or extended attributes of a file.
const ATTRIBUTES: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
];

/// Those that only this architecture has.
#[cfg(target_arch = "x86_64")]
const ATTRIBUTES_HERE: &[libc::c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const ATTRIBUTES_HERE: &[libc::c_long] = &[];

/// Numbers that are the same everywhere (`asm-generic/unistd.h`), and that not every version of the
/// C library's list has.
const FCHMODAT2: libc::c_long = 452;
const SETXATTRAT: libc::c_long = 463;
const REMOVEXATTRAT: libc::c_long = 466;
const FILE_SETATTR: libc::c_long = 469;

/// Requests that change the flags, project or generation of a file: `FS_IOC_SETFLAGS`,
/// `FS_IOC_FSSETXATTR` and `FS_IOC_SETVERSION` of `linux/fs.h`. A descriptor for reading is enough
/// for them.
const SETTING_FLAGS: &[u64] = &[0x4008_6602, 0x401c_5820, 0x4008_7602];

/// Returns the filter that is put on top for a command that only reads: no change of the
/// attributes of any file.
pub(crate) fn attribute_filter() -> Result<BpfProgram, seccompiler::Error> {
    let calls = ATTRIBUTES.iter().chain(ATTRIBUTES_HERE);
    let mut rules: BTreeMap<_, _> = calls.map(|call| (*call, Vec::new())).collect();
    rules.insert(libc::SYS_ioctl, requests(SETTING_FLAGS)?);
    refusing(rules)
}
