/* Words with OpenCL: buffers, kernels and launches. What the kernels do is in words.cl. */
#include "opencl.h"

#include "base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The buffers, in the order of the kernels' arguments. */
enum {
    SPINS,
    BEST,
    FLIPS,
    BETTER,
    CHANGE,
    CENTRE,
    ENERGY,
    ABOVE,
    MOVES,
    SUMS,
    LOWS,
    COUNTS,
    RIGHT,
    MINE,
    ACTIVE,
    TALLIES,
    SITE,
    RUNS,
    TERMS,
    ORDER,
    LEVELS,
    CHUNKS,
    WINDOWS,
    TABLES,
    BUFFERS
};

/* The kernels: one level of a window, or all of them; its tree, the best states and the draw of the
   centre. */
enum { LEVEL, LEVELS_TOGETHER, BRANCHES, TOPS, KEEP, DRAW, KERNELS };
static const char *const kernel_names[KERNELS] = {"level", "levels",    "branches",
                                                  "tops",  "keep_best", "centre_draw"};

/* The arguments of all kernels: buffers and numbers. */
enum { OWN = BUFFERS + 8 };

enum { WORD = sizeof(uint64_t), NUMBER = sizeof(uint32_t) };

typedef struct opened {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel[KERNELS];
    size_t group[KERNELS]; /* work-items */
    cl_mem buffer[BUFFERS];
    size_t room[BUFFERS]; /* bytes */
    bool by_levels;       /* one launch for each level */
    uint32_t *starts;     /* of levels */
    size_t levels;
    spn_device_digits digits;
    size_t words, replicas, sites, planes;
    size_t branches; /* of a replica */
    void *host;      /* room for a buffer, as the device has it */
} opened;

#define CHECK(call) SPN_TRY(spn_opencl_check((call), #call, err))

/* ---- buffers ---- */

static spn_status reserve(opened *o, int which, size_t bytes, spn_error *err)
{
    cl_int code;
    if (bytes <= o->room[which])
        return SPN_OK;
    if (o->buffer[which])
        clReleaseMemObject(o->buffer[which]);
    o->buffer[which] =
        clCreateBuffer(o->context, CL_MEM_READ_WRITE, bytes ? bytes : WORD, NULL, &code);
    o->room[which] = code == CL_SUCCESS ? bytes : 0;
    return spn_opencl_check(code, "clCreateBuffer", err);
}

static spn_status send(opened *o, int which, const void *data, size_t bytes, spn_error *err)
{
    SPN_TRY(reserve(o, which, bytes ? bytes : WORD, err));
    if (bytes)
        CHECK(clEnqueueWriteBuffer(o->queue, o->buffer[which], CL_TRUE, 0, bytes, data, 0, NULL,
                                   NULL));
    return SPN_OK;
}

static spn_status receive(opened *o, int which, void *data, size_t bytes, spn_error *err)
{
    CHECK(clEnqueueReadBuffer(o->queue, o->buffer[which], CL_TRUE, 0, bytes, data, 0, NULL, NULL));
    return SPN_OK;
}

static spn_status make_buffers(opened *o, spn_error *err)
{
    const size_t rows = o->words * o->replicas, sites = rows * o->sites * WORD;
    const size_t numbers = rows * o->digits.tops * o->digits.all * WORD;
    const size_t bytes[BUFFERS] = {
        [SPINS] = sites + rows * WORD,
        [BEST] = sites,
        [FLIPS] = sites,
        [BETTER] = sites,
        [CHANGE] = sites * o->digits.site,
        [CENTRE] = o->words * o->sites * WORD,
        [ENERGY] = rows * o->digits.all * WORD,
        [ABOVE] = rows * o->digits.all * WORD,
        [MOVES] = o->words * SPN_WORD_MOVES * WORD,
        [SUMS] = numbers,
        [LOWS] = numbers,
        [COUNTS] = numbers,
        [RIGHT] = rows * o->digits.nodes * WORD,
        [MINE] = rows * WORD,
        [ACTIVE] = o->words * WORD,
        [TALLIES] = o->words * SPN_SLICES * 2 * NUMBER,
    };
    for (int k = 0; k < SITE; k++)
        SPN_TRY(reserve(o, k, bytes[k], err));
    o->host =
        spn_alloc(rows * (o->sites + 1) + rows * o->digits.all + o->words * SPN_WORD_MOVES, WORD);
    SPN_NEED(o->host, err, "reads on a device");
    return SPN_OK;
}

/* ---- the graph ---- */

