/* Status names and error texts. */
#include <spinney/status.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

const char *spn_status_name(spn_status status)
{
    switch (status) {
    case SPN_OK:
        return "ok";
    case SPN_ERROR_ARGUMENT:
        return "argument";
    case SPN_ERROR_INPUT:
        return "input";
    case SPN_ERROR_IO:
        return "io";
    case SPN_ERROR_MEMORY:
        return "memory";
    case SPN_ERROR_ENERGY:
        return "energy";
    }
    return "unknown";
}

spn_status spn_fail(spn_error *err, spn_status status, const char *format, ...)
{
    if (err) {
        err->status = status;
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        for (char *c = err->text; *c; c++)
            if (iscntrl((unsigned char)*c)) /* of a file or an argument; the text is one line */
                *c = '?';
    }
    return status;
}
