/* Which instruction sets this machine has. Fast paths exist once per set; the callers take a table
   of functions for the set they are given, so a test can ask for each. */
#ifndef SPN_BASE_CPU_H
#define SPN_BASE_CPU_H

#include <stdbool.h>

typedef enum spn_isa { SPN_ISA_PORTABLE, SPN_ISA_AVX2, SPN_ISA_AVX512 } spn_isa;

/* The widest set this machine runs and this build contains. */
spn_isa spn_cpu_isa(void);

/* Whether AVX-512 counts the ones of whole vectors here, which not every machine that has it does.
 */
bool spn_cpu_counts_bits(void);

/* Whether AVX-512 packs chosen bytes of a vector here. */
bool spn_cpu_packs_bytes(void);

const char *spn_isa_name(spn_isa isa);

#endif
