/* Loaded into the program (LD_PRELOAD): the folders below READ_ONLY are on a file system that
   cannot be written to, also for root. WHY: the errno that writing gets, a number; default EROFS.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The function that this one stands before. */
#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

/* Whether a file is below the folder, by the place of the folder that is to hold it. */
static bool is_below(const char *path)
{
    const char *folder = getenv("READ_ONLY");
    char holder[PATH_MAX], *found = NULL;
    strncpy(holder, path, sizeof holder - 1);
    holder[sizeof holder - 1] = 0;
    for (char *slash; !found && (slash = strrchr(holder, '/')) && slash != holder;) {
        *slash = 0;
        found = realpath(holder, NULL);
    }
    if (!found)
        found = realpath(".", NULL);
    const size_t length = folder ? strlen(folder) : 0;
    const bool below = found && folder && strncmp(found, folder, length) == 0 &&
                       (found[length] == '/' || !found[length]);
    free(found);
    return below;
}

static int refuse(void)
{
    const char *why = getenv("WHY");
    errno = why ? atoi(why) : EROFS;
    return -1;
}

int mkdir(const char *path, mode_t mode)
{
    struct stat info;
    if (is_below(path) && stat(path, &info) != 0)
        return refuse();
    return NEXT(mkdir)(path, mode);
}

static mode_t mode_of(int flags, va_list arguments)
{
    return flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
}

static bool writes(int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return writes(flags) && is_below(path) ? refuse() : NEXT(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return writes(flags) && is_below(path) ? refuse() : NEXT(open64)(path, flags, mode);
}

int rename(const char *from, const char *to)
{
    return is_below(to) ? refuse() : NEXT(rename)(from, to);
}

int unlink(const char *path)
{
    return is_below(path) ? refuse() : NEXT(unlink)(path);
}
