/* Load files, plain or gzipped. */
#include "base/source.h"
#include "base/file.h"

#include "base/memory.h"
#include "base/number.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static spn_status too_large(const char *name, size_t max_bytes, spn_error *err)
{
    return spn_fail(
        err, SPN_ERROR_INPUT,
        "%s: holds more than the %zu bytes allowed; raise the limit or take a part of it", name,
        max_bytes);
}

static spn_status no_memory(const char *name, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory while reading", name);
}

size_t spn_unpacked_most(size_t packed)
{
    if (packed > SIZE_MAX / SPN_UNPACKED_RATIO)
        return SIZE_MAX;
    const size_t most = packed * SPN_UNPACKED_RATIO;
    return most > SPN_UNPACKED_FREE ? most : SPN_UNPACKED_FREE;
}

spn_status spn_unpacks_to_too_much(const char *name, size_t packed, const char *remedy,
                                   spn_error *err)
{
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: unpacks to more than %zu bytes, the most that is read of %zu packed ones; "
                    "if it should, unpack it first: %s",
                    name, spn_unpacked_most(packed), packed, remedy);
}

static bool is_gzip(const uint8_t *data, size_t size)
{
    return size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

/* zlib counts in unsigned int, so pass at most this much at a time. */
static uInt portion(size_t size)
{
    const size_t most = 1u << 30;
    return (uInt)(size < most ? size : most);
}

static spn_status inflate_fault(const char *name, int code, size_t place, spn_error *err)
{
    if (code == Z_MEM_ERROR)
        return no_memory(name, err);
    if (code == Z_BUF_ERROR || code == Z_OK)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: the gzip data is cut short at byte %zu; fetch the file again", name,
                        place);
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: the gzip data is damaged before byte %zu; fetch the file again", name,
                    place);
}

/* Decompress the gzip member at *place, and move *place past it. */
static spn_status inflate_member(z_stream *z, spn_bytes *out, const spn_source *packed,
                                 size_t *place, size_t max_bytes, spn_error *err)
{
    const size_t most = spn_unpacked_most(packed->size);
    int code = inflateReset(z);
    while (code == Z_OK) {
        if (!spn_grow(&out->data, &out->capacity, out->size + 65536, 1))
            return no_memory(packed->name, err);
        uInt give = portion(packed->size - *place), room = portion(out->capacity - out->size);
        z->next_in = (z_const Bytef *)(packed->data + *place);
        z->avail_in = give;
        z->next_out = out->data + out->size;
        z->avail_out = room;
        code = inflate(z, Z_NO_FLUSH);
        *place += give - z->avail_in;
        out->size += room - z->avail_out;
        if (out->size > max_bytes)
            return too_large(packed->name, max_bytes, err);
        if (out->size > most)
            return spn_unpacks_to_too_much(packed->name, packed->size, "gunzip", err);
        if (code == Z_OK && z->avail_out != 0 && *place == packed->size)
            break;
    }
    return code == Z_STREAM_END ? SPN_OK : inflate_fault(packed->name, code, *place, err);
}

/* A gzip file is one or more members, and nothing else. */
static spn_status gunzip(spn_bytes *out, const spn_source *packed, size_t max_bytes, spn_error *err)
{
    z_stream z = {0};
    if (inflateInit2(&z, 15 + 16) != Z_OK)
        return no_memory(packed->name, err);
    spn_status status = SPN_OK;
    size_t place = 0;
    while (status == SPN_OK && place < packed->size)
        status = inflate_member(&z, out, packed, &place, max_bytes, err);
    inflateEnd(&z);
    return status;
}

/* /dev/zero, /dev/full and their like give bytes without end; /dev/null gives none, and a terminal
   ends. */
static bool is_endless(int fd, const struct stat *info)
{
    char byte;
    return S_ISCHR(info->st_mode) && !isatty(fd) && read(fd, &byte, 1) == 1;
}

static spn_status open_file(int *out, size_t *size, const char *path, spn_error *err)
{
    *size = 0;
    *out = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (*out < 0 || fstat(*out, &info) != 0)
        return spn_file_fail(path, "cannot be opened", err);
    if (S_ISDIR(info.st_mode))
        return spn_fail(err, SPN_ERROR_IO, "%s: is a folder; give the name of a file", path);
    if (is_endless(*out, &info))
        return spn_fail(err, SPN_ERROR_IO, "%s: is a device without an end; give a file", path);
    if (S_ISREG(info.st_mode) && info.st_size > 0)
        *size = (size_t)info.st_size;
    return SPN_OK;
}

static spn_status read_all(spn_bytes *out, int fd, const char *name, size_t max_bytes,
                           spn_error *err)
{
    for (;;) {
        if (!spn_grow(&out->data, &out->capacity, out->size + 1, 1))
            return no_memory(name, err);
        ssize_t got = read(fd, out->data + out->size, out->capacity - out->size);
        if (got == 0)
            return SPN_OK;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return spn_file_fail(name, "cannot be read", err);
        out->size += (size_t)got;
        if (out->size > max_bytes)
            return too_large(name, max_bytes, err);
    }
}

static spn_status load_raw(spn_bytes *out, const char *path, const char *name, size_t max_bytes,
                           spn_error *err)
{
    int fd = -1;
    size_t size;
    spn_status status = open_file(&fd, &size, path, err);
    if (status == SPN_OK && size > max_bytes)
        status = too_large(name, max_bytes, err);
    if (status == SPN_OK && !spn_grow(&out->data, &out->capacity, size + 4096, 1))
        status = no_memory(name, err);
    if (status == SPN_OK)
        status = read_all(out, fd, name, max_bytes, err);
    if (fd >= 0)
        close(fd);
    return status;
}

spn_status spn_source_wrap(spn_source *out, const char *name, const uint8_t *data, size_t size,
                           size_t max_bytes, spn_error *err)
{
    *out = (spn_source){.name = name, .data = data, .size = size};
    if (!is_gzip(data, size))
        return SPN_OK;
    spn_bytes content = {0};
    spn_status status = gunzip(&content, out, max_bytes, err);
    if (status != SPN_OK) {
        free(content.data);
        *out = (spn_source){0};
        return status;
    }
    *out = (spn_source){name, content.data, content.size, content.data};
    return SPN_OK;
}

static _Thread_local spn_source_listener listening;

spn_source_listener spn_source_listen(spn_source_listener listener)
{
    const spn_source_listener before = listening;
    listening = listener;
    return before;
}

spn_status spn_source_load(spn_source *out, const char *path, size_t max_bytes, spn_error *err)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    spn_bytes raw = {0};
    *out = (spn_source){0};
    spn_status status = load_raw(&raw, path, name, max_bytes, err);
    if (status == SPN_OK)
        status = spn_source_wrap(out, name, raw.data, raw.size, max_bytes, err);
    if (status == SPN_OK && !out->owned)
        out->owned = raw.data;
    else
        free(raw.data);
    if (status == SPN_OK && listening.loaded)
        listening.loaded(listening.context, path, out);
    return status;
}

void spn_source_unload(spn_source *source)
{
    free(source->owned);
    *source = (spn_source){0};
}

spn_status spn_source_fail(const spn_source *source, spn_error *err, const char *format, ...)
{
    char text[SPN_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    spn_print_text_list(text, sizeof text, format, args);
    va_end(args);
    return spn_fail(err, SPN_ERROR_INPUT, "%s: %s", source->name, text);
}
