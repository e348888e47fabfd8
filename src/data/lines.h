/* Text files line by line, plain or gzipped, with the checks that every reader of text needs. */
#ifndef SPN_DATA_LINES_H
#define SPN_DATA_LINES_H

#include <spinney/status.h>
#include <stdbool.h>

typedef struct spn_lines spn_lines;

spn_status spn_lines_open(spn_lines **out, const char *path, spn_error *err);

/* The next line that is not blank and not a comment (# first), without its line end; *line is NULL
   after the last. It stays valid until the next call. Errors: IO, INPUT (zero bytes, a gzip stream
   cut short), MEMORY. */
spn_status spn_lines_next(char **line, spn_lines *lines, spn_error *err);

/* Fail with INPUT and a text that starts with the file's name and the number of the current line.
 */
spn_status spn_lines_fail(const spn_lines *lines, spn_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Read a number or an index at *text, which moves behind it and any blanks; false if there is none.
   Numbers are finite; an index is a whole number from 0 to 2^32-1, without a sign. */
bool spn_read_real(double *out, char **text);
bool spn_read_index(unsigned long *out, char **text);

const char *spn_lines_path(const spn_lines *lines);
void spn_lines_close(spn_lines *lines);

#endif
