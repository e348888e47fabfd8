/* Output files: whole or not at all, under a temporary name that nobody can foresee. */
#include "base/file.h"
#include "support/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

/* The temporary file of `name` in the folder of path; how many there are. */
static size_t find_parts(char out[256], const char *path)
{
    char folder[512];
    size_t count = 0;
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));)
        if (ends_with(entry->d_name, ".part")) {
            snprintf(out, 256, "%.255s", entry->d_name);
            count++;
        }
    closedir(entries);
    return count;
}

static void test_appears_whole(void **state)
{
    const char *path = spn_scratch_path(state, "out.txt");
    char part[256], again[256];
    struct stat info;
    spn_error err = {0};
    spn_file *file;
    assert_ok(spn_file_create(&file, path, &err), err);
    fputs("text", spn_file_stream(file));
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(find_parts(part, path), 1);
    assert_ok(spn_file_commit(file, &err), err);
    assert_int_equal(find_parts(again, path), 0);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, 4);
    const mode_t mask = umask(022);
    umask(mask);
    assert_int_equal(info.st_mode & 0777, 0666 & ~mask);
    /* the next one has another name, and nothing is left of one that is discarded */
    assert_ok(spn_file_create(&file, path, &err), err);
    assert_int_equal(find_parts(again, path), 1);
    assert_string_not_equal(part, again);
    spn_file_discard(file);
    assert_int_equal(find_parts(again, path), 0);
}

/* A link under the name of a process, as names once were, is neither followed nor removed. */
static void test_planted_link(void **state)
{
    const char *victim = spn_scratch_text(state, "victim", "precious");
    const char *path = spn_scratch_path(state, "out.txt");
    char link[600];
    struct stat info;
    spn_error err = {0};
    spn_file *file;
    snprintf(link, sizeof link, "%s.%ld.part", path, (long)getpid());
    assert_int_equal(symlink(victim, link), 0);
    assert_ok(spn_file_create(&file, path, &err), err);
    fputs("x", spn_file_stream(file));
    assert_ok(spn_file_commit(file, &err), err);
    assert_int_equal(stat(victim, &info), 0);
    assert_int_equal(info.st_size, 8);
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(unlink(link), 0);
}

/* What killed processes left is removed; what another process writes now, and what only looks like
   a leftover, is not. */
