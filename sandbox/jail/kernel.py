"""The way to the Linux kernel: system calls by name, on the two machines whose numbers are written down here."""

from __future__ import annotations

import ctypes
import os
import sys

_NUMBERS = """\
read 0 63 | write 1 64 | close 3 57 | open 2 - | openat 257 56 | openat2 437 437 | creat 85 - | stat 4 -
lstat 6 - | fstat 5 80 | newfstatat 262 79 | statx 332 291 | lseek 8 62 | pread64 17 67 | readv 19 65
writev 20 66 | mmap 9 222 | munmap 11 215 | mremap 25 216 | mprotect 10 226 | madvise 28 233 | brk 12 214
rt_sigaction 13 134 | rt_sigprocmask 14 135 | rt_sigreturn 15 139 | sigaltstack 131 132 | readlink 89 -
readlinkat 267 78 | access 21 - | faccessat 269 48 | faccessat2 439 439 | getdents64 217 61 | getcwd 79 17
ioctl 16 29 | fcntl 72 25 | getpid 39 172 | gettid 186 178 | getuid 102 174 | geteuid 107 175 | getgid 104 176
getegid 108 177 | getrandom 318 278 | clock_gettime 228 113 | clock_getres 229 114 | clock_nanosleep 230 115
nanosleep 35 101 | gettimeofday 96 169 | futex 202 98 | sched_yield 24 124 | sched_getaffinity 204 123 | exit 60 93
exit_group 231 94 | prlimit64 302 261 | getrlimit 97 163 | setrlimit 160 164 | sysinfo 99 179 | uname 63 160
rseq 334 293 | set_robust_list 273 99 | restart_syscall 219 128 | getcpu 309 168 | membarrier 324 283
getrusage 98 165 | execve 59 221 | execveat 322 281 | fork 57 - | vfork 58 - | clone 56 220 | clone3 435 435
ptrace 101 117 | process_vm_readv 310 270 | process_vm_writev 311 271 | process_madvise 440 440
pidfd_open 434 434 | pidfd_getfd 438 438 | pidfd_send_signal 424 424 | kcmp 312 272 | mount 165 40 | umount2 166 39
pivot_root 155 41 | chroot 161 51 | setns 308 268 | unshare 272 97 | open_tree 428 428 | move_mount 429 429
fsopen 430 430 | fsconfig 431 431 | fsmount 432 432 | fspick 433 433 | mount_setattr 442 442
io_uring_setup 425 425 | io_uring_enter 426 426 | io_uring_register 427 427 | bpf 321 280 | keyctl 250 219
add_key 248 217 | request_key 249 218 | memfd_create 319 279 | memfd_secret 447 447 | userfaultfd 323 282
perf_event_open 298 241 | kexec_load 246 104 | kexec_file_load 320 294 | init_module 175 105 | finit_module 313 273
delete_module 176 106 | swapon 167 224 | swapoff 168 225 | reboot 169 142 | sethostname 170 161
setdomainname 171 162 | settimeofday 164 170 | clock_settime 227 112 | clock_adjtime 305 266 | adjtimex 159 171
name_to_handle_at 303 264 | open_by_handle_at 304 265 | quotactl 179 60 | acct 163 89 | iopl 172 - | ioperm 173 -
modify_ldt 154 - | personality 135 92 | syslog 103 116 | vhangup 153 58 | kill 62 129 | tkill 200 130
tgkill 234 131 | rt_sigqueueinfo 129 138 | rt_tgsigqueueinfo 297 240 | socket 41 198 | bind 49 200 | listen 50 201
connect 42 203 | sendto 44 206 | sendmsg 46 211 | sendmmsg 307 269 | shmget 29 194 | semget 64 190 | msgget 68 186
mq_open 240 180 | fanotify_init 300 262 | inotify_init 253 - | inotify_init1 294 26 | mknod 133 - | mknodat 259 33
mkdir 83 - | mkdirat 258 34 | rmdir 84 - | unlink 87 - | unlinkat 263 35 | rename 82 - | renameat 264 38
renameat2 316 276 | symlink 88 - | symlinkat 266 36 | link 86 - | linkat 265 37 | chmod 90 - | fchmod 91 52
fchmodat 268 53 | fchmodat2 452 452 | chown 92 - | fchown 93 55 | lchown 94 - | fchownat 260 54 | setxattr 188 5
lsetxattr 189 6 | fsetxattr 190 7 | removexattr 197 14 | lremovexattr 198 15 | fremovexattr 199 16 | utime 132 -
utimes 235 - | futimesat 261 - | utimensat 280 88 | truncate 76 45 | ftruncate 77 46 | fallocate 285 47
setxattrat 463 463 | removexattrat 466 466 | open_tree_attr 467 467 | file_setattr 469 469 | quotactl_fd 443 443
sched_setattr 314 274 | ioprio_set 251 30 | setpriority 141 140 | sched_setaffinity 203 122 | sched_setscheduler 144 119
landlock_create_ruleset 444 444 | landlock_add_rule 445 445 | landlock_restrict_self 446 446
seccomp 317 277 | prctl 157 167 | recvmsg 47 212 | poll 7 - | ppoll 271 73 | pipe2 293 59 | dup 32 23 | dup2 33 -
dup3 292 24 | setsid 112 157 | wait4 61 260 | close_range 436 436
"""
"""Name, number on x86_64, number on aarch64 of each call; ``-`` where the machine never had the call."""

_COLUMN = {"x86_64": 1, "amd64": 1, "aarch64": 2, "arm64": 2}
_AUDIT_ARCH = {1: 0xC000003E, 2: 0xC00000B7}


class Unsupported(Exception):
    """This system has no such call, or its numbers are not known here."""


def audit_arch() -> int:
    """The constant by which a seccomp filter knows the machine it is meant for."""
    return _AUDIT_ARCH[_column()]


def number(name: str) -> int | None:
    """The number of a call on this machine, None where it has none."""
    return _numbers()[name]


def call(name: str, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    """Make a system call. Raises OSError with its errno, Unsupported where it cannot even be made."""
    nr = number(name)
    if nr is None:
        raise Unsupported(name)
    # Plain integers would be passed as 32 bits.
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    result = int(_libc().syscall(ctypes.c_long(nr), *wide))
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), name)
    return result


_cache: dict[str, int | None] = {}
_loaded: list[ctypes.CDLL] = []


def _numbers() -> dict[str, int | None]:
    if not _cache:
        column = _column()
        for entry in (line.split() for line in _NUMBERS.replace("|", "\n").splitlines()):
            _cache[entry[0]] = None if entry[column] == "-" else int(entry[column])
    return _cache


def _column() -> int:
    if sys.platform != "linux" or os.uname().machine not in _COLUMN:
        raise Unsupported(f"{sys.platform} on {os.uname().machine}")
    return _COLUMN[os.uname().machine]


def _libc() -> ctypes.CDLL:
    if not _loaded:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.syscall.restype = ctypes.c_long
        _loaded.append(libc)
    return _loaded[0]
