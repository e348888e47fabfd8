/* The state of a sampler as bytes. One function visits its fields to measure, write and read them,
   so that the three cannot differ. */
#ifndef SPN_CORE_ARCHIVE_H
#define SPN_CORE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spn_archive {
    unsigned char *bytes; /* NULL: only measure */
    bool reads;           /* read from the bytes; else write */
    size_t size, at;
    bool trusted;  /* this sampler wrote the bytes itself, so nothing is checked */
    bool is_short; /* too few bytes; the rest is unchanged */
} spn_archive;

/* Visit `size` bytes; data may be NULL if size is 0, or to measure. */
void spn_archive_move(spn_archive *archive, void *data, size_t size);

/* A field, or an array of `count`. */
#define SPN_VISIT(archive, field) spn_archive_move(archive, &(field), sizeof(field))
#define SPN_VISIT_ARRAY(archive, array, count)                                                     \
    spn_archive_move(archive, array, (count) * sizeof *(array))

/* A size or a flag, as 64 bits. */
void spn_archive_size(spn_archive *archive, size_t *value);
void spn_archive_flag(spn_archive *archive, bool *value);

/* Numbers that identify the owner of the state: written, or compared with those read. False: they
   differ, or there are too few bytes. */
bool spn_archive_agrees(spn_archive *archive, const uint64_t *numbers, size_t count);

static inline bool spn_archive_reads(const spn_archive *archive)
{
    return archive->reads;
}

/* Bytes left to read, or room left to write. */
static inline size_t spn_archive_left(const spn_archive *archive)
{
    return archive->size - archive->at;
}

#endif
