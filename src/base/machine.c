/* Instruction sets, memory and description of the machine, and the version of the library. */
#include "base/machine.h"

#include "base/commit.h"
#include "base/number.h"

#include <spinney/version.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

const char *spn_version(void)
{
    return SPN_VERSION_FULL;
}

const char *spn_instruction_set(void)
{
    return spn_isa_name(spn_cpu_isa());
}

spn_isa spn_cpu_isa(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return SPN_ISA_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return SPN_ISA_AVX2;
#endif
    return SPN_ISA_PORTABLE;
}

bool spn_cpu_counts_bits(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512vpopcntdq");
#else
    return false;
#endif
}

bool spn_cpu_packs_bytes(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512vbmi2");
#else
    return false;
#endif
}

const char *spn_isa_name(spn_isa isa)
{
    switch (isa) {
    case SPN_ISA_AVX512:
        return "avx512";
    case SPN_ISA_AVX2:
        return "avx2";
    case SPN_ISA_PORTABLE:
        break;
    }
    return "portable";
}

/* The number in a one-line file; 0 if there is none. */
static double number_in(const char *path)
{
    char line[64];
    double number = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (!fgets(line, sizeof line, file))
        line[0] = 0;
    fclose(file);
    line[strcspn(line, "\n")] = 0;
    return spn_number_parse(&number, line) && number > 0 ? number : 0;
}

double spn_machine_memory(void)
{
    static const char *const limits[] = {"/sys/fs/cgroup/memory.max",
                                         "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    double memory = pages > 0 && size > 0 ? (double)pages * (double)size : 0;
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        const double most = number_in(limits[k]);
        if (most > 0 && (memory <= 0 || most < memory))
            memory = most;
    }
    struct rlimit limit; /* of this process */
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (memory <= 0 || (double)limit.rlim_cur < memory))
        memory = (double)limit.rlim_cur;
    return memory;
}

/* Value of the first line of /proc/cpuinfo with this name; empty if there is none. */
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

/* "Linux 6.1", without the rest of the release. */
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
    compiler[strcspn(compiler, "(")] = 0; /* drop the builder of the compiler */
    size_t end = strlen(compiler);
    while (end > 0 && compiler[end - 1] == ' ')
        compiler[--end] = 0;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(out, size, "%s, %ld core%s, %s, %s, %s", model[0] ? model : "unknown processor", cores,
             cores == 1 ? "" : "s", spn_isa_name(spn_cpu_isa()), system, compiler);
}
