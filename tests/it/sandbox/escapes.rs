//! Ways out: each is open without the sandbox, and shut in it.

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::time::Duration;

use sayso::bench_support::Access;
use serde_json::json;

use super::{Stage, has_namespaces, is_root, skipped};

#[test]
fn passwords_of_the_system_cannot_be_read() {
    let stage = Stage::new();
    if is_root() {
        stage.free("cat /etc/shadow").succeeded();
    }
    stage.confined("cat /etc/shadow").was_refused();
    // What everybody may read, and no program needs.
    stage.is_refused("cat /etc/hostname");
    stage.is_refused("ls /etc /");
}

#[test]
fn homes_cannot_be_read() {
    let stage = Stage::new();
    let home = std::env::var("HOME").unwrap();
    stage.is_refused(&format!("ls -a {home}"));
}

#[test]
fn the_data_directory_and_the_configuration_cannot_be_read() {
    let stage = Stage::new();
    for path in ["../../sayso.db", "../2/note", "../../../sayso.toml"] {
        stage.is_refused(&format!("cat {path}"));
    }
    stage.is_refused("ls ../..");
    stage.is_refused("ls ..");
}

#[test]
fn links_lead_nowhere() {
    let stage = Stage::new();
    std::os::unix::fs::symlink("../../sayso.db", stage.workspace().join("soft")).unwrap();
    stage.is_refused("cat soft");
    let hard = "ln ../../sayso.db hard && cat hard && rm hard";
    stage.free(hard).succeeded();
    let came = stage.confined(hard);
    assert!(
        !came.stdout.contains("a secret") && came.stderr.contains("failed to create"),
        "{came:?}"
    );
    stage.is_refused("cat /proc/self/cwd/../../sayso.db");
    stage.is_refused("cat /proc/self/root/$PWD/../../sayso.db");
}

/// The test process plays the agent: it starts the helpers and has an environment.
#[test]
fn the_environment_of_the_agent_cannot_be_read() {
    let stage = Stage::new();
    let agent = std::process::id();
    let read = format!("tr '\\0' '\\n' < /proc/{agent}/environ | grep -c =");
    assert_ne!(stage.free(&read).succeeded().trim(), "0");
    stage.confined(&read).was_refused();
    for look in [
        "head -c 1 /proc/PID/mem",
        "cat /proc/PID/maps",
        "ls /proc/PID/cwd/ /proc/PID/root/",
    ] {
        let look = look.replace("PID", &agent.to_string());
        stage.confined(&look).was_refused();
    }
    stage.is_refused("cat /proc/$PPID/environ");
}

#[test]
fn nothing_is_written_outside() {
    let stage = Stage::new();
    stage.is_refused("echo more >> ../../../outside/file");
    stage.is_refused("touch ../../../outside/new && rm ../../../outside/new");
    stage.is_refused("mkdir ../../new && rmdir ../../new");
    stage.is_refused("mv ../../../outside/file ../../../outside/moved && mv ../../../outside/moved ../../../outside/file");
    stage.is_refused("perl -e 'truncate(\"../../../outside/file\", 0) or die $!'");
    stage.is_refused("t=$(mktemp /tmp/sayso-test-XXXXXX) && rm $t");
}

/// Landlock does not see it; where the system has namespaces for us, a view of the files does.
#[test]
fn modes_and_times_outside_stay_where_there_are_namespaces() {
    if !has_namespaces() {
        return;
    }
    let stage = Stage::new();
    for change in [
        "chmod 600 ../../../outside/file",
        "touch -d 2020-01-01 ../../../outside/file",
    ] {
        stage.free(change).succeeded();
        let came = stage.start(change, stage.apart(Access::Workspace)).wait();
        assert!(came.stderr.contains("Read-only file system"), "{came:?}");
    }
    let inside = "echo x > f && chmod 600 f && touch -d 2020-01-01 f && echo y > $TMPDIR/f && chmod 600 $TMPDIR/f";
    stage
        .start(inside, stage.apart(Access::Workspace))
        .wait()
        .succeeded();
    assert_eq!(fs::read_dir(stage.data().join("tmp")).unwrap().count(), 0);
}

