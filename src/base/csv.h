/* Texts as cells of CSV files. */
#ifndef SPN_BASE_CSV_H
#define SPN_BASE_CSV_H

#include <stdio.h>

/* What goes before a text so that no spreadsheet takes it for a formula: an apostrophe where it
   starts with = + - @, a tab or a carriage return and is no number; else nothing. Every text of a
   CSV file that is not our own goes through here. */
const char *spn_csv_guard(const char *text);

/* A text as a cell, guarded, in quotes where it must be. */
void spn_csv_put(FILE *stream, const char *text);

/* The same always in quotes, and on one line: control characters become blanks. */
void spn_csv_put_quoted(FILE *stream, const char *text);

#endif
