/* ZIP files in memory, as far as numpy writes them: stored or deflated members, no encryption, no
   sizes beyond 4 GiB. */
#ifndef SPN_DATA_READ_ZIP_H
#define SPN_DATA_READ_ZIP_H

#include "base/source.h"

enum { SPN_ZIP_NAME = 128, SPN_ZIP_MEMBERS = 256 };

typedef struct spn_zip_member {
    char name[SPN_ZIP_NAME];
    size_t start, packed_size, size; /* of the packed bytes, and unpacked */
    uint32_t checksum;
    unsigned method; /* 0: stored, 8: deflated */
} spn_zip_member;

typedef struct spn_zip {
    const spn_source *source;
    size_t count;
    spn_zip_member *members;
} spn_zip;

/* Read the list of members. Sizes are held against the file. Errors: INPUT, saying what is damaged
   or not read; MEMORY. To be freed with spn_zip_free, also after a failure. */
spn_status spn_zip_open(spn_zip *out, const spn_source *source, spn_error *err);
void spn_zip_free(spn_zip *zip);

/* The content of a member, of at most max_bytes; borrowed if it is stored. name: what errors call
   it, borrowed. Its checksum is compared. */
spn_status spn_zip_load(spn_source *out, const spn_zip *zip, const spn_zip_member *member,
                        const char *name, size_t max_bytes, spn_error *err);

#endif
