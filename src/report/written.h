/* The files that a report wrote into a folder, so that the next report can remove those it no
   longer writes. No other file is touched. */
#ifndef SPN_REPORT_WRITTEN_H
#define SPN_REPORT_WRITTEN_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct spn_written {
    size_t count, room;
    char **names; /* of files in the folder */
    bool failed;  /* out of memory: nothing is removed */
} spn_written;

void spn_written_add(spn_written *written, const char *path);

/* Remove the files that only the previous report wrote, and write the new list. keep_pictures:
   keep those of scripts just written, because none were drawn. Errors: IO (the list cannot be
   written), MEMORY. */
spn_status spn_written_settle(spn_written *written, const char *folder, bool keep_pictures,
                              spn_error *err);
void spn_written_clear(spn_written *written);

#endif
