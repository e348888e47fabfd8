/* Numbers as texts. */
#ifndef SPN_BASE_NUMBER_H
#define SPN_BASE_NUMBER_H

#include <stdbool.h>

enum { SPN_NUMBER_TEXT = 32 };

/* The shortest text that reads back exactly: 0.1, 100000, 1e+20. value is finite. */
void spn_number_text(char out[SPN_NUMBER_TEXT], double value);

/* A finite decimal number that is the whole text: no blanks, no hexadecimal, no inf or nan. */
bool spn_number_parse(double *out, const char *text);

#endif
