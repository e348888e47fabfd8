/* Loaded into the program (LD_PRELOAD) by the tests of faults: the n-th operation of a kind fails.
     FAIL         "KIND N HOW ERROR": what fails; the number of the first, from 1; "once", or
                  "lasting": it and all after it; the number of the error, or "short": of reads and
                  writes, which then move one byte
     FAIL_TRAP    the first operation that fails stops the program, for a debugger
     FAIL_SERVER  "IN OUT", two open descriptors: main() runs many times, each time in a fork of
                  the process as it was before main(), with the fault that a line read from IN says
                  (as FAIL; N may be 0: none). OUT gets the process id, then the answer below.
   The kinds of operations:
     memory  malloc, calloc, realloc, aligned_alloc, posix_memalign, by the program, its libraries,
             and the C library on their behalf (strdup, getline, fopen ...)
     open    open, openat, fopen, opendir, mkdir, pipe2
     read    read, pread, and what streams of files read
     write   write, pwrite, ftruncate, and what streams of files and stdout write; not stderr
     fsync, rename
     thread  pthread_create
   Only what happens in main() counts, and nothing that the libraries in `excluded` ask for: OpenMP
   ends the process itself where it finds no memory or thread, MPI aborts, and the dynamic loader
   has its own ways. Clocks stand still, so that two runs print the same. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MEMORY, OPEN, READ, WRITE, FSYNC, RENAME, THREAD, KINDS };
static const char *const kind_names[KINDS] = {"memory", "open",   "read",  "write",
                                              "fsync",  "rename", "thread"};
enum { SHORT = -1 };

static struct fault {
    int kind;
    long first; /* 0: none */
    bool lasting;
    int error;
    bool trap; /* stop there, for a debugger */
} fault;

/* What the server says of a run. */
typedef struct answer {
    int64_t status; /* as waitpid gives it */
    int64_t counts[KINDS];
} answer;

static atomic_bool counting; /* main() has begun */
static atomic_long *counts;  /* shared with the server */

/* ---- who asks ---- */

static const char *const excluded[] = {"/libgomp.",  "/libmpi.",  "/libopen-", "/libhwloc.",
                                       "/libevent",  "/libudev.", "/ld-linux", "/libasan.",
                                       "/libubsan.", "/liblsan.", "/libtsan.", "/fail_at.",
                                       "/libpmix",   "/libnss",   "/libresolv"};
enum { RANGES = 64 };
static struct range {
    uintptr_t start, end;
} ranges[RANGES];
static size_t range_count;

static int add_library(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    bool listed = false;
    for (size_t k = 0; k < sizeof excluded / sizeof *excluded; k++)
        listed |= strstr(info->dlpi_name, excluded[k]) != NULL;
    for (size_t k = 0; listed && k < info->dlpi_phnum && range_count < RANGES; k++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        const uintptr_t start = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X))
            ranges[range_count++] = (struct range){start, start + part->p_memsz};
    }
    return 0;
}

static bool is_excluded(const void *caller)
{
    for (size_t k = 0; k < range_count; k++)
        if ((uintptr_t)caller >= ranges[k].start && (uintptr_t)caller < ranges[k].end)
            return true;
    return false;
}

/* Count an operation: whether it has to fail. */
static bool is_due(int kind, const void *caller)
{
    if (!atomic_load(&counting) || is_excluded(caller))
        return false;
    const long number = atomic_fetch_add(&counts[kind], 1) + 1;
    if (kind != fault.kind || fault.first == 0)
        return false;
    if (number == fault.first && fault.trap)
        raise(SIGTRAP);
    return number == fault.first || (fault.lasting && number > fault.first);
}

/* The same for what fails with an error; errno is set. */
static bool fails(int kind, const void *caller)
{
    if (!is_due(kind, caller) || fault.error == SHORT)
        return false;
    errno = fault.error;
    return true;
}

/* The same for what moves bytes: -1, or how many it may move at most. */
static ssize_t allowed(int kind, size_t size, const void *caller)
{
    if (!is_due(kind, caller))
        return (ssize_t)size;
    if (fault.error == SHORT)
        return size > 0;
    errno = fault.error;
    return -1;
}

#define CALLER __builtin_return_address(0)

/* The function that this one stands before; looked up once. */
#define NEXT(name) ((__typeof__(&(name)))next_of(&next_##name, #name))
#define DECLARE_NEXT(name) static void *_Atomic next_##name
/* The model that needs no call, which the sanitizers would stand before. */
static _Thread_local bool looking_up __attribute__((tls_model("initial-exec")));

static void *next_of(void *_Atomic *slot, const char *name)
{
    void *found = atomic_load(slot);
    if (found)
        return found;
    looking_up = true; /* it may ask for memory, which it can do without */
    found = dlsym(RTLD_NEXT, name);
    looking_up = false;
    atomic_store(slot, found);
    return found;
}

/* ---- memory ---- */

DECLARE_NEXT(malloc);
DECLARE_NEXT(calloc);
DECLARE_NEXT(realloc);
DECLARE_NEXT(aligned_alloc);
DECLARE_NEXT(posix_memalign);

