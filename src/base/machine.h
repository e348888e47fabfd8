/* The machine: its instruction sets, its memory, and itself in words. */
#ifndef SPN_BASE_MACHINE_H
#define SPN_BASE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/* Fast paths exist once per instruction set. Callers take a table of functions for the set they are
   given, so a test can ask for each. */
typedef enum spn_isa { SPN_ISA_PORTABLE, SPN_ISA_AVX2, SPN_ISA_AVX512 } spn_isa;

/* The widest set that this machine runs and this build contains. */
spn_isa spn_cpu_isa(void);

/* Whether this machine's AVX-512 can count the ones of whole vectors. */
bool spn_cpu_counts_bits(void);

/* Whether this machine's AVX-512 can pack chosen bytes of a vector. */
bool spn_cpu_packs_bytes(void);

const char *spn_isa_name(spn_isa isa);

/* Bytes of memory: what the machine has, or its container or this process (RLIMIT_AS) may use,
   whichever is least; 0 if unknown. */
double spn_machine_memory(void);

/* The machine in words, for records: its processor, cores and instruction set, its system and the
   compiler of this program, but not its name. */
void spn_machine_describe(char *out, size_t size);

#endif
