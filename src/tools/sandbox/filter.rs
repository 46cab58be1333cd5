//! The system calls that a confined command may not make, as a seccomp filter.
//!
//! Everything else is allowed: what a call *reaches* is Landlock's affair. Refused are the calls
//! that Landlock does not see (sockets other than TCP, io_uring), those that reach into other
//! processes, and those with which root changes the machine. A refused call fails with `EPERM`,
//! as it would for want of a right, so that programs say what they say then.

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};

use super::profile::Network;

/// Calls that are refused whatever their arguments are.
const REFUSED: &[libc::c_long] = &[
    // Other processes: their memory, their descriptors.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_perf_event_open,
    // Memory and messages that are shared by number or name, not by file.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    // Files that exist only in memory, which no limit counts.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    // Work that the kernel does for a process, past this filter.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_userfaultfd,
    libc::SYS_bpf,
    // Keys of the session.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // Another view of the files.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_quotactl,
    // The machine.
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_vhangup,
];

/// Calls that give a socket an address or a peer. Without the network the only sockets are pairs
/// that are connected from the start, and none of these is of use to them.
const ADDRESSING: &[libc::c_long] = &[
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
];

/// Calls that only this architecture has.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[libc::c_long] =
    &[libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_kexec_file_load];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[libc::c_long] = &[];

/// `open_tree_attr(2)`, the same number everywhere; the C library's list ends before it.
const OPEN_TREE_ATTR: libc::c_long = 467;
/// The first number that was not given to a call when this was written (Linux 6.18). What comes
/// later is answered as by a kernel that does not have it, and so are the numbers of x32.
const UNKNOWN_FROM: u32 = 470;

/// Each makes a namespace, in which a process is root or sees other processes and files.
const NAMESPACES: &[libc::c_int] = &[
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWUTS,
];

/// Requests that put words into a terminal, as if its person had typed them: `TIOCSTI` and
/// `TIOCLINUX` of `asm-generic/ioctls.h`. The C libraries do not agree on their type.
const TYPING: &[u64] = &[0x5412, 0x541c];

/// The bits of a socket's type that are no flags (`SOCK_TYPE_MASK` of `linux/net.h`).
const SOCKET_TYPES: libc::c_int = 0xf;

/// Returns the filter for every command, ready for the kernel.
pub(crate) fn filter(network: Network) -> Result<BpfProgram, seccompiler::Error> {
    let mut rules = BTreeMap::new();
    for call in REFUSED.iter().chain(REFUSED_HERE) {
        rules.insert(*call, Vec::new());
    }
    rules.insert(libc::SYS_clone, namespaces()?);
    rules.insert(libc::SYS_ioctl, requests(TYPING)?);
    rules.insert(libc::SYS_socket, sockets(network)?);
    rules.insert(libc::SYS_socketpair, pairs()?);
    match network {
        Network::Allowed => {}
        Network::Refused => {
            for call in ADDRESSING {
                rules.insert(*call, Vec::new());
            }
            rules.insert(libc::SYS_sendto, addressed()?);
        }
    }
    let mut program = unknown_calls();
    program.extend(refusing(rules)?);
    Ok(program)
}

/// Returns a filter that refuses these calls and allows all others.
pub(super) fn refusing(
    rules: BTreeMap<libc::c_long, Vec<SeccompRule>>,
) -> Result<BpfProgram, seccompiler::Error> {
    let refused = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, architecture)?;
    Ok(BpfProgram::try_from(filter)?)
}

/// Refuses pairs of sockets that are not connected streams. A socket for datagrams takes an address
/// with every datagram, so one of a pair reaches every path of the machine.
fn pairs() -> Result<Vec<SeccompRule>, seccompiler::Error> {
    let other_type = |kind: libc::c_int| -> Result<SeccompRule, seccompiler::Error> {
        let mask = u64::from(SOCKET_TYPES.cast_unsigned());
        Ok(SeccompRule::new(vec![compare(
            1,
            SeccompCmpOp::MaskedEq(mask),
            kind,
        )?])?)
    };
    let mut rules = vec![SeccompRule::new(vec![is_not(0, libc::AF_UNIX)?])?];
    for kind in 0..=SOCKET_TYPES {
        if kind != libc::SOCK_STREAM && kind != libc::SOCK_SEQPACKET {
            rules.push(other_type(kind)?);
        }
    }
    Ok(rules)
}

