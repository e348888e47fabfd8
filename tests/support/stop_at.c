/* Loaded into the program (LD_PRELOAD) by the tests of kills, interrupts and times: the program
   gets a signal at a chosen operation on its files, or look at the clock, whatever the speed of the
   machine.
     STOP_CALL   a shell pattern for the operations that count, "rename *.checkpoint"; default *;
                 or "clock": looks at the steady clock, which * leaves out, as their number depends
                 on the machine
     STOP_AT     the signal comes after this many of them
     STOP_WITH   the number of the signal; default 9; the thread then waits for a second
     STOP_UNTIL  no signal: the thread waits there until a file has a name like this pattern
     STOP_COUNT  a file that gets the number of operations when the program ends
     STOP_BUSY   if it is there, the steady clock stands still while the program waits for a
                 processor
   The operations: access, write, fsync, rename, unlink and unlinkat. A write that ends in SIGKILL
   leaves half of its bytes behind. */
#include <dlfcn.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_long operations;

static long number_of(const char *variable, long otherwise)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : otherwise;
}

/* Count what is like STOP_CALL: true if the signal is due. */
static bool count(void)
{
    return atomic_fetch_add(&operations, 1) + 1 == number_of("STOP_AT", 0);
}

static bool is_due(const char *call, const char *path)
{
    char text[PATH_MAX + 16];
    const char *pattern = getenv("STOP_CALL");
    snprintf(text, sizeof text, "%s %s", call, path);
    return (!pattern || fnmatch(pattern, text, 0) == 0) && count();
}

static bool is_due_for(const char *call, int file)
{
    char link[64], path[PATH_MAX] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    return readlink(link, path, sizeof path - 1) >= 0 && is_due(call, path);
}

static int signal_number(void)
{
    return (int)number_of("STOP_WITH", SIGKILL);
}

static void wait_for_file(const char *pattern)
{
    glob_t found;
    while (glob(pattern, 0, NULL, &found) != 0)
        usleep(10000);
    globfree(&found);
}

static void stop_if(bool due)
{
    const char *pattern = getenv("STOP_UNTIL");
    if (due && pattern)
        wait_for_file(pattern);
    else if (due && kill(getpid(), signal_number()) == 0)
        usleep(1000000); /* other threads may have to notice it */
}

/* The function that this one stands before. */
#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

int access(const char *path, int mode)
{
    const int result = NEXT(access)(path, mode);
    stop_if(is_due("access", path));
    return result;
}

ssize_t write(int file, const void *bytes, size_t size)
{
    const bool due = is_due_for("write", file);
    const bool torn = due && signal_number() == SIGKILL;
    const ssize_t result = NEXT(write)(file, bytes, torn ? size / 2 : size);
    stop_if(due);
    return result;
}

int fsync(int file)
{
    const int result = NEXT(fsync)(file);
    stop_if(is_due_for("fsync", file));
    return result;
}

int rename(const char *from, const char *to)
{
    const int result = NEXT(rename)(from, to);
    stop_if(is_due("rename", to));
    return result;
}

int unlink(const char *path)
{
    const int result = NEXT(unlink)(path);
    stop_if(is_due("unlink", path));
    return result;
}

int unlinkat(int folder, const char *path, int flags)
{
    const int result = NEXT(unlinkat)(folder, path, flags);
    stop_if(is_due("unlinkat", path));
    return result;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static _Atomic(__typeof__(&clock_gettime)) next;
    if (!next)
        next = NEXT(clock_gettime);
    const bool steady = clock == CLOCK_MONOTONIC;
    const int result = next(steady && getenv("STOP_BUSY") ? CLOCK_PROCESS_CPUTIME_ID : clock, now);
    const char *pattern = getenv("STOP_CALL");
    stop_if(steady && pattern && strcmp(pattern, "clock") == 0 && count());
    return result;
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("STOP_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%ld\n", atomic_load(&operations));
    fclose(file);
}
