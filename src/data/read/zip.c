/* ZIP files in memory. The list at the end of the file is trusted alone, as numpy writes sizes only
   there where it cannot know them before.
   https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
#include "data/read/zip.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { END_SIZE = 22, ENTRY_SIZE = 46, LOCAL_SIZE = 30, STORED = 0, DEFLATED = 8 };

static size_t u16(const uint8_t *at)
{
    return (size_t)at[0] | (size_t)at[1] << 8;
}

static size_t u32(const uint8_t *at)
{
    return u16(at) | u16(at + 2) << 16;
}

static spn_status fault(const spn_source *source, size_t byte, const char *what, spn_error *err)
{
    return spn_source_fail(source, err, "byte %zu: %s; save or fetch the file again", byte, what);
}

/* ---- the list of members ---- */

/* The record at the end, before a comment of at most 64 KiB. */
static bool find_end(size_t *out, const spn_source *source)
{
    if (source->size < END_SIZE)
        return false;
    size_t at = source->size - END_SIZE;
    for (size_t tried = 0; tried <= 65535; tried++, at--) {
        if (memcmp(source->data + at, "PK\5\6", 4) == 0) {
            *out = at;
            return true;
        }
        if (at == 0)
            break;
    }
    return false;
}

/* Where the packed bytes start: after a head of their own, whose names may have other sizes. */
static bool find_start(spn_zip_member *member, const spn_source *source, size_t head)
{
    if (source->size < LOCAL_SIZE || head > source->size - LOCAL_SIZE ||
        memcmp(source->data + head, "PK\3\4", 4) != 0)
        return false;
    const size_t more = u16(source->data + head + 26) + u16(source->data + head + 28);
    const size_t room = source->size - head - LOCAL_SIZE;
    member->start = head + LOCAL_SIZE + more;
    return more <= room && member->packed_size <= room - more;
}

/* Deflate makes a byte of no more than 1032. */
static bool is_possible(const spn_zip_member *member)
{
    return member->method == STORED ? member->size == member->packed_size
                                    : member->size / 1032 <= member->packed_size;
}

static spn_status read_entry(spn_zip_member *out, const spn_source *source, size_t at, size_t size,
                             spn_error *err)
{
    const uint8_t *entry = source->data + at;
    const size_t length = u16(entry + 28);
    *out = (spn_zip_member){.method = (unsigned)u16(entry + 10),
                            .checksum = (uint32_t)u32(entry + 16),
                            .packed_size = u32(entry + 20),
                            .size = u32(entry + 24)};
    if (length > size - ENTRY_SIZE)
        return fault(source, at, "the list of the ZIP file is cut short", err);
    if (length >= SPN_ZIP_NAME || memchr(entry + ENTRY_SIZE, 0, length))
        return fault(source, at, "a name in the ZIP file is too long", err);
    memcpy(out->name, entry + ENTRY_SIZE, length);
    if (u16(entry + 8) & 1)
        return fault(source, at, "the ZIP file is encrypted", err);
    if (out->size == UINT32_MAX || out->packed_size == UINT32_MAX)
        return fault(source, at, "an array beyond 4 GiB (ZIP64), which is not read", err);
    if (out->method != STORED && out->method != DEFLATED)
        return fault(source, at, "a ZIP file that is neither stored nor deflated", err);
    if (!find_start(out, source, u32(entry + 42)) || !is_possible(out))
        return fault(source, at, "the sizes in the ZIP file do not fit together", err);
    return SPN_OK;
}

static spn_status read_list(spn_zip *zip, size_t at, size_t end, spn_error *err)
{
    const spn_source *source = zip->source;
    for (size_t k = 0; k < zip->count; k++) {
        if (end - at < ENTRY_SIZE || memcmp(source->data + at, "PK\1\2", 4) != 0)
            return fault(source, at, "the list of the ZIP file is cut short", err);
        SPN_TRY(read_entry(&zip->members[k], source, at, end - at, err));
        const uint8_t *entry = source->data + at;
        const size_t size = ENTRY_SIZE + u16(entry + 28) + u16(entry + 30) + u16(entry + 32);
        if (size > end - at)
            return fault(source, at, "the list of the ZIP file is cut short", err);
        at += size;
    }
    /* Members that lie in each other could unpack to any amount, any number of times. */
    size_t packed = 0, unpacked = 0;
    for (size_t k = 0; k < zip->count; k++) { /* each below 2^32 */
        packed += zip->members[k].packed_size;
        unpacked += zip->members[k].size;
    }
    if (packed > zip->source->size)
        return fault(zip->source, at, "the sizes in the ZIP file do not fit together", err);
    if (unpacked > spn_unpacked_most(zip->source->size))
        return spn_unpacks_to_too_much(zip->source->name, zip->source->size,
                                       "numpy.savez in place of savez_compressed", err);
    return SPN_OK;
}

spn_status spn_zip_open(spn_zip *out, const spn_source *source, spn_error *err)
{
    size_t end;
    *out = (spn_zip){.source = source};
    if (!find_end(&end, source))
        return fault(source, source->size, "a ZIP file without its end", err);
    const size_t count = u16(source->data + end + 10), start = u32(source->data + end + 16);
    if (count > SPN_ZIP_MEMBERS)
        return fault(source, end, "more than 256 arrays", err);
    if (start > end)
        return fault(source, end, "the list of the ZIP file is not where it should be", err);
    out->members = spn_alloc(count, sizeof *out->members);
    SPN_NEED(out->members, err, "%s", source->name);
    out->count = count;
    return read_list(out, start, end, err);
}

void spn_zip_free(spn_zip *zip)
{
    free(zip->members);
    *zip = (spn_zip){0};
}

/* ---- members ---- */

/* Exactly the size that the list says. */
static bool inflate_all(uint8_t *out, const spn_zip_member *member, const uint8_t *packed)
{
    z_stream z = {.next_in = (z_const Bytef *)packed,
                  .avail_in = (uInt)member->packed_size,
                  .next_out = out,
                  .avail_out = (uInt)member->size};
    if (inflateInit2(&z, -15) != Z_OK)
        return false;
    const int code = inflate(&z, Z_FINISH);
    const bool whole = code == Z_STREAM_END && z.avail_out == 0;
    inflateEnd(&z);
    return whole;
}

spn_status spn_zip_load(spn_source *out, const spn_zip *zip, const spn_zip_member *member,
                        const char *name, size_t max_bytes, spn_error *err)
{
    const uint8_t *packed = zip->source->data + member->start;
    *out = (spn_source){.name = name, .data = packed, .size = member->size};
    if (member->size > max_bytes)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: holds more than the %zu bytes allowed; take a part of it", name,
                        max_bytes);
    if (member->method == DEFLATED) {
        out->data = out->owned = spn_alloc(member->size, 1);
        SPN_NEED(out->owned, err, "%s", name);
    }
    const bool whole = member->method == STORED || inflate_all(out->owned, member, packed);
    if (whole && crc32_z(crc32(0, NULL, 0), out->data, out->size) == member->checksum)
        return SPN_OK;
    spn_source_unload(out);
    return fault(zip->source, member->start, "an array in the ZIP file is damaged", err);
}
