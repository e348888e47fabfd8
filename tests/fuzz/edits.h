/* Inputs that are edits of something valid: how a fuzzer gets behind checksums, magic numbers and
   sizes, and keeps its cases when a format changes. */
#ifndef SPN_FUZZ_EDITS_H
#define SPN_FUZZ_EDITS_H

#include <stddef.h>
#include <stdint.h>

typedef struct spn_bytes_edited {
    uint8_t *data; /* allocated, of exactly this size */
    size_t size;
} spn_bytes_edited;

/* Change bytes that are allocated as the edits say, one after the other. An edit is an operation,
   a place of two bytes (modulo the size), and what it needs:
     0  set a byte: 1 more      1  set eight bytes at a multiple of 8: 8 more
     2  the same, to a number that is often wrong (0, 1, all ones, 2^63, NaN, infinity, ...): 1 more
     3  flip bits: 1 more       4  cut off what follows        5  take out 8 bytes
     6  put 8 bytes in: 8 more  7  add to eight bytes: 1 more, signed */
void apply_edits(spn_bytes_edited *bytes, const uint8_t *edits, size_t size);

#endif
