/* The right checksums of lines of records and of sweep.json, as no fuzzer could find by chance. */
#ifndef SPN_FUZZ_SEAL_H
#define SPN_FUZZ_SEAL_H

#include "base/source.h"

/* Each line of a manifest, without its last brace, with its checksum behind it; to be unloaded. */
spn_source with_checks(const uint8_t *data, size_t size);

/* A sweep.json of format 2 or later with its checksum; others stay as they are; to be unloaded. */
spn_source with_check(const uint8_t *data, size_t size);

#endif
