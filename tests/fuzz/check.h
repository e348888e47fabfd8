/* What all targets of the fuzzers share: to require a promise, to check an error, to hand a parser
   exactly as many bytes as there are. */
#ifndef SPN_FUZZ_CHECK_H
#define SPN_FUZZ_CHECK_H

#include "base/source.h"

#include <spinney/columns.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Small, so that an input that asks for much memory is refused rather than slow. */
enum { MAX_BYTES = 1 << 20 };

/* How errors call the file. */
#define INPUT "input"

/* Abort, saying where and what, unless the promise holds. */
#define require(promise) require_at(promise, #promise, __FILE__, __LINE__)
void require_at(bool promise, const char *words, const char *file, int line);

/* A failure has its status and one line of text, which starts with the place that is meant: a file
   or a setting (NULL: any). Nothing is asked of a success. */
void check_error(spn_status status, const spn_error *err, const char *place);

/* A file named INPUT, copied to memory of exactly its size, so that a read beyond it is caught; to
   be unloaded. */
spn_source copy_of(const uint8_t *data, size_t size);

/* The same bytes as a text, ended by NUL, to be freed; NUL bytes within become blanks. */
char *text_of(const uint8_t *data, size_t size);

/* Cut the text at the next newline and return what stands before it; *rest is NULL behind the last
   line. */
char *next_line(char **rest);

/* The text form of columns is read back as the same; to be freed. */
spn_columns *copy_columns(const spn_columns *columns);

#endif