static bool no_memory(const void *caller)
{
    if (looking_up)
        return true;
    if (!is_due(MEMORY, caller))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return no_memory(CALLER) ? NULL : NEXT(malloc)(size);
}

void *calloc(size_t count, size_t size)
{
    return no_memory(CALLER) ? NULL : NEXT(calloc)(count, size);
}

void *realloc(void *old, size_t size)
{
    return no_memory(CALLER) ? NULL : NEXT(realloc)(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return no_memory(CALLER) ? NULL : NEXT(aligned_alloc)(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    return no_memory(CALLER) ? ENOMEM : NEXT(posix_memalign)(out, alignment, size);
}

/* ---- files ---- */

DECLARE_NEXT(open);
DECLARE_NEXT(openat);
DECLARE_NEXT(fopen);
DECLARE_NEXT(opendir);
DECLARE_NEXT(mkdir);
DECLARE_NEXT(pipe2);
DECLARE_NEXT(fdopen);
DECLARE_NEXT(read);
DECLARE_NEXT(pread);
DECLARE_NEXT(write);
DECLARE_NEXT(pwrite);
DECLARE_NEXT(ftruncate);
DECLARE_NEXT(fsync);
DECLARE_NEXT(rename);
DECLARE_NEXT(pthread_create);

static mode_t mode_of(int flags, va_list args)
{
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = mode_of(flags, args);
    va_end(args);
    return fails(OPEN, CALLER) ? -1 : NEXT(open)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = mode_of(flags, args);
    va_end(args);
    return fails(OPEN, CALLER) ? -1 : NEXT(openat)(folder, path, flags, mode);
}

DIR *opendir(const char *path)
{
    return fails(OPEN, CALLER) ? NULL : NEXT(opendir)(path);
}

int mkdir(const char *path, mode_t mode)
{
    return fails(OPEN, CALLER) ? -1 : NEXT(mkdir)(path, mode);
}

int pipe2(int ends[2], int flags)
{
    return fails(OPEN, CALLER) ? -1 : NEXT(pipe2)(ends, flags);
}

ssize_t read(int file, void *bytes, size_t size)
{
    const ssize_t most = allowed(READ, size, CALLER);
    return most < 0 ? -1 : NEXT(read)(file, bytes, (size_t)most);
}

ssize_t pread(int file, void *bytes, size_t size, off_t place)
{
    const ssize_t most = allowed(READ, size, CALLER);
    return most < 0 ? -1 : NEXT(pread)(file, bytes, (size_t)most, place);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    const ssize_t most = file == STDERR_FILENO ? (ssize_t)size : allowed(WRITE, size, CALLER);
    return most < 0 ? -1 : NEXT(write)(file, bytes, (size_t)most);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t place)
{
    const ssize_t most = allowed(WRITE, size, CALLER);
    return most < 0 ? -1 : NEXT(pwrite)(file, bytes, (size_t)most, place);
}

int ftruncate(int file, off_t size)
{
    return fails(WRITE, CALLER) ? -1 : NEXT(ftruncate)(file, size);
}

int fsync(int file)
{
    return fails(FSYNC, CALLER) ? -1 : NEXT(fsync)(file);
}

int rename(const char *from, const char *to)
{
    return fails(RENAME, CALLER) ? -1 : NEXT(rename)(from, to);
}

int pthread_create(pthread_t *out, const pthread_attr_t *how, void *(*start)(void *), void *with)
{
    return fails(THREAD, CALLER) ? EAGAIN : NEXT(pthread_create)(out, how, start, with);
}

/* ---- streams: the C library's own reads and writes cannot be stood before, so streams get ours
 * ---- */

static int descriptor_of(void *cookie)
{
    return (int)(intptr_t)cookie;
}

static ssize_t stream_read(void *cookie, char *bytes, size_t size)
{
    const ssize_t most = allowed(READ, size, NULL);
    return most < 0 ? -1 : NEXT(read)(descriptor_of(cookie), bytes, (size_t)most);
}

/* A stream's write is whole or an error; the C library goes on after a short one, and does not
 * after EINTR. */
static ssize_t stream_write(void *cookie, const char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t most = allowed(WRITE, size - done, NULL);
        const ssize_t put =
            most < 0 ? -1 : NEXT(write)(descriptor_of(cookie), bytes + done, (size_t)most);
        if (put < 0)
            break;
        done += (size_t)put;
    }
    return (ssize_t)done;
}

static int stream_seek(void *cookie, off64_t *place, int from)
{
    const off_t found = lseek(descriptor_of(cookie), *place, from);
    *place = found;
    return found < 0 ? -1 : 0;
}

static int stream_close(void *cookie)
{
    return close(descriptor_of(cookie));
}

static FILE *own_stream(int file, const char *mode)
{
    FILE *stream =
        fopencookie((void *)(intptr_t)file, mode,
                    (cookie_io_functions_t){stream_read, stream_write, stream_seek, stream_close});
    if (stream)
        stream->_fileno = file; /* for fileno() */
    return stream;
}

FILE *fdopen(int file, const char *mode)
{
    return atomic_load(&counting) ? own_stream(file, mode) : NEXT(fdopen)(file, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    if (!atomic_load(&counting) || strchr(mode, '+') || *mode == 'a' || is_excluded(CALLER))
        return NEXT(fopen)(path, mode);
    if (fails(OPEN, CALLER))
        return NULL;
    const int flags = *mode == 'r' ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
    const int file = NEXT(open)(path, flags | O_CLOEXEC, 0666);
    FILE *stream = file < 0 ? NULL : own_stream(file, mode);
    if (!stream && file >= 0) {
        close(file);
        errno = ENOMEM;
    }
    return stream;
}

/* ---- clocks ---- */

/* They stand still but for what is slept, which takes no time. */
enum { NOW = 1700000000, NANOSECONDS = 1000000000 };
static atomic_llong slept;

DECLARE_NEXT(clock_gettime);
DECLARE_NEXT(nanosleep);
DECLARE_NEXT(time);

int clock_gettime(clockid_t clock, struct timespec *out)
{
    if (!atomic_load(&counting))
        return NEXT(clock_gettime)(clock, out);
    const long long passed = atomic_load(&slept);
    *out = (struct timespec){NOW + passed / NANOSECONDS, passed % NANOSECONDS};
    return 0;
}

int nanosleep(const struct timespec *pause, struct timespec *left)
{
    if (!atomic_load(&counting))
        return NEXT(nanosleep)(pause, left);
    atomic_fetch_add(&slept, (long long)pause->tv_sec * NANOSECONDS + pause->tv_nsec);
    return 0;
}

time_t time(time_t *out)
{
    if (!atomic_load(&counting))
        return NEXT(time)(out);
    const time_t now = NOW + (time_t)(atomic_load(&slept) / NANOSECONDS);
    if (out)
        *out = now;
    return now;
}

/* ---- main ---- */

static int (*real_main)(int, char **, char **);

static bool read_fault(const char *text)
{
    char kind[16], how[16], error[16];
    fault = (struct fault){.kind = -1};
    if (sscanf(text, "%15s %ld %15s %15s", kind, &fault.first, how, error) != 4)
        return false;
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kind, kind_names[k]) == 0)
            fault.kind = k;
    fault.lasting = strcmp(how, "lasting") == 0;
    fault.trap = getenv("FAIL_TRAP") != NULL;
    fault.error = strcmp(error, "short") == 0 ? SHORT : atoi(error);
    return fault.kind >= 0;
}

