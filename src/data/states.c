/* Files of states: writing. */
#include <spinney/states.h>

#include "base/file.h"
#include "base/try.h"

spn_status spn_states_write(const char *path, const int8_t *spins, size_t count, size_t sites,
                            const char *const *comments, spn_error *err)
{
    spn_file *file;
    SPN_TRY(spn_file_create(&file, path, err));
    FILE *stream = spn_file_stream(file);
    for (size_t k = 0; k < count; k++) {
        if (comments && comments[k])
            fprintf(stream, "# %s\n", comments[k]);
        for (size_t i = 0; i < sites; i++)
            fputc(spins[k * sites + i] > 0 ? '+' : '-', stream);
        fputc('\n', stream);
    }
    return spn_file_commit(file, err);
}
