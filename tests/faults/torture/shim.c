/* Counts every call of a process tree that changes something below one folder, and strikes before the K-th.
 *
 * Preloaded (LD_PRELOAD) into Python and, by inheritance, into every git it starts. Set up by environment variables, read
 * when a program starts and again by torture_arm():
 *
 *   TORTURE_ROOT   the folder; calls on anything else pass untouched. Not set: everything does.
 *   TORTURE_STATE  a file of 8 bytes: the counter all processes share.
 *   TORTURE_LOG    a file that gets a line for each call once it is done: number, kind, process, inode, result (-2: it is
 *                  about to be struck), path, other path.
 *   TORTURE_AT     K; 0 strikes never.
 *   TORTURE_MODE   kill: SIGKILL to the process group. torn: half of a write's bytes land first. errno: the call fails.
 *                  orphan: only the group's leader is killed; a child that makes the call does so, and goes on, late.
 *                  lone: only the process that makes the call is killed.
 *   TORTURE_ERRNO  with what.
 *   TORTURE_FIRST  kinds (bits) of calls that may fail so: two threads take their numbers as they come to it, and the K-th
 *                  may be another call than when they were counted. One that cannot fail so passes.
 *   TORTURE_LAST   kinds (bits) of which every later call fails too, as on a disk that stays full. 0: only this one call.
 *   TORTURE_READS  1: opening a file to read counts as well.
 *   TORTURE_GRAVE  a folder that keeps every file that loses a name, so that a name can be brought back.
 *
 * Not seen: writing through mmap (SQLite's -shm file alone does so here), and what stdio writes inside of libc.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

enum kind { OPEN, CREATE, READ, WRITE, TRUNCATE, RENAME, EXCHANGE, LINK, UNLINK, MKDIR, RMDIR, CHMOD, UTIME, FSYNC };
static const char *const names[] = {"open",   "create", "read",  "write", "truncate", "rename", "exchange",
                                    "link",   "unlink", "mkdir", "rmdir", "chmod",    "utime",  "fsync"};

enum mode { KILL, TORN, ERRNO, ORPHAN, LONE };
enum verdict { GO, FAIL, TEAR };

enum { STRUCK = -2 }; /* as a result in the log */
enum { LATE = 300000 }; /* microseconds: time enough for the next command to come */

/* One call on its way: what it is about to do, and to what. */
struct call {
    uint64_t number; /* 0: none of ours */
    enum kind kind;
    uint64_t inode;
    char path[PATH_MAX];
    char other[PATH_MAX];
};

static char root[PATH_MAX];
static char grave[PATH_MAX];
static uint64_t *counter;
static int log_descriptor = -1;
static uint64_t strike_at;
static enum mode mode;
static int failure;
static unsigned long failing;
static unsigned long lasting;
static int count_reads;

/* The libc's own function of this name, looked up once. */
#define REAL(name)                                                                                                      \
    static __typeof__(name) *real;                                                                                      \
    if (real == NULL)                                                                                                   \
    real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static int real_open(const char *path, int flags, mode_t permissions) {
    static int (*real)(int, const char *, int, ...);
    if (real == NULL)
        real = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat64");
    return real(AT_FDCWD, path, flags, permissions);
}

static ssize_t real_write(int descriptor, const void *bytes, size_t size) {
    REAL(write);
    return real(descriptor, bytes, size);
}

static const char *setting(const char *name) {
    const char *value = getenv(name);
    return value != NULL ? value : "";
}

static enum mode mode_called(const char *name) {
    static const char *const modes[] = {"kill", "torn", "errno", "orphan", "lone"};
    for (int one = KILL; one <= LONE; one++)
        if (strcmp(modes[one], name) == 0)
            return (enum mode)one;
    return KILL;
}

