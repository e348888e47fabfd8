/* The machine: its instruction sets and its memory; and the version of this library. */
#include "base/machine.h"

#include "base/commit.h"
#include "base/number.h"

#include <spinney/version.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
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

/* The number in a file of one line; 0 where there is none. */
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
