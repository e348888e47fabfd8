/* Which instruction sets this machine has. */
#include "base/cpu.h"

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
