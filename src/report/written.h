/* Which files a report wrote into a folder, so that the next one can remove those that it no longer
   writes: no other file is ever touched. */
#ifndef SPN_REPORT_WRITTEN_H
#define SPN_REPORT_WRITTEN_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct spn_written {
    size_t count, room;
    char **names; /* of files of the folder */
    bool failed;  /* there was no memory for one: then nothing is removed */
} spn_written;

/* Note a file, by its path. */
void spn_written_add(spn_written *written, const char *path);

/* Remove what the list of the last report in this folder has and this one does not, and leave this
   one's list. keep_pictures: those of a script that was written stay, since none were drawn.
   Errors: IO (the list cannot be written), MEMORY. */
spn_status spn_written_settle(spn_written *written, const char *folder, bool keep_pictures,
                              spn_error *err);
void spn_written_clear(spn_written *written);

#endif