static spn_status put_terms(opened *o, const spn_word_graph *graph, size_t count, spn_error *err)
{
    uint32_t *terms = spn_alloc(count + 1, sizeof *terms);
    SPN_NEED(terms, err, "the couplings on a device");
    for (size_t k = 0; k < count; k++)
        terms[k] = (uint32_t)graph->terms[k].site << 1 | (graph->terms[k].sign != 0);
    const spn_status status = send(o, TERMS, terms, (count + 1) * sizeof *terms, err);
    free(terms);
    return status;
}

static spn_status put_runs(opened *o, const spn_word_graph *graph, size_t count, spn_error *err)
{
    uint32_t *runs = spn_alloc(count + 1, sizeof *runs);
    SPN_NEED(runs, err, "the couplings on a device");
    for (size_t k = 0; k < count; k++)
        runs[k] = graph->runs[k].count << 8 | graph->runs[k].plane;
    const spn_status status = send(o, RUNS, runs, (count + 1) * sizeof *runs, err);
    free(runs);
    return status;
}

static spn_status put_graph(opened *o, const spn_word_graph *graph, spn_error *err)
{
    enum { MEMBERS = 4 };
    uint32_t *sites = spn_alloc(graph->sites, MEMBERS * sizeof *sites);
    size_t runs = 0, terms = 0;
    SPN_NEED(sites, err, "the couplings on a device");
    for (size_t i = 0; i < graph->sites; i++) {
        const spn_word_site *s = &graph->site[i];
        const uint32_t members[MEMBERS] = {s->term, s->run, s->runs, s->reach};
        memcpy(sites + MEMBERS * i, members, sizeof members);
        runs += s->runs;
        for (uint32_t r = s->run; r < s->run + s->runs; r++)
            terms += graph->runs[r].count;
    }
    spn_status status = send(o, SITE, sites, graph->sites * MEMBERS * sizeof *sites, err);
    free(sites);
    if (!status)
        status = put_runs(o, graph, runs, err);
    return status ? status : put_terms(o, graph, terms, err);
}

static spn_status put_levels(opened *o, const spn_device_levels *levels, spn_error *err)
{
    const size_t bytes = (levels->count + 1) * sizeof *o->starts;
    o->levels = levels->count;
    o->starts = spn_alloc(1, bytes);
    SPN_NEED(o->starts, err, "the levels of a sweep");
    memcpy(o->starts, levels->start, bytes);
    SPN_TRY(send(o, LEVELS, o->starts, bytes, err));
    return send(o, ORDER, levels->order, o->sites * sizeof *levels->order, err);
}

/* ---- the program ---- */

static unsigned planes_for(size_t most)
{
    return most ? 64 - (unsigned)__builtin_clzll(most) : 0;
}

