//! What every confined command may read of the system: programs, libraries, and the few files of
//! `/etc` that programs ask for. Whatever could hold a secret is not in here.

use std::path::PathBuf;

/// Programs, libraries, and what the kernel says of the machine and of processes.
///
/// `/proc` as a whole: what it tells of other processes' memory, environment and files the kernel
/// guards by the rules of ptrace(2), and those are Landlock's too. Their command lines can be read
/// where the command has no `/proc` of its own.
pub(crate) const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/run/current-system/sw",
    "/proc",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
    "/var/lib/dpkg",
];

/// Files of `/etc`: who is who, where libraries are, which certificates count, how times and
/// languages are called.
pub(crate) const SETTINGS: &[&str] = &[
    "/etc/alternatives",
    "/etc/bash.bashrc",
    "/etc/ca-certificates",
    "/etc/ca-certificates.conf",
    "/etc/crypto-policies",
    "/etc/debian_version",
    "/etc/fonts",
    "/etc/gitconfig",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/inputrc",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/locale.conf",
    "/etc/localtime",
    "/etc/login.defs",
    "/etc/lsb-release",
    "/etc/magic",
    "/etc/magic.mime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/perl",
    "/etc/pki/ca-trust",
    "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/certs",
    "/etc/pki/tls/openssl.cnf",
    "/etc/profile",
    "/etc/profile.d",
    "/etc/protocols",
    "/etc/python3",
    "/etc/redhat-release",
    "/etc/services",
    "/etc/shells",
    "/etc/ssl/cert.pem",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/terminfo",
    "/etc/timezone",
    "/etc/vim",
    "/etc/xattr.conf",
];

/// What a command with the network needs besides, to find addresses.
pub(crate) const NAMES: &[&str] = &[
    "/etc/gai.conf",
    "/etc/networks",
    "/etc/resolv.conf",
    "/run/systemd/resolve/resolv.conf",
    "/run/systemd/resolve/stub-resolv.conf",
];

/// Devices that hold nothing of anybody.
const DEVICES: &[&str] = &[
    "/dev/full",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
];

/// Returns the devices as paths.
pub(crate) fn devices() -> Vec<PathBuf> {
    DEVICES.iter().map(PathBuf::from).collect()
}
