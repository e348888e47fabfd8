/* Status names and error texts. */
#include <spinney/status.h>

#include "base/names.h"
#include "base/number.h"
#include "base/try.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const names[] = {
    [SPN_OK] = "ok",       [SPN_ERROR_ARGUMENT] = "argument", [SPN_ERROR_INPUT] = "input",
    [SPN_ERROR_IO] = "io", [SPN_ERROR_MEMORY] = "memory",     [SPN_ERROR_ENERGY] = "energy"};

SPN_DEFINE_NAMES(spn_status, "status", names)

spn_status spn_fail(spn_error *err, spn_status status, const char *format, ...)
{
    if (err) {
        err->status = status;
        va_list args;
        va_start(args, format);
        spn_print_text_list(err->text, sizeof err->text, format, args);
        va_end(args);
        for (char *c = err->text; *c; c++)
            if ((unsigned char)*c < 0x20 ||
                *c == 0x7f) /* of a file or an argument; the text is one line */
                *c = '?';
    }
    return status;
}

spn_status spn_no_memory(spn_error *err, const char *what, ...)
{
    char text[SPN_ERROR_TEXT / 2];
    va_list args;
    va_start(args, what);
    spn_print_text_list(text, sizeof text, what, args);
    va_end(args);
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %s", text);
}