static int run_main(int argc, char **argv, char **variables)
{
    if (fault.kind == WRITE || fault.kind == READ)
        stdout = own_stream(STDOUT_FILENO, "w");
    for (int k = 0; k < KINDS; k++)
        atomic_store(&counts[k], 0);
    atomic_store(&counting, true);
    return real_main(argc, argv, variables);
}

static void say(int out, const void *bytes, size_t size)
{
    if (NEXT(write)(out, bytes, size) != (ssize_t)size)
        _exit(3);
}

/* Run main() in a fork for each line of requests. */
static int serve(int in, int out, int argc, char **argv, char **variables)
{
    char line[128];
    FILE *requests = NEXT(fdopen)(in, "r");
    while (requests && fgets(line, sizeof line, requests)) {
        if (!read_fault(line))
            return 3;
        const pid_t child = fork();
        if (child == 0) {
            setpgid(0, 0);
            close(in);
            close(out);
            lseek(STDIN_FILENO, 0, SEEK_SET);
            return run_main(argc, argv, variables);
        }
        int status = 0;
        say(out, &child, sizeof child);
        if (waitpid(child, &status, 0) != child)
            return 3;
        answer a = {.status = status};
        for (int k = 0; k < KINDS; k++)
            a.counts[k] = atomic_load(&counts[k]);
        say(out, &a, sizeof a);
    }
    return 0;
}

static int main_with_faults(int argc, char **argv, char **variables)
{
    int in, out;
    char server[32] = "", how[64] = "";
    counts = mmap(NULL, sizeof(atomic_long[KINDS]), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED)
        return 3;
    dl_iterate_phdr(add_library, NULL);
    if (getenv("FAIL_SERVER"))
        snprintf(server, sizeof server, "%s", getenv("FAIL_SERVER"));
    if (getenv("FAIL"))
        snprintf(how, sizeof how, "%s", getenv("FAIL"));
    unsetenv("LD_PRELOAD"); /* programs that this one starts are undisturbed */
    unsetenv("FAIL_SERVER");
    unsetenv("FAIL");
    if (sscanf(server, "%d %d", &in, &out) == 2)
        return serve(in, out, argc, argv, variables);
    return read_fault(how) ? run_main(argc, argv, variables) : real_main(argc, argv, variables);
}

/* The C library starts main() through this. */
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end);

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
    __typeof__(&__libc_start_main) next =
        (__typeof__(&__libc_start_main))dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return next(main_with_faults, argc, argv, init, fini, loader_fini, stack_end);
}