__attribute__((constructor)) void torture_arm(void) {
    snprintf(root, sizeof root, "%s", setting("TORTURE_ROOT"));
    if (root[0] == '\0')
        return;
    snprintf(grave, sizeof grave, "%s", setting("TORTURE_GRAVE"));
    strike_at = strtoull(setting("TORTURE_AT"), NULL, 10);
    mode = mode_called(setting("TORTURE_MODE"));
    failure = atoi(setting("TORTURE_ERRNO"));
    failing = strtoul(setting("TORTURE_FIRST"), NULL, 10);
    lasting = strtoul(setting("TORTURE_LAST"), NULL, 10);
    count_reads = setting("TORTURE_READS")[0] == '1';
    int state = real_open(setting("TORTURE_STATE"), O_RDWR | O_CLOEXEC, 0);
    counter = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, state, 0);
    close(state);
    log_descriptor = real_open(setting("TORTURE_LOG"), O_WRONLY | O_APPEND | O_CLOEXEC, 0);
    if (counter == MAP_FAILED || log_descriptor < 0)
        abort();
}

/* -- where a call goes -------------------------------------------------------------------------------------------- */

/* The path behind a descriptor; empty when it is none. AT_FDCWD is the current folder. */
static void path_of(int descriptor, char *path) {
    char link[64];
    if (descriptor == AT_FDCWD)
        snprintf(link, sizeof link, "/proc/self/cwd");
    else
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t size = readlink(link, path, PATH_MAX - 1);
    path[size < 0 ? 0 : size] = '\0';
}

/* ``name`` as seen from a folder, absolute, with the links in its folders followed and its last part as it is. */
static void resolve(int folder, const char *name, char *path) {
    char joined[PATH_MAX], parent[PATH_MAX];
    if (name[0] == '/') {
        snprintf(joined, sizeof joined, "%s", name);
    } else {
        path_of(folder, parent);
        if (snprintf(joined, sizeof joined, "%s/%s", parent, name) >= (int)sizeof joined)
            joined[0] = '\0';
    }
    size_t size = strlen(joined);
    while (size > 1 && joined[size - 1] == '/')
        joined[--size] = '\0';
    char *slash = strrchr(joined, '/');
    path[0] = '\0';
    if (slash == NULL)
        return;
    *slash = '\0';
    if (realpath(slash == joined ? "/" : joined, parent) != NULL &&
        snprintf(path, PATH_MAX, "%s/%s", parent, slash + 1) >= PATH_MAX)
        path[0] = '\0';
}

static int is_below_root(const char *path) {
    size_t size = strlen(root);
    return strncmp(path, root, size) == 0 && (path[size] == '/' || path[size] == '\0');
}

static uint64_t inode_of(const char *path) {
    struct stat found;
    return lstat(path, &found) == 0 ? found.st_ino : 0;
}

/* -- before and after --------------------------------------------------------------------------------------------- */

static void die(void) {
    kill(0, SIGKILL);
    for (;;)
        pause();
}

/* Write down what a call did, or that it was struck. */
static void note(const struct call *call, long result) {
    char line[2 * PATH_MAX + 128];
    int kept = errno;
    if (call->number == 0)
        return;
    int size = snprintf(line, sizeof line, "%llu\t%s\t%d\t%llu\t%ld\t%s\t%s\n", (unsigned long long)call->number,
                        names[call->kind], getpid(), (unsigned long long)call->inode, result, call->path, call->other);
    if (real_write(log_descriptor, line, (size_t)size) != size)
        abort();
    errno = kept;
}

/* Give the call its number, and strike if it is the one. */
static enum verdict strike(struct call *call) {
    call->number = __atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST);
    if (strike_at == 0 || call->number < strike_at)
        return GO;
    int fits = mode != ERRNO || failing & 1UL << call->kind;
    int chosen = call->number == strike_at && fits;
    if (!chosen && !(lasting & 1UL << call->kind))
        return GO;
    note(call, STRUCK);
    if (mode == ERRNO) {
        errno = failure;
        return FAIL;
    }
    if (mode == TORN && call->kind == WRITE)
        return TEAR;
    if (mode == ORPHAN && getpid() != getpgrp()) {
        kill(getpgrp(), SIGKILL);
        usleep(LATE);
        return GO;
    }
    if (mode == LONE)
        kill(getpid(), SIGKILL);
    die();
    return FAIL;
}

