/* Formulas of TeX in labels: texts between two $, such as $\alpha_0$. */
#ifndef SPN_BASE_TEX_H
#define SPN_BASE_TEX_H

#include <spinney/status.h>
#include <stddef.h>

/* The first formula of a text: its opening $; end: its closing $. NULL: there is none. A $ after a
   backslash, and one without a second, is itself. */
const char *spn_tex_formula(const char **end, const char *text);

/* The text with its formulas in letters and signs of UTF-8: α₀. Texts without a formula stay as
   they are, and so does what does not fit, cut off. Errors: ARGUMENT, naming a command that is not
   known, or braces that do not match. */
spn_status spn_tex_plain(char *out, size_t size, const char *text, spn_error *err);

#endif
