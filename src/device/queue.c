/* Words on a device: steps wait in a list of work, and go there many at a time. */
#include "base/memory.h"
#include "device/device.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The work of one launch at most: moves of a word are counted in 32 bits there, and tables take
   memory. */
enum { MOST_CHUNKS = 1 << 14, MOST_TABLES = 1 << 21, HEAD = 4 };

/* An array that grows. */
typedef struct numbers {
    void *data;
    size_t count, room;
} numbers;

struct spn_word_device {
    const spn_device_library *library;
    void *opened;
    numbers chunks, windows, tables; /* rows; rows; words */
    size_t last[2];                  /* where the tables of the last chunk are */
    uint64_t waiting, most;          /* steps */
    bool open;                       /* the last window can take more steps */
    bool ahead;                      /* the device's spins are newer than those here */
    size_t slice;
    uint64_t tallies[SPN_SLICES][2]; /* accepted and uphill */
    spn_status status;
    spn_error error;
};

static void fail(spn_word_device *d, spn_status status)
{
    d->status = d->status ? d->status : status;
}

/* Room for `count` more; NULL without memory. */
static void *grow(spn_word_device *d, numbers *n, size_t count, size_t size)
{
    if (n->count + count > n->room) {
        const size_t room = 2 * n->room + count;
        void *more = spn_alloc(room, size);
        if (!more) {
            fail(d, spn_no_memory(&d->error, "the work of a device"));
            return NULL;
        }
        if (n->count)
            memcpy(more, n->data, n->count * size);
        free(n->data);
        n->data = more;
        n->room = room;
    }
    n->count += count;
    return (char *)n->data + (n->count - count) * size;
}

static size_t table_size(const spn_word_table *table)
{
    return HEAD + table->levels * table->classes;
}

static void write_table(uint64_t *out, const spn_word_table *table)
{
    out[0] = (uint64_t)(int64_t)table->first;
    out[1] = table->levels;
    out[2] = table->classes;
    out[3] = table->class_first;
    memcpy(out + HEAD, table->threshold, table->levels * table->classes * sizeof *out);
}

static bool is_table(const uint64_t *words, const spn_word_table *table)
{
    return words[0] == (uint64_t)(int64_t)table->first && words[1] == table->levels &&
           words[2] == table->classes && words[3] == table->class_first &&
           memcmp(words + HEAD, table->threshold, table->levels * table->classes * sizeof *words) ==
               0;
}

/* Where the table is among those that wait; that of the last chunk is not written again. */
static uint32_t put_table(spn_word_device *d, const spn_word_table *table, size_t *last)
{
    if (*last != SIZE_MAX && is_table((const uint64_t *)d->tables.data + *last, table))
        return (uint32_t)*last;
    uint64_t *words = grow(d, &d->tables, table_size(table), sizeof *words);
    if (!words)
        return 0;
    write_table(words, table);
    *last = d->tables.count - table_size(table);
    return (uint32_t)*last;
}

static uint32_t *last_window(const spn_word_device *d)
{
    return (uint32_t *)d->windows.data + (d->windows.count - 1) * SPN_WINDOW_SIZE;
}

/* A window that begins at a site of the sweep whose first step is `sweep`. */
static bool begin_window(spn_word_device *d, uint64_t sweep, size_t site)
{
    uint32_t *window = grow(d, &d->windows, 1, SPN_WINDOW_SIZE * sizeof *window);
    if (!window)
        return false;
    memset(window, 0, SPN_WINDOW_SIZE * sizeof *window);
    window[SPN_WINDOW_STEP] = (uint32_t)sweep;
    window[SPN_WINDOW_STEP + 1] = (uint32_t)(sweep >> 32);
    window[SPN_WINDOW_CHUNK] = (uint32_t)d->chunks.count;
    window[SPN_WINDOW_SITE] = window[SPN_WINDOW_END] = (uint32_t)site;
    d->open = true;
    return true;
}

static void add_chunk(spn_words *words, uint64_t sweep, size_t site, size_t count)
{
    spn_word_device *d = words->device;
    const bool odd = words->graph->odd;
    if (!d->open && !begin_window(d, sweep, site))
        return;
    uint32_t *chunk = grow(d, &d->chunks, 1, SPN_CHUNK_SIZE * sizeof *chunk);
    if (!chunk)
        return;
    assert(last_window(d)[SPN_WINDOW_END] == site);
    chunk[SPN_CHUNK_SITE] = (uint32_t)site;
    chunk[SPN_CHUNK_END] = last_window(d)[SPN_WINDOW_END] = (uint32_t)(site + count);
    chunk[SPN_CHUNK_SLICE] = (uint32_t)d->slice;
    chunk[SPN_CHUNK_TABLE] = put_table(d, &words->table[0], &d->last[0]);
    chunk[SPN_CHUNK_TABLE + 1] = odd ? put_table(d, &words->table[1], &d->last[1]) : 0;
    last_window(d)[SPN_WINDOW_CHUNKS]++;
    d->waiting += count;
    d->open = site + count < words->graph->sites;
}

