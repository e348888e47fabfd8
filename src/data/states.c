/* Files of states: writing. */
#include "base/file.h"
#include <spinney/states.h>

/* The writer is the file itself. */
static spn_file *file_of(spn_states_writer *writer)
{
    return (spn_file *)writer;
}

spn_status spn_states_create(spn_states_writer **out, const char *path, spn_error *err)
{
    spn_file *file;
    spn_status status = spn_file_create(&file, path, err);
    *out = (spn_states_writer *)file;
    return status;
}

void spn_states_add(spn_states_writer *writer, const int8_t *spins, size_t sites,
                    const char *comment)
{
    FILE *stream = spn_file_stream(file_of(writer));
    if (comment)
        fprintf(stream, "# %s\n", comment);
    for (size_t i = 0; i < sites; i++)
        fputc(spins[i] > 0 ? '+' : '-', stream);
    fputc('\n', stream);
}

spn_status spn_states_finish(spn_states_writer *writer, spn_error *err)
{
    return spn_file_commit(file_of(writer), err);
}

void spn_states_discard(spn_states_writer *writer)
{
    spn_file_discard(file_of(writer));
}
