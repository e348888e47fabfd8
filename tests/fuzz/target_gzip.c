/* Gzip, the layer under every reader. Byte 0 chooses; the rest is a file, or what one is made of:
   bits 0 and 1: 0 a gzip file, but for its magic; 1 a deflated stream, which gets a head and the
   right tail; 2 content, which is packed as one member; 3 as two. Bit 2: the tail is made wrong.
   Bit 3: a byte follows. Bit 4: no more than 64 bytes may come out. */
#include "check.h"
#include "targets.h"

#include "data/problem.h"

#include <zlib.h>

enum { ROOM = 1 << 15, FEW_BYTES = 64 };

typedef struct packed {
    uint8_t file[ROOM], content[ROOM];
    size_t size, content_size; /* what should come out, where that is known */
    bool known;
} packed;

static const uint8_t HEAD[10] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};

static void put_u32(packed *p, uint64_t value)
{
    for (int b = 0; b < 4; b++)
        p->file[p->size++] = (uint8_t)(value >> 8 * b);
}

static void put_bytes(packed *p, const uint8_t *data, size_t size)
{
    memcpy(p->file + p->size, data, size);
    p->size += size;
}

/* A head, the stream as far as zlib takes it, and a tail by what it gives. */
static void frame_stream(packed *p, const uint8_t *data, size_t size)
{
    z_stream z = {.next_in = (z_const Bytef *)data,
                  .avail_in = (uInt)size,
                  .next_out = p->content,
                  .avail_out = ROOM};
    require(inflateInit2(&z, -15) == Z_OK);
    p->known = inflate(&z, Z_FINISH) == Z_STREAM_END;
    p->content_size = z.total_out;
    put_bytes(p, HEAD, sizeof HEAD);
    put_bytes(p, data, p->known ? z.total_in : size);
    inflateEnd(&z);
    put_u32(p, crc32(0, p->content, (uInt)p->content_size));
    put_u32(p, p->content_size);
}

/* One more member, of this content. */
static void pack(packed *p, const uint8_t *data, size_t size)
{
    z_stream z = {.next_in = (z_const Bytef *)data,
                  .avail_in = (uInt)size,
                  .next_out = p->file + p->size,
                  .avail_out = (uInt)(ROOM - p->size)};
    require(deflateInit2(&z, 1, Z_DEFLATED, 16 + 9, 1, Z_DEFAULT_STRATEGY) == Z_OK);
    require(deflate(&z, Z_FINISH) == Z_STREAM_END);
    p->size += z.total_out;
    deflateEnd(&z);
    memcpy(p->content + p->content_size, data, size);
    p->content_size += size;
    p->known = true;
}

static void make_file(packed *p, uint8_t how, const uint8_t *data, size_t size)
{
    const size_t half = how % 4 == 3 ? size / 2 : 0;
    p->size = p->content_size = 0;
    p->known = false;
    if (how % 4 == 0) {
        put_bytes(p, HEAD, 2);
        put_bytes(p, data, size);
    } else if (how % 4 == 1) {
        frame_stream(p, data, size);
    } else {
        if (half)
            pack(p, data, half);
        pack(p, data + half, size - half);
    }
    if (how & 4 && p->size > 3)
        p->file[p->size - 1 - how % 3] ^= 1;
    if (how & 8)
        p->file[p->size++] = how;
}

/* What comes out goes on to a reader, as from a plain file. */
static void read_content(const spn_source *source)
{
    spn_problem *problem;
    spn_error err = {0};
    const spn_problem_options options = spn_problem_options_defaults();
    check_error(spn_problem_parse(&problem, SPN_PROBLEM_STATES, source, &options, &err), &err,
                INPUT);
    spn_problem_free(problem);
}

void spn_fuzz_gzip(const uint8_t *data, size_t size)
{
    static packed p;
    if (size < 1 || size > ROOM / 4)
        return;
    make_file(&p, data[0], data + 1, size - 1);
    spn_source file = copy_of(p.file, p.size), content = {0};
    spn_error err = {0};
    const size_t most = data[0] & 16 ? FEW_BYTES : MAX_BYTES;
    const spn_status status = spn_source_wrap(&content, INPUT, file.data, file.size, most, &err);
    check_error(status, &err, INPUT);
    const bool is_good = p.known && !(data[0] & (4 | 8)) && p.content_size <= most;
    require(!is_good || status == SPN_OK);
    require(!(p.known && data[0] & 4) || status != SPN_OK);
    if (status == SPN_OK) {
        require(content.size <= most);
        require(!is_good || (content.size == p.content_size &&
                             memcmp(content.data, p.content, content.size) == 0));
        read_content(&content);
    }
    spn_source_unload(&content);
    spn_source_unload(&file);
}
