/* The state of a sampler as bytes: one function visits its fields to measure, to write and to read
   them, so that the three cannot differ. */
#ifndef SPN_CORE_ARCHIVE_H
#define SPN_CORE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum spn_archive_mode {
    SPN_ARCHIVE_MEASURE,
    SPN_ARCHIVE_WRITE,
    SPN_ARCHIVE_READ
} spn_archive_mode;

typedef struct spn_archive {
    spn_archive_mode mode;
    unsigned char *bytes; /* written, or only read */
    size_t size, at;
    bool trusted;  /* this sampler wrote the bytes itself: nothing has to be checked */
    bool is_short; /* there were too few bytes; what they were for is unchanged */
} spn_archive;

/* Visit `size` bytes; data may be NULL if size is 0, or to measure. */
void spn_archive_move(spn_archive *archive, void *data, size_t size);

/* A field, or an array of `count` of them. */
#define SPN_VISIT(archive, field) spn_archive_move(archive, &(field), sizeof(field))
#define SPN_VISIT_ARRAY(archive, array, count)                                                     \
    spn_archive_move(archive, array, (count) * sizeof *(array))

/* A size or a flag, as 64 bits. */
void spn_archive_size(spn_archive *archive, size_t *value);
void spn_archive_flag(spn_archive *archive, bool *value);

/* Numbers that say what the state belongs to: written, or compared with those read. False: the
   bytes hold others, or are too few. */
bool spn_archive_agrees(spn_archive *archive, const uint64_t *numbers, size_t count);

static inline bool spn_archive_reads(const spn_archive *archive)
{
    return archive->mode == SPN_ARCHIVE_READ;
}

/* Bytes still to be read, or room still to be written. */
static inline size_t spn_archive_left(const spn_archive *archive)
{
    return archive->size - archive->at;
}

#endif
