/* What the fuzzers and the unit test that replays their cases have in common: one function per
   reader, which parses an input and checks what it gives. No disk is touched. */
#ifndef SPN_FUZZ_TARGETS_H
#define SPN_FUZZ_TARGETS_H

#include <stddef.h>
#include <stdint.h>

/* Abort if a parser breaks its promise; crash if it does worse.
   csv, svmlight: the first byte chooses options, and where its bit 7 is set a second one; the rest
   is the file. What has columns is read again by them.
   npz: the first byte chooses options, the rest is the file.
   columns: all of it is the text.
   idx, npy: byte 0 chooses options, bytes 1 and 2 (little-endian) are the size of the file of
   labels, which comes next; the rest is the file of features.
   graph: byte 0 chooses the kind (bit 0: a cut graph) and the format (the rest, as in
   spn_graph_format), problem: it chooses patterns, a table or states; the rest is the file.
   model: bit 0 of byte 0 says whether checksums are put right first; the rest is the file.
   manifest: bit 0 of byte 0 says whether each line gets its checksum; the rest is the file.
   sweep, spec: all of it is the file. */
void spn_fuzz_csv(const uint8_t *data, size_t size);
void spn_fuzz_svmlight(const uint8_t *data, size_t size);
void spn_fuzz_idx(const uint8_t *data, size_t size);
void spn_fuzz_npy(const uint8_t *data, size_t size);
void spn_fuzz_graph(const uint8_t *data, size_t size);
void spn_fuzz_problem(const uint8_t *data, size_t size);
void spn_fuzz_npz(const uint8_t *data, size_t size);
void spn_fuzz_columns(const uint8_t *data, size_t size);
void spn_fuzz_model(const uint8_t *data, size_t size);
void spn_fuzz_manifest(const uint8_t *data, size_t size);
void spn_fuzz_sweep(const uint8_t *data, size_t size);
void spn_fuzz_spec(const uint8_t *data, size_t size);

/* libFuzzer's entry, defined by each fuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
