/* Traces written, and CSV files of numbers read back as columns. */
#include "record/trace.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/try.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

struct spn_trace_writer {
    spn_file *file;
    size_t replicas;
};

spn_status spn_trace_create(spn_trace_writer **out, const char *path, size_t replicas,
                            spn_error *err)
{
    *out = NULL;
    spn_trace_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return spn_no_memory(err, "%s", path);
    spn_status status = spn_file_create(&writer->file, path, err);
    if (status) {
        free(writer);
        return status;
    }
    writer->replicas = replicas;
    FILE *stream = spn_file_stream(writer->file);
    fprintf(stream, "step,beta,gamma,acceptance,overlap");
    for (size_t a = 1; a <= replicas; a++)
        fprintf(stream, ",energy_%zu", a);
    for (size_t a = 1; a <= replicas; a++)
        fprintf(stream, ",best_%zu", a);
    fputc('\n', stream);
    *out = writer;
    return SPN_OK;
}

void spn_trace_add(spn_trace_writer *writer, const spn_trace_row *row)
{
    FILE *stream = spn_file_stream(writer->file);
    spn_print(stream, "%" PRIu64 ",%.17g,%.17g,%.17g,%.17g", row->step, row->beta, row->gamma,
              row->acceptance, row->overlap);
    for (size_t a = 0; a < writer->replicas; a++)
        spn_print(stream, ",%.17g", row->energy[a]);
    for (size_t a = 0; a < writer->replicas; a++)
        spn_print(stream, ",%.17g", row->best[a]);
    fputc('\n', stream);
}

spn_status spn_trace_finish(spn_trace_writer *writer, spn_error *err)
{
    spn_status status = spn_file_commit(writer->file, err);
    free(writer);
    return status;
}

void spn_trace_discard(spn_trace_writer *writer)
{
    if (!writer)
        return;
    spn_file_discard(writer->file);
    free(writer);
}

/* ---- reading ---- */

static spn_status read_header(spn_trace_columns *columns, char *line, const char *path,
                              spn_error *err)
{
    size_t count = 1;
    for (const char *c = line; *c; c++)
        count += *c == ',';
    columns->names = spn_alloc(count, sizeof *columns->names);
    columns->values = spn_alloc(count, sizeof *columns->values);
    if (!columns->names || !columns->values)
        return spn_no_memory(err, "%s", path);
    char *name = line;
    for (size_t c = 0; c < count; c++) {
        char *end = name + strcspn(name, ",");
        *end = 0;
        if (!(columns->names[c] = strdup(name)))
            return spn_no_memory(err, "%s", path);
        columns->columns++;
        name = end + 1;
    }
    return SPN_OK;
}

static spn_status read_row(spn_trace_columns *columns, size_t *capacity, const char *line,
                           const char *path, size_t number, spn_error *err)
{
    size_t room = *capacity;
    for (size_t c = 0; c < columns->columns; c++) {
        room = *capacity;
        if (!spn_grow(&columns->values[c], &room, columns->rows + 1, sizeof(double)))
            return spn_no_memory(err, "%s", path);
    }
    *capacity = room;
    for (size_t c = 0; c < columns->columns; c++) {
        const char *end = line + spn_number_scan_any(&columns->values[c][columns->rows], line);
        char expected = c + 1 < columns->columns ? ',' : 0;
        if (end == line || *end != expected)
            return spn_fail(err, SPN_ERROR_INPUT,
                            "%s: line %zu: column %zu (%s) is not a number, or the "
                            "row has not %zu columns",
                            path, number, c + 1, columns->names[c], columns->columns);
        line = end + 1;
    }
    columns->rows++;
    return SPN_OK;
}

static spn_status read_stream(spn_trace_columns *columns, FILE *stream, const char *path,
                              spn_error *err)
{
    char *line = NULL;
    size_t size = 0, capacity = 0, number = 0;
    ssize_t length;
    spn_status status = SPN_OK;
    errno = 0;
    while (!status && (length = getline(&line, &size, stream)) > 0) {
        if (ferror(stream))
            break; /* it was in the middle of the line */
        number++;
        const bool is_text = !memchr(line, 0, (size_t)length);
        if (line[length - 1] == '\n')
            line[--length] = 0;
        if (length > 0 && line[length - 1] == '\r') /* of a file of Windows */
            line[--length] = 0;
        if (!is_text)
            status = spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: a byte 0; expected text", path,
                              number);
        else if (strchr(line, '\r'))
            status = spn_fail(err, SPN_ERROR_INPUT,
                              "%s: line %zu: a carriage return that does not end the line", path,
                              number);
        else if (!columns->names)
            status = read_header(columns, line, path, err);
        else if (*line)
            status = read_row(columns, &capacity, line, path, number, err);
    }
    const int why = errno; /* without memory for a line neither the end nor an error is reported */
    free(line);
    errno = why;
    if (!status && (ferror(stream) || !feof(stream)))
        return spn_file_fail(path, "cannot be read", err);
    if (!status && columns->rows == 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: no rows; expected a header and rows of numbers",
                        path);
    return status;
}

spn_status spn_trace_columns_parse(spn_trace_columns **out, FILE *stream, const char *name,
                                   spn_error *err)
{
    *out = NULL;
    spn_trace_columns *columns = calloc(1, sizeof *columns);
    const spn_status status =
        columns ? read_stream(columns, stream, name, err) : spn_no_memory(err, "%s", name);
    if (status)
        spn_trace_columns_free(columns);
    else
        *out = columns;
    return status;
}

spn_status spn_trace_columns_read(spn_trace_columns **out, const char *path, spn_error *err)
{
    *out = NULL;
    FILE *stream = fopen(path, "r");
    if (!stream)
        return spn_file_fail(path, "cannot be read", err);
    const spn_status status = spn_trace_columns_parse(out, stream, path, err);
    fclose(stream);
    return status;
}

size_t spn_trace_columns_find(const spn_trace_columns *columns, const char *name)
{
    for (size_t c = 0; c < columns->columns; c++)
        if (strcmp(columns->names[c], name) == 0)
            return c;
    return SIZE_MAX;
}

void spn_trace_columns_free(spn_trace_columns *columns)
{
    if (!columns)
        return;
    for (size_t c = 0; c < columns->columns; c++) {
        free(columns->names[c]);
        free(columns->values[c]);
    }
    free(columns->names);
    free(columns->values);
    free(columns);
}