/* A call that may be one of ours; 0 when none is. */
static int begun(struct call *call, enum kind kind) {
    call->number = 0;
    call->kind = kind;
    call->other[0] = '\0';
    return root[0] != '\0';
}

/* A call on an open file. */
static enum verdict on_descriptor(struct call *call, enum kind kind, int descriptor) {
    struct stat found;
    int kept = errno;
    if (!begun(call, kind))
        return GO;
    path_of(descriptor, call->path);
    if (!is_below_root(call->path) || fstat(descriptor, &found) != 0) {
        errno = kept;
        return GO;
    }
    call->inode = found.st_ino;
    errno = kept;
    return strike(call);
}

/* A call on one or two names. */
static enum verdict on_names(struct call *call, enum kind kind, int folder, const char *name, int to, const char *other) {
    int kept = errno;
    if (!begun(call, kind))
        return GO;
    resolve(folder, name, call->path);
    if (other != NULL)
        resolve(to, other, call->other);
    call->inode = inode_of(call->path);
    errno = kept;
    if (!is_below_root(call->path) && !is_below_root(call->other))
        return GO;
    return strike(call);
}

static void keep(const char *path) {
    char kept_as[PATH_MAX];
    REAL(linkat);
    uint64_t inode = inode_of(path);
    if (inode != 0 && snprintf(kept_as, sizeof kept_as, "%s/%llu", grave, (unsigned long long)inode) < (int)sizeof kept_as)
        real(AT_FDCWD, path, AT_FDCWD, kept_as, 0);
}

/* Keep the files that are about to lose their names. */
static void bury(const struct call *call) {
    int kept = errno;
    if (call->number != 0 && grave[0] != '\0') {
        keep(call->path);
        keep(call->other);
    }
    errno = kept;
}

/* -- open --------------------------------------------------------------------------------------------------------- */

static int opened(int folder, const char *name, int flags, mode_t permissions) {
    static int (*real)(int, const char *, int, ...);
    struct call call;
    int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
    if (real == NULL)
        real = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat64");
    if (!writes && (!count_reads || (flags & O_DIRECTORY)))
        return real(folder, name, flags, permissions);
    char path[PATH_MAX] = "";
    if (root[0] != '\0')
        resolve(folder, name, path);
    int is_new = inode_of(path) == 0;
    enum kind kind = !writes ? READ : is_new && (flags & O_CREAT) ? CREATE : flags & O_TRUNC ? TRUNCATE : OPEN;
    if (on_names(&call, kind, folder, name, 0, NULL) == FAIL)
        return -1;
    int descriptor = real(folder, name, flags, permissions);
    if (call.number != 0 && descriptor >= 0) {
        struct stat found;
        if (fstat(descriptor, &found) == 0)
            call.inode = found.st_ino;
    }
    note(&call, descriptor);
    return descriptor;
}

#define PERMISSIONS(flags, permissions)                                                                                \
    mode_t permissions = 0;                                                                                            \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                                           \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        permissions = va_arg(more, mode_t);                                                                            \
        va_end(more);                                                                                                  \
    }

int open(const char *name, int flags, ...) {
    PERMISSIONS(flags, permissions)
    return opened(AT_FDCWD, name, flags, permissions);
}

int open64(const char *name, int flags, ...) {
    PERMISSIONS(flags, permissions)
    return opened(AT_FDCWD, name, flags, permissions);
}

int openat(int folder, const char *name, int flags, ...) {
    PERMISSIONS(flags, permissions)
    return opened(folder, name, flags, permissions);
}

int openat64(int folder, const char *name, int flags, ...) {
    PERMISSIONS(flags, permissions)
    return opened(folder, name, flags, permissions);
}