#[test]
fn the_network_is_not_there() {
    let stage = Stage::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let connect = perl_socket("SOCK_STREAM", listener.local_addr().unwrap().port());
    stage.is_refused(&connect);
    stage
        .start(&connect, stage.terms(Access::Network))
        .wait()
        .succeeded();
}

#[test]
fn datagrams_do_not_leave() {
    let stage = Stage::new();
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket
        .set_read_timeout(Some(Duration::from_millis(200)))
        .unwrap();
    let send = perl_socket("SOCK_DGRAM", socket.local_addr().unwrap().port());
    stage.free(&send).succeeded();
    assert_eq!(socket.recv(&mut [0; 9]).unwrap(), 4);
    stage.confined(&send).was_refused();
    assert!(socket.recv(&mut [0; 9]).is_err(), "a datagram came");
    stage
        .start(&send, stage.terms(Access::Network))
        .wait()
        .succeeded();
    assert_eq!(socket.recv(&mut [0; 9]).unwrap(), 4);
}

#[test]
fn raw_and_local_sockets_are_not_there_either() {
    let stage = Stage::new();
    let path = stage.outside().join("docker.sock");
    let _listener = UnixListener::bind(&path).unwrap();
    let connect = format!(
        "perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or die $!; \
         connect(S, pack_sockaddr_un(\"{}\")) or die $!'",
        path.display()
    );
    stage.is_refused(&connect);
    stage
        .start(&connect, stage.terms(Access::Network))
        .wait()
        .was_refused();
    // Netlink, vsock: other families by their numbers (socket(2)).
    for family in [16, 40] {
        let socket = format!("perl -e 'socket(S, {family}, 3, 4) or die $!'");
        stage.cannot(&socket);
    }
    let pair = "perl -MSocket -e 'socketpair(A, B, AF_UNIX, SOCK_STREAM, 0) or die $!'";
    stage.confined(pair).succeeded();
}

/// A datagram takes an address with it, so one socket of a pair would reach every path.
#[test]
fn s5_datagrams_to_paths_do_not_leave() {
    let stage = Stage::new();
    let path = stage.outside().join("log");
    let log = UnixDatagram::bind(&path).unwrap();
    log.set_read_timeout(Some(Duration::from_millis(200)))
        .unwrap();
    let to = format!("pack_sockaddr_un(\"{}\")", path.display());
    let pair = "use Socket; socketpair(A, B, AF_UNIX, SOCK_DGRAM, 0) or die $!;";
    for send in [
        format!("{pair} send(A, \"ping\", 0, {to}) or die $!"),
        format!("{pair} connect(A, {to}) or die $!; send(A, \"ping\", 0) or die $!"),
        // `SOCK_CLOEXEC` and `SOCK_NONBLOCK` beside the type, and `SOCK_RAW`, which is one for
        // datagrams as well (unix(7)).
        format!(
            "use Socket; socketpair(A, B, AF_UNIX, 02004002, 0) or die $!; send(A, \"ping\", 0, {to}) or die $!"
        ),
        format!(
            "use Socket; socketpair(A, B, AF_UNIX, SOCK_RAW, 0) or die $!; send(A, \"ping\", 0, {to}) or die $!"
        ),
    ] {
        let send = format!("perl -e '{send}'");
        stage.free(&send).succeeded();
        assert_eq!(log.recv(&mut [0; 9]).unwrap(), 4, "{send}");
        stage.cannot(&send);
        stage
            .start(&send, stage.terms(Access::Network))
            .wait()
            .was_refused();
        assert!(log.recv(&mut [0; 9]).is_err(), "a datagram came: {send}");
    }
}

