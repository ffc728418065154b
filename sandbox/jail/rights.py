"""What each of the two processes may do: its limits, its files, its system calls."""

from __future__ import annotations

from jail.seccomp import Tests, high, low

_MB = 1 << 20
READER_LIMITS = {
    "RLIMIT_AS": 768 * _MB,
    "RLIMIT_CPU": 20,
    "RLIMIT_FSIZE": 0,
    "RLIMIT_NOFILE": 32,
    "RLIMIT_NPROC": 0,
    "RLIMIT_CORE": 0,
}
READER_LENDER_LIMITS = {
    **{name: READER_LIMITS[name] for name in ("RLIMIT_AS", "RLIMIT_FSIZE", "RLIMIT_CORE")},
    "RLIMIT_NOFILE": 1024,
}
"""Of the process that forks readers, which take the others themselves."""
WORKER_LIMITS = {"RLIMIT_AS": 3072 * _MB, "RLIMIT_FSIZE": 0, "RLIMIT_NOFILE": 256, "RLIMIT_CORE": 0}


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


LIBRARIES = _words("/lib /lib64 /usr/lib /usr/lib64 /usr/local/lib /nix/store")
"""Where the shared libraries lie that Python's modules in C are linked with."""

NETWORK_FILES = _words(
    """
    /etc/ssl /etc/pki /etc/ca-certificates /usr/share/ca-certificates /usr/local/share/ca-certificates
    /etc/ld.so.cache /etc/localtime /usr/share/zoneinfo /etc/mime.types
    """
)
FILES_IN_ENVIRONMENT = _words(
    """
    SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE AWS_CA_BUNDLE GOOGLE_APPLICATION_CREDENTIALS
    AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_WEB_IDENTITY_TOKEN_FILE AZURE_FEDERATED_TOKEN_FILE
    """
)
"""Variables that name files with certificates and credentials for the providers' libraries."""

READER_CALLS = _words(
    """
    read readv pread64 write writev close lseek fcntl fstat newfstatat stat lstat statx access faccessat faccessat2
    readlink readlinkat getdents64 getcwd mmap munmap mremap mprotect madvise brk membarrier
    rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall
    getpid gettid getuid geteuid getgid getegid getrlimit getrusage sysinfo uname
    getrandom clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday
    futex sched_yield sched_getaffinity rseq set_robust_list getcpu exit exit_group
    """
)
"""All that the reader may call, apart from what is tested below."""

READER_LENDER_CALLS = READER_CALLS + _words(
    """
    recvmsg poll ppoll pipe2 dup dup2 dup3 close_range fork wait4 kill setsid prctl seccomp
    landlock_create_ruleset landlock_add_rule landlock_restrict_self prlimit64 setrlimit
    """
)
"""What the process may call besides that forks readers, and what its forks need to lock themselves."""

WORKER_NEVER_CALLS = _words(
    """
    execve execveat fork vfork ptrace process_vm_readv process_vm_writev process_madvise
    pidfd_open pidfd_getfd pidfd_send_signal kcmp kill tkill rt_sigqueueinfo rt_tgsigqueueinfo
    mount umount2 pivot_root chroot setns unshare open_tree open_tree_attr move_mount fsopen fsconfig fsmount fspick
    mount_setattr name_to_handle_at open_by_handle_at quotactl quotactl_fd acct bind listen
    io_uring_setup io_uring_enter io_uring_register bpf userfaultfd perf_event_open keyctl add_key request_key
    memfd_create memfd_secret shmget semget msgget mq_open fanotify_init inotify_init inotify_init1 connect
    kexec_load kexec_file_load init_module finit_module delete_module swapon swapoff reboot
    sethostname setdomainname settimeofday clock_settime clock_adjtime adjtimex iopl ioperm modify_ldt
    personality syslog vhangup setrlimit setpriority ioprio_set sched_setaffinity sched_setscheduler sched_setattr
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat
    setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat file_setattr
    creat truncate ftruncate fallocate mknod mknodat mkdir mkdirat rmdir unlink unlinkat
    rename renameat renameat2 symlink symlinkat link linkat
    """
)
"""Landlock knows nothing of modes, owners, times and attributes; the calls that change folders stand here for kernels
without it. All that litellm and the libraries under it need is a long list that changes: hence a list of refusals."""

ABSENT = ("clone3", "openat2")
"""Calls whose arguments a filter cannot look at; C libraries turn to clone and openat when they are absent."""

_ALL_BITS = 0xFFFFFFFF
_O_WRITING = 0o3 | 0o100 | 0o1000 | 0o20000000
"""O_WRONLY, O_RDWR, O_CREAT, O_TRUNC and O_TMPFILE."""
_CLONE_THREAD = 0x10000
_AF_INET, _AF_INET6 = 2, 10
_STREAM, _KIND_BITS = 1, 0xF
_DEFAULT_TCP = (0, 6)
_MSG_FASTOPEN = 0x20000000
_TCGETS, _TIOCGWINSZ, _FIONREAD, _FIONBIO, _FIONCLEX, _FIOCLEX = 0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451

OPENING: dict[str, Tests] = {
    "open": ((low(1), _O_WRITING, (0,)),),
    "openat": ((low(2), _O_WRITING, (0,)),),
}
"""Files are opened for reading only."""

_CLONE_NAMESPACES = 0x7E020000
FORKING: dict[str, Tests] = {"clone": ((low(0), _CLONE_NAMESPACES, (0,)),)}
"""Processes like this one."""

HARMLESS: dict[str, Tests] = {
    # Limits are read, not set.
    "prlimit64": ((low(2), _ALL_BITS, (0,)), (high(2), _ALL_BITS, (0,))),
    "ioctl": ((low(1), _ALL_BITS, (_TCGETS, _TIOCGWINSZ, _FIONREAD, _FIONBIO, _FIONCLEX, _FIOCLEX)),),
}


def of_worker_alone(process: int) -> dict[str, Tests]:
    """Calls that the model worker needs for threads, signals to itself, and sockets that curator connects."""
    return {
        "clone": ((low(0), _CLONE_THREAD, (_CLONE_THREAD,)),),
        "tgkill": ((low(0), _ALL_BITS, (process,)),),
        "socket": (
            (low(0), _ALL_BITS, (_AF_INET, _AF_INET6)),
            (low(1), _KIND_BITS, (_STREAM,)),
            # Multipath TCP is a protocol of its own, and no port rule of Landlock's holds for it.
            (low(2), _ALL_BITS, _DEFAULT_TCP),
        ),
        # Data sent along with the first packet opens a connection that Landlock does not see.
        "sendto": ((low(3), _MSG_FASTOPEN, (0,)),),
        "sendmsg": ((low(2), _MSG_FASTOPEN, (0,)),),
        "sendmmsg": ((low(3), _MSG_FASTOPEN, (0,)),),
    }