/* Windows and chunks end with the sweep. */
static void queue_steps(spn_words *words, uint64_t first, size_t count, size_t row)
{
    const size_t sites = words->graph->sites;
    (void)row;
    while (count > 0 && !words->device->status) {
        const size_t site = (size_t)(first % sites);
        const size_t part = count < sites - site ? count : sites - site;
        add_chunk(words, first - site, site, part);
        first += part;
        count -= part;
    }
}

static void forget(spn_word_device *d)
{
    d->chunks.count = d->windows.count = d->tables.count = 0;
    d->last[0] = d->last[1] = SIZE_MAX;
    d->waiting = 0;
    d->open = false;
}

static void make_steps(spn_words *words)
{
    spn_word_device *d = words->device;
    const spn_device_work work = {.chunks = d->chunks.data,
                                  .windows = d->windows.data,
                                  .chunk_count = d->chunks.count,
                                  .window_count = d->windows.count,
                                  .tables = d->tables.data,
                                  .table_size = d->tables.count};
    if (!d->status && d->windows.count > 0) {
        fail(d, d->library->work(d->opened, &work, words, d->tallies, &d->error));
        d->ahead = true;
    }
    forget(d);
}

static void close_window(spn_words *words, uint64_t end, size_t count)
{
    spn_word_device *d = words->device;
    (void)end;
    (void)count;
    if (d->waiting >= d->most || d->chunks.count >= MOST_CHUNKS || d->tables.count >= MOST_TABLES)
        make_steps(words);
}

static void queue_draw(spn_words *words, uint64_t draw, const spn_word_table *table)
{
    spn_word_device *d = words->device;
    size_t last = SIZE_MAX;
    if (d->status ||
        ((d->windows.count == 0 || last_window(d)[SPN_WINDOW_DRAWS]) && !begin_window(d, 0, 0)))
        return;
    last_window(d)[SPN_WINDOW_DRAWS] = 1;
    last_window(d)[SPN_WINDOW_DRAW] = (uint32_t)draw;
    last_window(d)[SPN_WINDOW_DRAW + 1] = (uint32_t)(draw >> 32);
    last_window(d)[SPN_WINDOW_TABLE] = put_table(d, table, &last);
    d->open = false;
}

const spn_word_version spn_words_on_device = {1, queue_steps, close_window, queue_draw};

spn_status spn_word_device_create(spn_words *words, const spn_device_choice *choice, spn_error *err)
{
    const spn_device_library *library;
    spn_device_levels levels;
    SPN_TRY(spn_device_load(&library, err));
    spn_word_device *d = spn_alloc(1, sizeof *d);
    if (!d || !spn_device_levels_make(&levels, words->graph)) {
        free(d);
        return spn_no_memory(err, "reads on a device");
    }
    d->library = library;
    /* So that the moves of a word do not overflow, a sweep more included. */
    d->most = (1ull << 31) / (SPN_WORD_BITS * words->replicas);
    forget(d);
    spn_status status = library->open(&d->opened, choice->number, choice->way, words, &levels, err);
    spn_device_levels_clear(&levels);
    if (!status)
        status = library->put(d->opened, words, err);
    if (status)
        spn_word_device_free(d);
    else
        words->device = d;
    return status;
}

void spn_word_device_free(spn_word_device *d)
{
    if (!d)
        return;
    d->library->close(d->opened);
    SPN_FREE_ALL(d->chunks.data, d->windows.data, d->tables.data, d);
}

void spn_word_device_set_slice(spn_word_device *d, size_t slice)
{
    assert(slice < SPN_SLICES);
    d->slice = slice;
}

static spn_status status_of(const spn_word_device *d, spn_error *err)
{
    if (d->status && err)
        *err = d->error;
    return d->status;
}

spn_status spn_word_device_flush(spn_words *words, spn_slice *slices, spn_error *err)
{
    spn_word_device *d = words->device;
    make_steps(words);
    for (size_t j = 0; j < SPN_SLICES; j++) {
        slices[j].accepted += d->tallies[j][0];
        slices[j].uphill += d->tallies[j][1];
    }
    memset(d->tallies, 0, sizeof d->tallies);
    return status_of(d, err);
}

spn_status spn_word_device_fetch(spn_words *words, spn_error *err)
{
    spn_word_device *d = words->device;
    assert(d->windows.count == 0);
    if (!d->status && d->ahead) {
        fail(d, d->library->get(d->opened, words, &d->error));
        d->ahead = d->status != SPN_OK;
    }
    return status_of(d, err);
}

spn_status spn_word_device_renew(spn_words *words, spn_error *err)
{
    spn_word_device *d = words->device;
    assert(d->windows.count == 0);
    if (!d->status)
        fail(d, d->library->put(d->opened, words, &d->error));
    d->ahead = false;
    return status_of(d, err);
}