/// What a pair that is connected is still good for.
#[test]
fn s5_a_pair_of_streams_works_and_takes_no_address() {
    let stage = Stage::new();
    let path = stage.outside().join("log");
    let log = UnixDatagram::bind(&path).unwrap();
    log.set_nonblocking(true).unwrap();
    for kind in ["SOCK_STREAM", "SOCK_SEQPACKET", "SOCK_STREAM | 02004000"] {
        let pair = format!("use Socket; socketpair(A, B, AF_UNIX, {kind}, 0) or die $!;");
        let works =
            format!("perl -e '{pair} send(A, \"ping\", 0) or die $!; recv(B, $x, 9, 0); print $x'");
        assert_eq!(stage.confined(&works).succeeded(), "ping");
        let to = format!("pack_sockaddr_un(\"{}\")", path.display());
        for act in [
            format!("bind(A, {to}) or die $!"),
            "bind(A, pack(\"S a*\", AF_UNIX, \"\\0name\")) or die $!".to_owned(),
            format!("connect(A, {to}) or die $!"),
            "listen(A, 1) or die $!".to_owned(),
            "accept(C, A) or die $!".to_owned(),
            format!("defined(send(A, \"ping\", 0, {to})) or die $!"),
        ] {
            stage.cannot(&format!("perl -e '{pair} {act}'"));
        }
        // No filter sees the address of `sendmsg` (a `msghdr` of six words, sendmsg(2)).
        let number = if cfg!(target_arch = "x86_64") {
            46
        } else {
            211
        };
        let sendmsg = format!(
            "perl -e '{pair} $to = {to}; $text = \"ping\"; $parts = pack(\"PQ\", $text, 4); \
             $head = pack(\"PQPQQQQ\", $to, length $to, $parts, 1, 0, 0, 0); \
             syscall({number}, fileno(A), $head, 0); print \"tried\"'"
        );
        assert_eq!(stage.confined(&sendmsg).succeeded(), "tried");
        assert!(log.recv(&mut [0; 9]).is_err(), "a datagram came: {kind}");
    }
}

/// Says "ping" to a port of this machine.
fn perl_socket(kind: &str, port: u16) -> String {
    format!(
        "perl -MSocket -e 'socket(S, PF_INET, {kind}, 0) or die $!; \
         connect(S, sockaddr_in({port}, INADDR_LOOPBACK)) or die $!; send(S, \"ping\", 0)'"
    )
}

#[test]
fn processes_outside_get_no_signal() {
    let stage = Stage::new();
    stage.is_refused("kill -0 $PPID");
    stage.is_refused(&format!("kill -0 {}", std::process::id()));
    stage
        .confined("sleep 20 & kill $! && ! wait $!")
        .succeeded();
}

/// `PTRACE_SEIZE` (0x4206) attaches to a process without stopping it, `PTRACE_TRACEME` (0) lets
/// the parent attach (ptrace(2)).
#[test]
fn the_parent_cannot_be_traced() {
    let stage = Stage::new();
    let ptrace = |request: u32, pid: &str| {
        let number = if cfg!(target_arch = "x86_64") {
            101
        } else {
            117
        };
        format!("exec perl -e 'syscall({number}, {request}, {pid}, 0, 0) == 0 or die $!'")
    };
    stage.is_refused(&ptrace(0, "0"));
    // Some systems allow only root to trace a process that is not its child.
    if is_root() {
        stage.free(&ptrace(0x4206, "getppid")).succeeded();
    }
    stage.cannot(&ptrace(0x4206, "getppid"));
}

/// `io_uring_setup` is 425 everywhere. Where the kernel or its operator has turned it off, it is
/// refused without the sandbox as well, and there is nothing to show.
#[test]
fn io_uring_is_not_there() {
    let stage = Stage::new();
    let setup = "perl -e '$b = \"\\0\" x 120; syscall(425, 1, $b) >= 0 or die $!'";
    let free = stage.free(setup);
    let is_off = ["not implemented", "not permitted"]
        .iter()
        .any(|why| free.stderr.contains(why));
    if !is_off {
        free.succeeded();
    }
    stage.cannot(setup);
}

#[test]
fn no_other_view_of_the_files_can_be_had() {
    let stage = Stage::new();
    if is_root() {
        stage.is_refused("unshare -m true");
        stage.is_refused("mkdir -p m && mount -t tmpfs none m && umount m");
        stage.is_refused("PATH=$PATH:/usr/sbin chroot / true");
    }
    if has_namespaces() {
        stage.is_refused("unshare -Ur true");
    }
    // The `/proc` of its own lies over that of the machine (umount2(2)).
    let number = if cfg!(target_arch = "x86_64") {
        166
    } else {
        39
    };
    stage.cannot(&format!(
        "perl -e '$p = \"/proc\"; syscall({number}, $p, 2) == 0 or die $!'"
    ));
    for out in ["unshare -Ur true", "unshare -n true"] {
        stage.cannot(out);
    }
}

