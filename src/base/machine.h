/* The machine that the program runs on. */
#ifndef SPN_BASE_MACHINE_H
#define SPN_BASE_MACHINE_H

/* Bytes of memory: those of the machine, or what its container, or this process (RLIMIT_AS), may
 * use; 0 where they are not known.
 */
double spn_machine_memory(void);

#endif