static spn_status build(opened *o, const spn_words *words, spn_error *err)
{
    const char *source[] = {(const char *)spn_words_kernels_data,
                            (const char *)spn_words_tree_kernels_data};
    const size_t sizes[] = {spn_words_kernels_size, spn_words_tree_kernels_size};
    const spn_word_coupling coupling = words->coupling;
    const size_t classes = coupling == SPN_WORD_CENTRE     ? words->replicas
                           : coupling == SPN_WORD_REPLICAS ? words->replicas - 1
                                                           : 1;
    cl_device_type type = 0;
    char options[512];
    cl_int code;
    CHECK(clGetDeviceInfo(o->device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    const char *kind = !(type & CL_DEVICE_TYPE_GPU) ? ""
                       : o->by_levels               ? "-DGPU -DBY_LEVELS"
                                                    : "-DGPU";
    snprintf(options, sizeof options,
             "-cl-std=CL1.2 %s -DCOUPLING=%d -DODD=%d -DSITE_PLANES=%zu -DCLASS_PLANES=%u "
             "-DPLANES=%zu -DLEAF_PLANES=%zu -DMOVE_PLANES=%u -DLEAF=%du -DBRANCH=%du "
             "-DBRANCH_ROWS=%u -DTOGETHER=%zu -DSLICES=%du",
             kind, (int)coupling, (int)words->graph->odd, o->digits.site, planes_for(classes),
             o->digits.all, o->digits.leaf, planes_for(SPN_DEVICE_LEAF), SPN_DEVICE_LEAF,
             SPN_DEVICE_BRANCH, planes_for(SPN_DEVICE_BRANCH) - 1, o->group[LEVELS_TOGETHER],
             SPN_SLICES);
    o->program = clCreateProgramWithSource(o->context, 2, source, sizes, &code);
    SPN_TRY(spn_opencl_check(code, "clCreateProgramWithSource", err));
    if (clBuildProgram(o->program, 1, &o->device, options, NULL, NULL) != CL_SUCCESS)
        return spn_opencl_fail_build(o->program, o->device, err);
    for (int k = 0; k < KERNELS; k++) {
        o->kernel[k] = clCreateKernel(o->program, kernel_names[k], &code);
        SPN_TRY(spn_opencl_check(code, "clCreateKernel", err));
    }
    return SPN_OK;
}

/* Work-items to a group: those of a branch, or those that the sites of a level share. */
static spn_status choose_groups(opened *o, spn_error *err)
{
    enum { SHARE = 8, MOST = 512 };
    size_t most;
    CHECK(clGetDeviceInfo(o->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    if (most < SPN_DEVICE_BRANCH)
        return spn_refuse(err, "`device`: its work-groups are too small (%zu, %d are needed)", most,
                          SPN_DEVICE_BRANCH);
    most = most < MOST ? most : MOST;
    for (int k = 0; k < KERNELS; k++)
        o->group[k] = SPN_DEVICE_BRANCH;
    while (o->group[LEVELS_TOGETHER] < SHARE * o->sites / o->levels &&
           2 * o->group[LEVELS_TOGETHER] <= most)
        o->group[LEVELS_TOGETHER] *= 2;
    return SPN_OK;
}

/* A launch for each level pays if levels are wide: it takes some microseconds, as does a level of
   so many sites in one group. */
static bool is_by_levels(const opened *o, spn_device_way way)
{
    enum { WIDE = 1024 };
    return way == SPN_DEVICE_LAUNCHES || (way == SPN_DEVICE_AUTO && o->sites / o->levels >= WIDE);
}

static spn_status set_arguments(opened *o, const spn_words *words, spn_error *err)
{
    const cl_uint numbers[OWN - BUFFERS] = {
        words->stream.key[0], words->stream.key[1], words->stream.run,    words->stream.lane,
        (cl_uint)o->levels,   (cl_uint)o->sites,    (cl_uint)o->replicas, (cl_uint)o->digits.tops};
    for (int k = 0; k < KERNELS; k++)
        for (cl_uint n = 0; n < OWN - BUFFERS; n++)
            CHECK(clSetKernelArg(o->kernel[k], BUFFERS + n, sizeof numbers[n], &numbers[n]));
    return SPN_OK;
}

static spn_status set_buffers(opened *o, spn_error *err)
{
    for (int k = 0; k < KERNELS; k++)
        for (cl_uint b = 0; b < BUFFERS; b++)
            CHECK(clSetKernelArg(o->kernel[k], b, sizeof(cl_mem), &o->buffer[b]));
    return SPN_OK;
}

static spn_status start(opened *o, size_t number, spn_device_way way, const spn_words *words,
                        const spn_device_levels *levels, spn_error *err)
{
    cl_int code;
    if (!spn_opencl_device(&o->device, number))
        return spn_fail(err, SPN_ERROR_IO, "there is no device number %zu any more", number);
    if (o->sites >= 1u << 31)
        return spn_refuse(err, "`device`: more than 2^31 spins do not fit; leave it out");
    o->context = clCreateContext(NULL, 1, &o->device, NULL, NULL, &code);
    SPN_TRY(spn_opencl_check(code, "clCreateContext", err));
    o->queue = clCreateCommandQueue(o->context, o->device, 0, &code);
    SPN_TRY(spn_opencl_check(code, "clCreateCommandQueue", err));
    SPN_TRY(put_levels(o, levels, err));
    o->by_levels = is_by_levels(o, way);
    SPN_TRY(choose_groups(o, err));
    SPN_TRY(build(o, words, err));
    SPN_TRY(make_buffers(o, err));
    SPN_TRY(put_graph(o, words->graph, err));
    return set_arguments(o, words, err);
}

spn_status spn_opencl_open(void **out, size_t number, spn_device_way way, const spn_words *words,
                           const spn_device_levels *levels, spn_error *err)
{
    *out = NULL;
    opened *o = spn_alloc(1, sizeof *o);
    SPN_NEED(o, err, "reads on a device");
    *o = (opened){.digits = spn_device_digits_of(words->graph, words->planes),
                  .words = words->words,
                  .replicas = words->replicas,
                  .sites = words->graph->sites,
                  .planes = words->planes};
    o->branches = (o->sites + SPN_DEVICE_LEAF * SPN_DEVICE_BRANCH - 1) /
                  (SPN_DEVICE_LEAF * SPN_DEVICE_BRANCH);
    const spn_status status = start(o, number, way, words, levels, err);
    if (status)
        spn_opencl_close(o);
    else
        *out = o;
    return status;
}

void spn_opencl_close(void *handle)
{
    opened *o = handle;
    if (!o)
        return;
    for (int k = 0; k < BUFFERS; k++)
        if (o->buffer[k])
            clReleaseMemObject(o->buffer[k]);
    for (int k = 0; k < KERNELS; k++)
        if (o->kernel[k])
            clReleaseKernel(o->kernel[k]);
    if (o->program)
        clReleaseProgram(o->program);
    if (o->queue)
        clReleaseCommandQueue(o->queue);
    if (o->context)
        clReleaseContext(o->context);
    SPN_FREE_ALL(o->starts, o->host, o);
}

/* ---- the state ---- */

/* Here a row is (site, replica, word), there (word, replica, site); `there` is wider by `more`
   sites. */
static void turn(uint64_t *there, uint64_t *here, const opened *o, size_t rows, bool back)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t a = 0; a < o->replicas; a++)
            for (size_t w = 0; w < o->words; w++) {
                uint64_t *out = there + (w * o->replicas + a) * rows + i;
                uint64_t *in = here + (i * o->replicas + a) * o->words + w;
                if (back)
                    *in = *out;
                else
                    *out = *in;
            }
}

static spn_status put_rows(opened *o, int which, uint64_t *rows, size_t count, spn_error *err)
{
    turn(o->host, rows, o, count, false);
    return send(o, which, o->host, o->words * o->replicas * count * WORD, err);
}

static spn_status get_rows(opened *o, int which, uint64_t *rows, size_t count, spn_error *err)
{
    SPN_TRY(receive(o, which, o->host, o->words * o->replicas * count * WORD, err));
    turn(o->host, rows, o, count, true);
    return SPN_OK;
}

/* The centre and moves have rows of words alone. */
static spn_status put_plain(opened *o, int which, const uint64_t *rows, size_t count,
                            spn_error *err)
{
    uint64_t *there = o->host;
    for (size_t i = 0; i < count; i++)
        for (size_t w = 0; w < o->words; w++)
            there[w * count + i] = rows[i * o->words + w];
    return send(o, which, there, o->words * count * WORD, err);
}

static spn_status get_plain(opened *o, int which, uint64_t *rows, size_t count, spn_error *err)
{
    const uint64_t *there = o->host;
    SPN_TRY(receive(o, which, o->host, o->words * count * WORD, err));
    for (size_t i = 0; i < count; i++)
        for (size_t w = 0; w < o->words; w++)
            rows[i * o->words + w] = there[w * count + i];
    return SPN_OK;
}

/* Numbers have more digits there: the last one is repeated. */
static spn_status put_digits(opened *o, int which, const uint64_t *digits, spn_error *err)
{
    uint64_t *there = o->host;
    for (size_t k = 0; k < o->digits.all; k++)
        for (size_t a = 0; a < o->replicas; a++)
            for (size_t w = 0; w < o->words; w++)
                there[(w * o->replicas + a) * o->digits.all + k] =
                    digits[((k < o->planes ? k : o->planes - 1) * o->replicas + a) * o->words + w];
    return send(o, which, there, o->words * o->replicas * o->digits.all * WORD, err);
}

static spn_status get_digits(opened *o, int which, uint64_t *digits, spn_error *err)
{
    const uint64_t *there = o->host;
    SPN_TRY(receive(o, which, o->host, o->words * o->replicas * o->digits.all * WORD, err));
    for (size_t k = 0; k < o->planes; k++)
        for (size_t a = 0; a < o->replicas; a++)
            for (size_t w = 0; w < o->words; w++)
                digits[(k * o->replicas + a) * o->words + w] =
                    there[(w * o->replicas + a) * o->digits.all + k];
    return SPN_OK;
}

spn_status spn_opencl_put(void *handle, const spn_words *words, spn_error *err)
{
    opened *o = handle;
    SPN_TRY(put_rows(o, SPINS, words->spins, o->sites + 1, err));
    SPN_TRY(put_rows(o, BEST, words->best, o->sites, err));
    if (words->centre)
        SPN_TRY(put_plain(o, CENTRE, words->centre, o->sites, err));
    SPN_TRY(put_digits(o, ENERGY, words->energy, err));
    SPN_TRY(put_digits(o, ABOVE, words->above, err));
    SPN_TRY(put_plain(o, MOVES, words->moves, SPN_WORD_MOVES, err));
    return send(o, ACTIVE, words->active, o->words * WORD, err);
}

spn_status spn_opencl_get(void *handle, spn_words *words, spn_error *err)
{
    opened *o = handle;
    SPN_TRY(get_rows(o, SPINS, words->spins, o->sites + 1, err));
    SPN_TRY(get_rows(o, BEST, words->best, o->sites, err));
    return words->centre ? get_plain(o, CENTRE, words->centre, o->sites, err) : SPN_OK;
}

/* ---- work ---- */

/* Launch a kernel with so many items, in whole groups, for each word. */
static spn_status launch(opened *o, int k, size_t items, spn_error *err)
{
    const size_t group[2] = {o->group[k], 1};
    const size_t all[2] = {(items + group[0] - 1) / group[0] * group[0], o->words};
    CHECK(clEnqueueNDRangeKernel(o->queue, o->kernel[k], 2, NULL, all, group, 0, NULL, NULL));
    return SPN_OK;
}

static spn_status launch_levels(opened *o, spn_error *err)
{
    if (!o->by_levels)
        return launch(o, LEVELS_TOGETHER, 1, err);
    for (size_t l = 0; l < o->levels; l++) {
        for (cl_uint k = 0; k < 2; k++)
            CHECK(clSetKernelArg(o->kernel[LEVEL], OWN + 1 + k, NUMBER, &o->starts[l + k]));
        SPN_TRY(launch(o, LEVEL, o->starts[l + 1] - o->starts[l], err));
    }
    return SPN_OK;
}

static spn_status launch_window(opened *o, const uint32_t *window, cl_uint number, spn_error *err)
{
    for (int k = 0; k < KERNELS; k++)
        CHECK(clSetKernelArg(o->kernel[k], OWN, sizeof number, &number));
    const size_t leaves = (o->sites + SPN_DEVICE_LEAF - 1) / SPN_DEVICE_LEAF;
    if (window[SPN_WINDOW_SITE] < window[SPN_WINDOW_END]) {
        SPN_TRY(launch_levels(o, err));
        SPN_TRY(launch(o, BRANCHES, o->branches * SPN_DEVICE_BRANCH * o->replicas, err));
        SPN_TRY(launch(o, TOPS, 1, err));
        SPN_TRY(launch(o, KEEP, leaves * o->replicas, err));
    }
    return window[SPN_WINDOW_DRAWS] ? launch(o, DRAW, o->sites, err) : SPN_OK;
}

static spn_status take_tallies(opened *o, uint64_t tallies[SPN_SLICES][2], spn_error *err)
{
    const uint32_t *there = o->host;
    SPN_TRY(receive(o, TALLIES, o->host, o->room[TALLIES], err));
    for (size_t w = 0; w < o->words; w++)
        for (size_t j = 0; j < SPN_SLICES; j++)
            for (size_t k = 0; k < 2; k++)
                tallies[j][k] += there[(w * SPN_SLICES + j) * 2 + k];
    return SPN_OK;
}

spn_status spn_opencl_work(void *handle, const spn_device_work *work, spn_words *words,
                           uint64_t tallies[SPN_SLICES][2], spn_error *err)
{
    opened *o = handle;
    memset(o->host, 0, o->room[TALLIES]);
    SPN_TRY(send(o, TALLIES, o->host, o->room[TALLIES], err));
    SPN_TRY(send(o, CHUNKS, work->chunks, work->chunk_count * SPN_CHUNK_SIZE * NUMBER, err));
    SPN_TRY(send(o, WINDOWS, work->windows, work->window_count * SPN_WINDOW_SIZE * NUMBER, err));
    SPN_TRY(send(o, TABLES, work->tables, work->table_size * WORD, err));
    SPN_TRY(set_buffers(o, err));
    for (size_t n = 0; n < work->window_count; n++)
        SPN_TRY(launch_window(o, work->windows + n * SPN_WINDOW_SIZE, (cl_uint)n, err));
    CHECK(clFinish(o->queue));
    SPN_TRY(get_digits(o, ENERGY, words->energy, err));
    SPN_TRY(get_digits(o, ABOVE, words->above, err));
    SPN_TRY(get_plain(o, MOVES, words->moves, SPN_WORD_MOVES, err));
    return take_tallies(o, tallies, err);
}
