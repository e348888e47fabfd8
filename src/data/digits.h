/* The bytes of data/digits.csv.gz; the build makes them into a C file (cmake/embed.cmake). */
#ifndef SPN_DATA_DIGITS_H
#define SPN_DATA_DIGITS_H

#include <stddef.h>
#include <stdint.h>

extern const uint8_t spn_digits_data[];
extern const size_t spn_digits_size;

#endif
