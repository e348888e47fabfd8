/* The machine in words, for records: its processor, cores and instruction set; no names. */
#ifndef SPN_EXPERIMENT_MACHINE_H
#define SPN_EXPERIMENT_MACHINE_H

#include <stddef.h>

void spn_machine_describe(char *out, size_t size);

#endif