static void test_leftovers(void **state)
{
    const char *path = spn_scratch_path(state, "out.txt");
    char left[300], part[256];
    spn_error err = {0};
    spn_file *writing, *file;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const bool made = spn_file_create(&file, path, NULL) == SPN_OK;
        fputs("text", made ? spn_file_stream(file) : stderr);
        _exit(made ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(find_parts(part, path), 1);
    assert_ok(spn_file_create(&writing, path, &err), err);
    assert_int_equal(find_parts(part, path), 1);
    const char *others[] = {"out.txt.0123456789abcdeg.part", "out.txt.0123456789abcdef0.part",
                            "out.txt2.0123456789abcdef.part"};
    for (size_t k = 0; k < 3; k++)
        spn_scratch_text(state, others[k], "mine");
    snprintf(left, sizeof left, "%s.0123456789abcdef.part", path);
    assert_int_equal(symlink(spn_scratch_text(state, "victim", "precious"), left), 0);
    assert_ok(spn_file_create(&file, path, &err), err);
    assert_int_equal(find_parts(part, path), 6); /* two being written, the others, the link */
    assert_ok(spn_file_commit(file, &err), err);
    assert_ok(spn_file_commit(writing, &err), err);
    assert_int_equal(find_parts(part, path), 4);
    assert_int_equal(unlink(left), 0);
}

/* A write that fails while the file is being made is told when it is finished, with its reason, be
   it a block that stdio buffers or one that it does not. */
static void test_limit(void **state)
{
    const char *path = spn_scratch_path(state, "out.txt");
    static char block[100000];
    struct rlimit before, limit;
    char part[256];
    spn_error err = {0};
    spn_file *file;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){.rlim_cur = 50000, .rlim_max = before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (size_t size = 1; size <= sizeof block; size *= 10) {
        assert_ok(spn_file_create(&file, path, &err), err);
        for (size_t done = 0; done < sizeof block; done += size)
            fwrite(block, 1, size, spn_file_stream(file));
        assert_error(spn_file_commit(file, &err), &err, SPN_ERROR_IO, path,
                     "cannot be written: File too large");
        assert_int_equal(find_parts(part, path), 0);
        assert_int_equal(access(path, F_OK), -1);
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
}

static void test_where_it_cannot_be(void **state)
{
    const char *path = spn_scratch_path(state, "no/such/folder");
    spn_error err = {0};
    spn_file *file;
    assert_error(spn_file_create(&file, path, &err), &err, SPN_ERROR_IO,
                 "cannot be written: No such", "");
    assert_null(file);
    assert_ok(spn_file_create(&file, "/dev/null", &err), err);
    fputs("x", spn_file_stream(file));
    assert_ok(spn_file_commit(file, &err), err);
    struct stat info;
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

/* To try a pipe does not open it: without a reader that would wait, and with one end it. */
static void test_pipe(void **state)
{
    const char *path = spn_scratch_path(state, "pipe");
    spn_error err = {0};
    spn_file *file;
    char text[8] = "";
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_ok(spn_file_try(path, &err), err);
    const int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_ok(spn_file_create(&file, path, &err), err);
    fputs("words", spn_file_stream(file));
    assert_ok(spn_file_commit(file, &err), err);
    assert_int_equal(read(reader, text, sizeof text), 5);
    assert_string_equal(text, "words");
    close(reader);
}

/* In place of the C library's: to open this file for writing sends a signal first, once. */
static const char *signal_at;
static int opened;

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (signal_at && strcmp(path, signal_at) == 0 && opened++ == 0)
        raise(SIGUSR1);
    return openat(AT_FDCWD, path, flags, mode);
}

static void on_signal(int number)
{
    (void)number;
}

/* A signal ends the wait for a reader, though its handler restarts system calls. */
static void test_pipe_without_reader(void **state)
{
    const char *path = spn_scratch_path(state, "pipe");
    struct sigaction before, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    spn_error err = {0};
    spn_file *file;
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
    const pid_t parent = getpid(), child = fork();
    assert_true(child >= 0);
    while (child == 0) /* until it is killed, or its parent is gone */
        if (usleep(1000) != 0 || getppid() != parent || kill(parent, SIGUSR1) != 0)
            _exit(0);
    const spn_status status = spn_file_create(&file, path, &err);
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0)
        continue;
    sigaction(SIGUSR1, &before, NULL);
    assert_error(status, &err, SPN_ERROR_IO, "no program has opened this pipe to read it", "");
}

/* A signal that comes between two waits ends the next one. */
static void test_pipe_signal_between_waits(void **state)
{
    struct sigaction before, late, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    spn_error err = {0};
    spn_file *file;
    signal_at = spn_scratch_path(state, "pipe");
    assert_int_equal(mkfifo(signal_at, 0666), 0);
    assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
    assert_int_equal(sigaction(SIGALRM, &action, &late), 0);
    alarm(60); /* ends the wait if the first signal is lost */
    const spn_status status = spn_file_create(&file, signal_at, &err);
    alarm(0);
    signal_at = NULL;
    sigaction(SIGUSR1, &before, NULL);
    sigaction(SIGALRM, &late, NULL);
    assert_error(status, &err, SPN_ERROR_IO, "no program has opened this pipe to read it", "");
    assert_int_equal(opened, 1);
}

static char waited_for[256];

/* Reads the pipe, so that the wait ends. */
static void say_and_read(const char *path)
{
    snprintf(waited_for, sizeof waited_for, "%s", path);
    assert_true(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) >= 0);
}

/* A wait of some time is said, once. */
static void test_pipe_wait_is_said(void **state)
{
    const char *path = spn_scratch_path(state, "pipe");
    spn_error err = {0};
    spn_file *file;
    assert_int_equal(mkfifo(path, 0666), 0);
    spn_file_on_wait(say_and_read);
    assert_ok(spn_file_create(&file, path, &err), err);
    spn_file_on_wait(NULL);
    assert_string_equal(waited_for, path);
    spn_file_discard(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_appears_whole),       scratch_test(test_planted_link),
        scratch_test(test_leftovers),           scratch_test(test_limit),
        scratch_test(test_where_it_cannot_be),  scratch_test(test_pipe),
        scratch_test(test_pipe_without_reader), scratch_test(test_pipe_signal_between_waits),
        scratch_test(test_pipe_wait_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
