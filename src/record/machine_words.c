/* The machine in words. */
#include "record/machine_words.h"

#include "base/machine.h"
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The value of the first line of /proc/cpuinfo that is called so; empty where there is none. */
static void find_line(char *out, size_t size, const char *name)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    out[0] = 0;
    while (file && !out[0] && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, name, strlen(name)) == 0)
            snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
    }
    if (file)
        fclose(file);
    out[strcspn(out, "\n")] = 0;
}

/* "Linux 6.1": no more of the release than tells kernels apart. */
static void system_name(char *out, size_t size)
{
    struct utsname names;
    if (uname(&names) != 0) {
        snprintf(out, size, "unknown system");
        return;
    }
    size_t length = strcspn(names.release, ".");
    if (names.release[length])
        length += 1 + strspn(names.release + length + 1, "0123456789");
    snprintf(out, size, "%.60s %.*s", names.sysname, (int)length, names.release);
}

static const char *compiler_name(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown compiler";
#endif
}

void spn_machine_describe(char *out, size_t size)
{
    char model[160], system[160], compiler[64];
    find_line(model, sizeof model, "model name");
    system_name(system, sizeof system);
    snprintf(compiler, sizeof compiler, "%s", compiler_name());
    compiler[strcspn(compiler, "(")] = 0; /* who built it, and from what, is no part of its name */
    size_t end = strlen(compiler);
    while (end > 0 && compiler[end - 1] == ' ')
        compiler[--end] = 0;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(out, size, "%s, %ld core%s, %s, %s, %s", model[0] ? model : "unknown processor", cores,
             cores == 1 ? "" : "s", spn_isa_name(spn_cpu_isa()), system, compiler);
}
