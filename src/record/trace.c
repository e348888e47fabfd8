/* Traces: writing. */
#include "base/file.h"
#include "base/number.h"
#include <spinney/lab/trace.h>

#include <inttypes.h>
#include <stdlib.h>

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
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", path);
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