/// Refuses to send to an address. That of `sendmsg` lies in memory, where no filter sees it; the
/// sockets that there are fail with `EISCONN` (streams) or ignore it (`unix(7)`, seqpacket).
fn addressed() -> Result<Vec<SeccompRule>, seccompiler::Error> {
    let address = SeccompCondition::new(4, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
    Ok(vec![SeccompRule::new(vec![address])?])
}

/// Without the network no socket at all: also none of the system's own, such as Docker's, whose
/// paths Landlock does not guard before its ninth version. Connected pairs stay.
fn sockets(network: Network) -> Result<Vec<SeccompRule>, seccompiler::Error> {
    match network {
        Network::Refused => Ok(Vec::new()),
        Network::Allowed => Ok(vec![
            SeccompRule::new(vec![
                is_not(0, libc::AF_INET)?,
                is_not(0, libc::AF_INET6)?,
                is_not(0, libc::AF_NETLINK)?,
            ])?,
            // The routing table, which the C library reads to choose among addresses.
            SeccompRule::new(vec![
                is(0, libc::AF_NETLINK)?,
                is_not(2, libc::NETLINK_ROUTE)?,
            ])?,
        ]),
    }
}

fn namespaces() -> Result<Vec<SeccompRule>, seccompiler::Error> {
    let rule = |flag: &libc::c_int| -> Result<SeccompRule, seccompiler::Error> {
        let flag = u64::from(flag.cast_unsigned());
        let has = SeccompCondition::new(
            0,
            SeccompCmpArgLen::Qword,
            SeccompCmpOp::MaskedEq(flag),
            flag,
        )?;
        Ok(SeccompRule::new(vec![has])?)
    };
    NAMESPACES.iter().map(rule).collect()
}

/// Returns rules for `ioctl` that hold for these requests.
pub(super) fn requests(refused: &[u64]) -> Result<Vec<SeccompRule>, seccompiler::Error> {
    let rule = |request: &u64| -> Result<SeccompRule, seccompiler::Error> {
        let is = SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, *request)?;
        Ok(SeccompRule::new(vec![is])?)
    };
    refused.iter().map(rule).collect()
}

fn is(argument: u8, value: libc::c_int) -> Result<SeccompCondition, seccompiler::Error> {
    compare(argument, SeccompCmpOp::Eq, value)
}

fn is_not(argument: u8, value: libc::c_int) -> Result<SeccompCondition, seccompiler::Error> {
    compare(argument, SeccompCmpOp::Ne, value)
}

fn compare(
    argument: u8,
    operator: SeccompCmpOp,
    value: libc::c_int,
) -> Result<SeccompCondition, seccompiler::Error> {
    let value = u64::from(value.cast_unsigned());
    Ok(SeccompCondition::new(
        argument,
        SeccompCmpArgLen::Dword,
        operator,
        value,
    )?)
}

/// Begins the program: calls that this file does not know do not exist.
///
/// `clone3` is one of them: its flags lie in memory, where no filter sees them, and the C library
/// falls back to `clone`.
fn unknown_calls() -> BpfProgram {
    let instruction = |code: u32, jt, jf, k| sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    };
    let no_such_call = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned();
    vec![
        // The number of the call is the first word that a filter sees (seccomp(2)).
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        instruction(
            libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K,
            1,
            0,
            UNKNOWN_FROM,
        ),
        instruction(
            libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K,
            0,
            1,
            libc::SYS_clone3 as u32,
        ),
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, no_such_call),
    ]
}
