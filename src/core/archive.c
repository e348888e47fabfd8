#include "core/archive.h"

#include <assert.h>
#include <string.h>

void spn_archive_move(spn_archive *archive, void *data, size_t size)
{
    assert(!archive->bytes || archive->at <= archive->size);
    if (archive->bytes && size > spn_archive_left(archive))
        archive->is_short = true;
    if (size == 0 || archive->is_short)
        return;
    if (archive->reads)
        memcpy(data, archive->bytes + archive->at, size);
    else if (archive->bytes)
        memcpy(archive->bytes + archive->at, data, size);
    archive->at += size;
}

void spn_archive_size(spn_archive *archive, size_t *value)
{
    uint64_t wide = *value;
    SPN_VISIT(archive, wide);
    *value = (size_t)wide;
}

void spn_archive_flag(spn_archive *archive, bool *value)
{
    uint64_t wide = *value;
    SPN_VISIT(archive, wide);
    *value = wide != 0;
}

bool spn_archive_agrees(spn_archive *archive, const uint64_t *numbers, size_t count)
{
    bool same = true;
    for (size_t k = 0; k < count; k++) {
        uint64_t number = numbers[k];
        SPN_VISIT(archive, number);
        same = same && number == numbers[k];
    }
    return same && !archive->is_short;
}