/// Some systems hide it, from root as well.
#[test]
fn the_log_of_the_kernel_cannot_be_read() {
    let stage = Stage::new();
    for read in [
        "dd if=/dev/kmsg of=/dev/null bs=8192 count=1 iflag=nonblock",
        "dmesg -S",
    ] {
        if stage.free(read).end == json!({"exited": {"code": 0}}) {
            stage.cannot(read);
        } else {
            skipped(&format!("`{read}` works for nobody here"));
        }
    }
    stage.cannot("echo forged > /dev/kmsg");
}

/// The keyring of the user: `keyctl` gives it (0, -4, 1), `add_key` writes to it (keyctl(2)).
#[test]
fn keyrings_cannot_be_reached() {
    let stage = Stage::new();
    let (add, control) = if cfg!(target_arch = "x86_64") {
        (248, 250)
    } else {
        (217, 219)
    };
    for call in [
        format!("perl -e 'syscall({control}, 0, -4, 1) >= 0 or die $!'"),
        format!(
            "perl -e '($t, $d, $p) = (\"user\", \"sayso-test\", \"x\"); syscall({add}, $t, $d, $p, 1, -2) >= 0 or die $!'"
        ),
    ] {
        let free = stage.free(&call);
        let is_off = ["not implemented", "not permitted"]
            .iter()
            .any(|why| free.stderr.contains(why));
        if is_off {
            skipped("this system has no keyrings for us");
        } else {
            free.succeeded();
        }
        stage.cannot(&call);
    }
}

/// Memory that belongs to no process would escape the memory limit (memfd_create(2)).
#[test]
fn there_are_no_files_without_a_place() {
    let stage = Stage::new();
    let number = if cfg!(target_arch = "x86_64") {
        319
    } else {
        279
    };
    stage.is_refused(&format!(
        "perl -e '$n = \"hidden\"; syscall({number}, $n, 0) >= 0 or die $!'"
    ));
}

#[test]
fn rights_do_not_grow_and_root_has_few() {
    let stage = Stage::new();
    let status = stage.confined("grep -E '^(NoNewPrivs|Seccomp|CapEff):' /proc/self/status");
    let status = status.succeeded().replace('\t', "");
    assert!(status.contains("NoNewPrivs:1\n"), "{status}");
    assert!(status.contains("Seccomp:2\n"), "{status}");
    let rights = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let rights = u64::from_str_radix(rights.unwrap(), 16).unwrap();
    // chown, dac_override, fowner, fsetid, setgid, setuid (capabilities(7)).
    assert_eq!(rights & !0b1101_1011, 0, "{rights:x}");
    stage.confined("mknod node c 1 3").was_refused();
}

#[test]
fn nothing_of_the_helper_reaches_the_command() {
    let stage = Stage::new();
    let came = stage.confined("cat; ls -l /proc/self/fd | grep -c socket; echo $TMPDIR");
    let (sockets, temporary) = came.stdout.split_once('\n').unwrap();
    assert_eq!(sockets, "0");
    let temporary = std::path::Path::new(temporary.trim());
    assert!(temporary.starts_with(stage.data().join("tmp")), "{came:?}");
    assert!(!temporary.exists(), "it is left behind");
}

#[test]
fn a_temporary_directory_that_became_a_link_takes_nothing_with_it() {
    let stage = Stage::new();
    stage
        .confined("rmdir $TMPDIR; ln -s ../../outside $TMPDIR/out; mkdir $TMPDIR/in; ln -s / $TMPDIR/in/all; true")
        .succeeded();
    assert!(fs::exists(stage.outside().join("file")).unwrap());
    let left = fs::read_dir(stage.data().join("tmp")).unwrap().count();
    assert_eq!(left, 0);
}