/* What a fortified program calls when it gives no permissions. */
int __open_2(const char *name, int flags) { return opened(AT_FDCWD, name, flags, 0); }
int __open64_2(const char *name, int flags) { return opened(AT_FDCWD, name, flags, 0); }
int __openat_2(int folder, const char *name, int flags) { return opened(folder, name, flags, 0); }
int __openat64_2(int folder, const char *name, int flags) { return opened(folder, name, flags, 0); }
int creat(const char *name, mode_t permissions) { return opened(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, permissions); }
int creat64(const char *name, mode_t permissions) { return creat(name, permissions); }

/* stdio opens inside of libc, so its opening is taken over by the open above; its writing stays unseen. */
FILE *fopen(const char *name, const char *how) {
    REAL(fopen);
    int plus = strchr(how, '+') != NULL;
    int flags = how[0] == 'w' ? O_CREAT | O_TRUNC : how[0] == 'a' ? O_CREAT | O_APPEND : 0;
    flags |= plus ? O_RDWR : how[0] == 'r' ? O_RDONLY : O_WRONLY;
    if (root[0] == '\0' || (how[0] == 'r' && !plus && !count_reads))
        return real(name, how);
    int descriptor = opened(AT_FDCWD, name, flags | O_CLOEXEC, 0666);
    return descriptor < 0 ? NULL : fdopen(descriptor, how);
}

FILE *fopen64(const char *name, const char *how) { return fopen(name, how); }

/* -- writing ------------------------------------------------------------------------------------------------------ */

/* A call that writes so much; ``half`` of it when it is torn. */
#define PASS_BYTES(descriptor, much, half, act)                                                                        \
    struct call call;                                                                                                  \
    enum verdict verdict = on_descriptor(&call, WRITE, descriptor);                                                    \
    if (verdict == FAIL)                                                                                               \
        return -1;                                                                                                     \
    if (verdict == TEAR)                                                                                               \
        much = half;                                                                                                   \
    ssize_t done = (act);                                                                                              \
    note(&call, done);                                                                                                 \
    if (verdict == TEAR)                                                                                               \
        die();                                                                                                         \
    return done

ssize_t write(int descriptor, const void *bytes, size_t size) {
    PASS_BYTES(descriptor, size, size / 2, real_write(descriptor, bytes, size));
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
    REAL(pwrite64);
    PASS_BYTES(descriptor, size, size / 2, real(descriptor, bytes, size, offset));
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    return pwrite64(descriptor, bytes, size, offset);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    REAL(writev);
    PASS_BYTES(descriptor, count, count / 2, real(descriptor, parts, count));
}

static size_t half_of(int from) {
    struct stat whole;
    return fstat(from, &whole) == 0 ? (size_t)whole.st_size / 2 : 0;
}

ssize_t sendfile64(int to, int from, off64_t *offset, size_t size) {
    REAL(sendfile64);
    PASS_BYTES(to, size, half_of(from), real(to, from, offset, size));
}

ssize_t sendfile(int to, int from, off_t *offset, size_t size) { return sendfile64(to, from, offset, size); }

ssize_t copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t size, unsigned flags) {
    REAL(copy_file_range);
    PASS_BYTES(to, size, size / 2, real(from, from_offset, to, to_offset, size, flags));
}

/* A call that either happens as it is or fails: on an open file, or on one or two names. */
#define PASS_DESCRIPTOR(kind, descriptor, act)                                                                         \
    struct call call;                                                                                                  \
    if (on_descriptor(&call, kind, descriptor) == FAIL)                                                                \
        return -1;                                                                                                     \
    int done = (act);                                                                                                  \
    note(&call, done);                                                                                                 \
    return done

#define PASS_NAMES(kind, folder, name, to, second, act)                                                                \
    struct call call;                                                                                                  \
    if (on_names(&call, kind, folder, name, to, second) == FAIL)                                                       \
        return -1;                                                                                                     \
    bury(&call);                                                                                                       \
    int done = (act);                                                                                                  \
    note(&call, done);                                                                                                 \
    return done

