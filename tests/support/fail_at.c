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
#include "fail_at.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

bool fail_at_counting(void)
{
    return atomic_load(&counting);
}

bool fail_at_is_excluded(const void *caller)
{
    for (size_t k = 0; k < range_count; k++)
        if ((uintptr_t)caller >= ranges[k].start && (uintptr_t)caller < ranges[k].end)
            return true;
    return false;
}

bool fail_at_is_due(int kind, const void *caller)
{
    if (!atomic_load(&counting) || fail_at_is_excluded(caller))
        return false;
    const long number = atomic_fetch_add(&counts[kind], 1) + 1;
    if (kind != fault.kind || fault.first == 0)
        return false;
    if (number == fault.first && fault.trap)
        raise(SIGTRAP);
    return number == fault.first || (fault.lasting && number > fault.first);
}

bool fail_at_fails(int kind, const void *caller)
{
    if (!fail_at_is_due(kind, caller) || fault.error == SHORT)
        return false;
    errno = fault.error;
    return true;
}

ssize_t fail_at_allowed(int kind, size_t size, const void *caller)
{
    if (!fail_at_is_due(kind, caller))
        return (ssize_t)size;
    if (fault.error == SHORT)
        return size > 0;
    errno = fault.error;
    return -1;
}

/* The model that needs no call, which the sanitizers would stand before. */
static _Thread_local bool looking_up __attribute__((tls_model("initial-exec")));

void *fail_at_next(void *_Atomic *slot, const char *name)
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
    if (!fail_at_is_due(MEMORY, caller))
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

DECLARE_NEXT(write);
DECLARE_NEXT(fdopen);

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
        stdout = fail_at_own_stream(STDOUT_FILENO, "w");
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
