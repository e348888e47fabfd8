/* Instruction sets, memory and description of the machine. */
#ifndef SPN_BASE_MACHINE_H
#define SPN_BASE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/* Fast paths exist for each instruction set. Callers get a table of functions for a given set, so
   tests can ask for each. */
typedef enum spn_isa { SPN_ISA_PORTABLE, SPN_ISA_AVX2, SPN_ISA_AVX512 } spn_isa;

/* The widest set that this machine and this build have. */
spn_isa spn_cpu_isa(void);

/* Whether AVX-512 here can count bits of vectors. */
bool spn_cpu_counts_bits(void);

/* Whether AVX-512 here can pack chosen bytes of a vector. */
bool spn_cpu_packs_bytes(void);

const char *spn_isa_name(spn_isa isa);

/* Bytes of memory that the machine has, or that its container or this process (RLIMIT_AS) may use,
   whichever is least; 0 if unknown. */
double spn_machine_memory(void);

/* Describe the machine for records: processor, cores, instruction set, system and compiler, but
   not its name. */
void spn_machine_describe(char *out, size_t size);

#endif