int ftruncate64(int descriptor, off64_t size) {
    REAL(ftruncate64);
    PASS_DESCRIPTOR(TRUNCATE, descriptor, real(descriptor, size));
}

int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

int truncate64(const char *name, off64_t size) {
    REAL(truncate64);
    PASS_NAMES(TRUNCATE, AT_FDCWD, name, 0, NULL, real(name, size));
}

int truncate(const char *name, off_t size) { return truncate64(name, size); }

int fsync(int descriptor) {
    REAL(fsync);
    PASS_DESCRIPTOR(FSYNC, descriptor, real(descriptor));
}

int fdatasync(int descriptor) {
    REAL(fdatasync);
    PASS_DESCRIPTOR(FSYNC, descriptor, real(descriptor));
}

/* -- names -------------------------------------------------------------------------------------------------------- */

int renameat2(int from, const char *name, int to, const char *other, unsigned flags) {
    REAL(renameat2);
    enum kind kind = flags & RENAME_EXCHANGE ? EXCHANGE : RENAME;
    PASS_NAMES(kind, from, name, to, other, real(from, name, to, other, flags));
}

int renameat(int from, const char *name, int to, const char *other) { return renameat2(from, name, to, other, 0); }

int rename(const char *name, const char *other) { return renameat2(AT_FDCWD, name, AT_FDCWD, other, 0); }

int linkat(int from, const char *name, int to, const char *other, int flags) {
    REAL(linkat);
    PASS_NAMES(LINK, from, name, to, other, real(from, name, to, other, flags));
}

int link(const char *name, const char *other) { return linkat(AT_FDCWD, name, AT_FDCWD, other, 0); }

int symlinkat(const char *target, int folder, const char *name) {
    REAL(symlinkat);
    PASS_NAMES(CREATE, folder, name, 0, NULL, real(target, folder, name));
}

int symlink(const char *target, const char *name) { return symlinkat(target, AT_FDCWD, name); }

int unlinkat(int folder, const char *name, int flags) {
    REAL(unlinkat);
    PASS_NAMES(flags & AT_REMOVEDIR ? RMDIR : UNLINK, folder, name, 0, NULL, real(folder, name, flags));
}

int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }

int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }

int mkdirat(int folder, const char *name, mode_t permissions) {
    REAL(mkdirat);
    struct call call;
    if (on_names(&call, MKDIR, folder, name, 0, NULL) == FAIL)
        return -1;
    int done = real(folder, name, permissions);
    int kept = errno;
    if (call.number != 0 && done == 0)
        call.inode = inode_of(call.path);
    errno = kept;
    note(&call, done);
    return done;
}

int mkdir(const char *name, mode_t permissions) { return mkdirat(AT_FDCWD, name, permissions); }

/* -- what is told about a file ------------------------------------------------------------------------------------ */

int fchmod(int descriptor, mode_t permissions) {
    REAL(fchmod);
    PASS_DESCRIPTOR(CHMOD, descriptor, real(descriptor, permissions));
}

int fchmodat(int folder, const char *name, mode_t permissions, int flags) {
    REAL(fchmodat);
    PASS_NAMES(CHMOD, folder, name, 0, NULL, real(folder, name, permissions, flags));
}

int chmod(const char *name, mode_t permissions) { return fchmodat(AT_FDCWD, name, permissions, 0); }

int utimensat(int folder, const char *name, const struct timespec times[2], int flags) {
    REAL(utimensat);
    PASS_NAMES(UTIME, folder, name, 0, NULL, real(folder, name, times, flags));
}

int utime(const char *name, const struct utimbuf *times) {
    REAL(utime);
    PASS_NAMES(UTIME, AT_FDCWD, name, 0, NULL, real(name, times));
}

int futimens(int descriptor, const struct timespec times[2]) {
    REAL(futimens);
    PASS_DESCRIPTOR(UTIME, descriptor, real(descriptor, times));
}
