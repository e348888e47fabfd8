/* The machine in words, for records: its processor, cores and instruction set, its
   system and the compiler of this program, but not what it is called. */
#ifndef SPN_RECORD_MACHINE_WORDS_H
#define SPN_RECORD_MACHINE_WORDS_H

#include <stddef.h>

void spn_machine_describe(char *out, size_t size);

#endif
