/* Numbers as texts, the same in every locale: one reader, one writer, decimal only. Nothing else,
   such as strtod or printf of %g, may read or write a number that a file or a program sees. */
#ifndef SPN_BASE_NUMBER_H
#define SPN_BASE_NUMBER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Read the decimal number at the start of a text of size characters: sign, digits with at most one
   point, exponent. Returns its characters; 0 if there is none. No blanks, hexadecimal or names.
   Correctly rounded; +-INFINITY if too large. */
size_t spn_number_scan(double *out, const char *text, size_t size);

/* The same for a text that ends with NUL, and for nan, inf and infinity in any case. */
size_t spn_number_scan_any(double *out, const char *text);

/* A finite decimal number that is the whole text. */
bool spn_number_parse(double *out, const char *text);

/* The same for the first `size` characters. */
bool spn_number_parse_part(double *out, const char *text, size_t size);

/* A whole number from 0 to 2^63-1 that is the whole text, exact: 300000, 3e5 and 3.0e5 alike; not
   1.5, not -1, not 0x10. */
bool spn_whole_parse(uint64_t *out, const char *text);

/* For qsort of doubles. */
int spn_number_compare(const void *a, const void *b);

/* Round to 1 to 17 significant digits, so that 0.1 + 0.2 becomes 0.3. */
double spn_number_round(double value, int digits);

enum { SPN_NUMBER_TEXT = 32 };

/* The shortest text that reads back exactly: 0.1, 100000, 1e+20. value is finite. */
void spn_number_text(char out[SPN_NUMBER_TEXT], double value);

void spn_whole_text(char out[SPN_NUMBER_TEXT], uint64_t value);

/* The fewest digits, at least 6, that read back exactly, as by %g: 1e+06. */
void spn_number_short(char out[SPN_NUMBER_TEXT], double value);

/* fprintf, snprintf and vsnprintf with a decimal point, whatever the locale. */
int spn_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
int spn_print_text(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int spn_print_text_list(char *out, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* Append to the text in `out`, of `size` bytes; what does not fit is cut off. */
void spn_print_more(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
