/* Trainings with OpenCL: buffers and launches. What the kernel does is in train.cl. */
#include "opencl.h"

#include "base/memory.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The buffers, in the order of the kernel's arguments: of the data, of the rows, and of a lane. */
enum {
    COLUMNS,
    COLUMN,
    LABELS,
    ORIGINS,
    LABEL,
    GAINS,
    DATA,
    SPINS = DATA,
    LOGITS,
    LOGS,
    OFFSETS,
    FLIPS,
    LOSSES,
    DEPTHS,
    STATE,
    JOBS = STATE,
    ROWS,
    MOVES,
    COSTS,
    RESULTS,
    TAKEN,
    BUFFERS
};

typedef struct buffer {
    cl_mem memory;
    size_t size;
} buffer;

/* A job and its result, as the kernel has them. */
typedef struct job {
    cl_uint flags, replicas, row, move, moves, cost;
} job;

typedef struct result {
    cl_long loss;
    cl_double change;
    cl_uint accepted, unused;
} result;

/* Bytes of an element of each list of a lane. */
static const size_t element[BUFFERS - STATE] = {
    sizeof(job),    sizeof(uint32_t), sizeof(spn_train_move),
    sizeof(double), sizeof(result),   sizeof(spn_train_taken)};

/* A list here and there. */
typedef struct list {
    buffer buffer;
    void *data;
    size_t room, size;
} list;

typedef struct lane {
    cl_command_queue queue;
    cl_kernel kernel;
    list list[BUFFERS - STATE];
} lane;

typedef struct training {
    cl_device_id device;
    cl_context context;
    cl_program program;
    buffer buffer[STATE];
    lane lane[SPN_TRAIN_LANES];
    pthread_rwlock_t growing;
    size_t group, rows; /* work-items of a chain; rows that there is room for */
    size_t row_bytes[STATE];
} training;

#define CHECK(call) SPN_TRY(spn_opencl_check((call), #call, err))

/* ---- buffers ---- */

static spn_status reserve(const training *t, buffer *b, size_t bytes, spn_error *err)
{
    cl_int code;
    if (b->memory && bytes <= b->size)
        return SPN_OK;
    if (b->memory)
        clReleaseMemObject(b->memory);
    b->size = bytes + bytes / 4 + sizeof(cl_ulong);
    b->memory = clCreateBuffer(t->context, CL_MEM_READ_WRITE, b->size, NULL, &code);
    if (code != CL_SUCCESS)
        *b = (buffer){0};
    return spn_opencl_check(code, "clCreateBuffer", err);
}

static spn_status send(const training *t, cl_command_queue queue, buffer *b, const void *data,
                       size_t bytes, spn_error *err)
{
    SPN_TRY(reserve(t, b, bytes, err));
    if (bytes)
        CHECK(clEnqueueWriteBuffer(queue, b->memory, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
    return SPN_OK;
}

static spn_status send_data(training *t, const spn_whole *whole, spn_error *err)
{
    const spn_softmax *p = whole->softmax;
    const cl_command_queue queue = t->lane[0].queue;
    const size_t gains = SPN_WHOLE_GAINS * (whole->gain_step ? p->features : 1);
    uint32_t *column = spn_alloc(p->features, sizeof *column);
    SPN_NEED(column, err, "trainings on a device");
    for (size_t i = 0; i < p->features; i++)
        column[i] = (uint32_t)p->column[i];
    spn_status status =
        send(t, queue, &t->buffer[COLUMN], column, p->features * sizeof *column, err);
    free(column);
    SPN_TRY(status);
    SPN_TRY(send(t, queue, &t->buffer[COLUMNS], p->bytes, p->columns * p->stride, err));
    SPN_TRY(send(t, queue, &t->buffer[LABELS], p->labels, p->samples * sizeof *p->labels, err));
    SPN_TRY(send(t, queue, &t->buffer[ORIGINS], whole->origin, p->features * sizeof *whole->origin,
                 err));
    SPN_TRY(send(t, queue, &t->buffer[LABEL], whole->label,
                 p->classes * p->features * sizeof *whole->label, err));
    return send(t, queue, &t->buffer[GAINS], whole->gains, gains * sizeof *whole->gains, err);
}

/* Room for twice as many rows, with those that there are. */
static spn_status grow(training *t, size_t rows, spn_error *err)
{
    const cl_command_queue queue = t->lane[0].queue;
    const size_t now = rows > 2 * t->rows ? rows : 2 * t->rows;
    for (int k = DATA; k < STATE; k++) {
        buffer old = t->buffer[k];
        t->buffer[k] = (buffer){0};
        spn_status status = reserve(t, &t->buffer[k], now * t->row_bytes[k], err);
        if (!status && old.memory)
            status =
                spn_opencl_check(clEnqueueCopyBuffer(queue, old.memory, t->buffer[k].memory, 0, 0,
                                                     t->rows * t->row_bytes[k], 0, NULL, NULL),
                                 "clEnqueueCopyBuffer", err);
        if (!status)
            status = spn_opencl_check(clFinish(queue), "clFinish", err);
        if (old.memory)
            clReleaseMemObject(old.memory);
        SPN_TRY(status);
    }
    t->rows = now;
    return SPN_OK;
}

/* ---- opening ---- */

static const char scalars[] = "#pragma OPENCL FP_CONTRACT OFF\n"
                              "#define WHOLE(name) one_##name\n"
                              "#define FLOATS float\n"
                              "#define UINTS uint\n"
                              "#define AS_FLOATS as_float\n"
                              "#define AS_UINTS as_uint\n"
                              "#define AS_INTS as_int\n"
                              "#define TO_FLOATS convert_float_rte\n"
                              "#define FMA fma\n";
static const char vectors[] = "#undef WHOLE\n#undef FLOATS\n#undef UINTS\n#undef AS_FLOATS\n"
                              "#undef AS_UINTS\n#undef AS_INTS\n#undef TO_FLOATS\n"
                              "#define WHOLE(name) all_##name\n"
                              "#define FLOATS float8\n"
                              "#define UINTS uint8\n"
                              "#define AS_FLOATS as_float8\n"
                              "#define AS_UINTS as_uint8\n"
                              "#define AS_INTS as_int8\n"
                              "#define TO_FLOATS convert_float8_rte\n";

static spn_status build(training *t, const spn_whole *whole, spn_error *err)
{
    const char *math = (const char *)spn_whole_math_data;
    const char *source[] = {scalars, math, vectors, math, (const char *)spn_train_kernels_data};
    const size_t sizes[] = {sizeof scalars - 1, spn_whole_math_size, sizeof vectors - 1,
                            spn_whole_math_size, spn_train_kernels_size};
    char options[128];
    cl_int code;
    snprintf(options, sizeof options, "-cl-std=CL1.2 -DGROUP=%zu%s", t->group,
             whole->shift >= 16 ? " -DHALF" : "");
    t->program =
        clCreateProgramWithSource(t->context, sizeof sizes / sizeof *sizes, source, sizes, &code);
    SPN_TRY(spn_opencl_check(code, "clCreateProgramWithSource", err));
    if (clBuildProgram(t->program, 1, &t->device, options, NULL, NULL) != CL_SUCCESS)
        return spn_opencl_fail_build(t->program, t->device, err);
    for (size_t l = 0; l < SPN_TRAIN_LANES; l++) {
        t->lane[l].kernel = clCreateKernel(t->program, "train", &code);
        SPN_TRY(spn_opencl_check(code, "clCreateKernel", err));
    }
    return SPN_OK;
}

/* The numbers that follow the buffers. */
static spn_status set_numbers(cl_kernel kernel, const spn_whole *whole, spn_error *err)
{
    const spn_softmax *p = whole->softmax;
    const cl_uint numbers[] = {(cl_uint)p->samples, (cl_uint)p->stride,        (cl_uint)p->features,
                               p->classes,          (cl_uint)whole->gain_step, whole->shift};
    const cl_float floats[] = {whole->bits, whole->per_step};
    const cl_double doubles[] = {whole->step, whole->bit};
    cl_uint at = BUFFERS;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        CHECK(clSetKernelArg(kernel, at++, sizeof numbers[k], &numbers[k]));
    for (size_t k = 0; k < 2; k++)
        CHECK(clSetKernelArg(kernel, at++, sizeof floats[k], &floats[k]));
    for (size_t k = 0; k < 2; k++)
        CHECK(clSetKernelArg(kernel, at++, sizeof doubles[k], &doubles[k]));
    return SPN_OK;
}

/* Powers of 2, from the number of parts of a sum (PARTS) on. */
static spn_status choose_group(training *t, const spn_softmax *p, spn_error *err)
{
    enum { FEWEST = 16, USUAL = 1024, ITEM = 8 };
    cl_device_type type = 0;
    size_t most = 0;
    CHECK(clGetDeviceInfo(t->device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    CHECK(clGetDeviceInfo(t->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    SPN_REFUSE_IF(most < FEWEST, err, "the device makes no groups of %d work-items", FEWEST);
    const size_t wanted = t->group ? t->group : type & CL_DEVICE_TYPE_GPU ? USUAL : FEWEST;
    t->group = FEWEST;
    while (2 * t->group <= most && 2 * t->group <= wanted && t->group * ITEM < p->samples)
        t->group *= 2;
    return SPN_OK;
}

static spn_status begin(training *t, size_t number, const spn_whole *whole, spn_error *err)
{
    const spn_softmax *p = whole->softmax;
    cl_int code;
    if (!spn_opencl_device(&t->device, number))
        return spn_fail(err, SPN_ERROR_IO, "there is no device number %zu any more", number);
    cl_device_fp_config doubles = 0;
    CHECK(clGetDeviceInfo(t->device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL));
    SPN_REFUSE_IF(!doubles, err, "the device has no double precision; leave out `device`");
    SPN_REFUSE_IF(p->stride * p->classes >= 1u << 31 || whole->base.sites >= 1u << 31, err,
                  "`device`: these data are too large; leave it out");
    t->row_bytes[SPINS] = whole->base.sites;
    t->row_bytes[LOGITS] = p->classes * p->stride * (whole->shift >= 16 ? 2 : 4);
    t->row_bytes[LOGS] = p->stride * sizeof(cl_uint);
    t->row_bytes[OFFSETS] = p->classes * sizeof(cl_uint);
    t->row_bytes[FLIPS] = sizeof(cl_uint);
    t->row_bytes[LOSSES] = sizeof(cl_long);
    t->row_bytes[DEPTHS] = p->stride;
    t->context = clCreateContext(NULL, 1, &t->device, NULL, NULL, &code);
    SPN_TRY(spn_opencl_check(code, "clCreateContext", err));
    for (size_t l = 0; l < SPN_TRAIN_LANES; l++) {
        t->lane[l].queue = clCreateCommandQueue(t->context, t->device, 0, &code);
        SPN_TRY(spn_opencl_check(code, "clCreateCommandQueue", err));
    }
    SPN_TRY(choose_group(t, p, err));
    SPN_TRY(build(t, whole, err));
    for (size_t l = 0; l < SPN_TRAIN_LANES; l++)
        SPN_TRY(set_numbers(t->lane[l].kernel, whole, err));
    return send_data(t, whole, err);
}

spn_status spn_opencl_train_open(void **out, size_t number, const spn_whole *whole, size_t group,
                                 spn_error *err)
{
    *out = NULL;
    training *t = spn_alloc(1, sizeof *t);
    SPN_NEED(t, err, "trainings on a device");
    t->group = group;
    pthread_rwlock_init(&t->growing, NULL);
    const spn_status status = begin(t, number, whole, err);
    if (status)
        spn_opencl_train_close(t);
    else
        *out = t;
    return status;
}

static void release(buffer *buffers, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (buffers[k].memory)
            clReleaseMemObject(buffers[k].memory);
}

void spn_opencl_train_close(void *opened)
{
    training *t = opened;
    if (!t)
        return;
    release(t->buffer, STATE);
    for (size_t l = 0; l < SPN_TRAIN_LANES; l++) {
        lane *own = &t->lane[l];
        for (int k = 0; k < BUFFERS - STATE; k++) {
            release(&own->list[k].buffer, 1);
            free(own->list[k].data);
        }
        if (own->kernel)
            clReleaseKernel(own->kernel);
        if (own->queue)
            clReleaseCommandQueue(own->queue);
    }
    if (t->program)
        clReleaseProgram(t->program);
    if (t->context)
        clReleaseContext(t->context);
    pthread_rwlock_destroy(&t->growing);
    free(t);
}

/* ---- work ---- */

/* Room for `count` elements in a list of a lane, here and there. */
static spn_status make_room(const training *t, lane *l, int which, size_t count, spn_error *err)
{
    list *own = &l->list[which - STATE];
    const size_t bytes = count * element[which - STATE];
    if (bytes > own->room || !own->data) {
        free(own->data);
        own->room = bytes + bytes / 4;
        own->data = spn_alloc(1, own->room + 1);
        SPN_NEED(own->data, err, "the work of a device");
    }
    own->size = bytes;
    return reserve(t, &own->buffer, bytes, err);
}

static void *list_of(lane *l, int which)
{
    return l->list[which - STATE].data;
}

static void add(lane *l, int which, size_t at, const void *data, size_t count)
{
    const size_t size = element[which - STATE];
    if (count)
        memcpy((char *)list_of(l, which) + at * size, data, count * size);
}

/* The lists of all jobs, one after the other. */
static void fill_lists(lane *l, spn_train_job *const *jobs, size_t count)
{
    size_t row = 0, move = 0, cost = 0;
    for (size_t k = 0; k < count; k++) {
        const spn_train_job *j = jobs[k];
        const job own = {j->flags,      (cl_uint)j->replicas, (cl_uint)row,
                         (cl_uint)move, (cl_uint)j->moves,    (cl_uint)cost};
        add(l, JOBS, k, &own, 1);
        add(l, ROWS, row, j->row, j->replicas);
        add(l, MOVES, move, j->move, j->moves);
        add(l, COSTS, cost, j->cost, j->costs);
        row += j->replicas;
        move += j->moves;
        cost += j->costs;
    }
}

static spn_status send_lists(const training *t, lane *l, spn_train_job *const *jobs, size_t count,
                             spn_error *err)
{
    for (int k = JOBS; k <= COSTS; k++) {
        const list *own = &l->list[k - STATE];
        if (own->size)
            CHECK(clEnqueueWriteBuffer(l->queue, own->buffer.memory, CL_FALSE, 0, own->size,
                                       own->data, 0, NULL, NULL));
    }
    for (size_t k = 0; k < count; k++)
        if (jobs[k]->flags & SPN_TRAIN_START)
            CHECK(clEnqueueWriteBuffer(l->queue, t->buffer[SPINS].memory, CL_FALSE,
                                       jobs[k]->row[0] * t->row_bytes[SPINS], t->row_bytes[SPINS],
                                       jobs[k]->start, 0, NULL, NULL));
    return SPN_OK;
}

static spn_status launch(const training *t, lane *l, size_t count, spn_error *err)
{
    const size_t items = count * t->group;
    for (cl_uint k = 0; k < BUFFERS; k++)
        CHECK(clSetKernelArg(l->kernel, k, sizeof(cl_mem),
                             k < STATE ? &t->buffer[k].memory : &l->list[k - STATE].buffer.memory));
    CHECK(clEnqueueNDRangeKernel(l->queue, l->kernel, 1, NULL, &items, &t->group, 0, NULL, NULL));
    for (int k = RESULTS; k < BUFFERS; k++) {
        const list *own = &l->list[k - STATE];
        if (own->size)
            CHECK(clEnqueueReadBuffer(l->queue, own->buffer.memory, CL_FALSE, 0, own->size,
                                      own->data, 0, NULL, NULL));
    }
    CHECK(clFinish(l->queue));
    return SPN_OK;
}

static spn_status take_results(lane *l, spn_train_job *const *jobs, size_t count, spn_error *err)
{
    const result *results = list_of(l, RESULTS);
    const spn_train_taken *taken = list_of(l, TAKEN);
    for (size_t k = 0; k < count; k++) {
        spn_train_job *j = jobs[k];
        j->loss = results[k].loss;
        j->change = results[k].change;
        j->accepted = results[k].accepted;
        if (j->accepted > j->moves)
            return spn_fail(err, SPN_ERROR_IO, "the device failed: %zu of %zu moves", j->accepted,
                            j->moves);
        if (j->accepted)
            memcpy(j->taken, taken, j->accepted * sizeof *taken);
        taken += j->moves;
    }
    return SPN_OK;
}

static spn_status work(const training *t, lane *l, spn_train_job *const *jobs, size_t count,
                       const size_t sizes[3], spn_error *err)
{
    const size_t counts[BUFFERS - STATE] = {count, sizes[0], sizes[1], sizes[2], count, sizes[1]};
    for (int k = STATE; k < BUFFERS; k++)
        SPN_TRY(make_room(t, l, k, counts[k - STATE], err));
    fill_lists(l, jobs, count);
    spn_status status = send_lists(t, l, jobs, count, err);
    if (!status)
        status = launch(t, l, count, err);
    if (status)
        clFinish(l->queue); /* nothing here is still being read */
    return status ? status : take_results(l, jobs, count, err);
}

spn_status spn_opencl_train_work(void *opened, unsigned number, spn_train_job *const *jobs,
                                 size_t count, spn_error *err)
{
    training *t = opened;
    size_t sizes[3] = {0}, rows = 0;
    for (size_t k = 0; k < count; k++) {
        sizes[0] += jobs[k]->replicas;
        sizes[1] += jobs[k]->moves;
        sizes[2] += jobs[k]->costs;
        for (size_t a = 0; a < jobs[k]->replicas; a++)
            rows = jobs[k]->row[a] >= rows ? jobs[k]->row[a] + (size_t)1 : rows;
    }
    pthread_rwlock_rdlock(&t->growing);
    const bool enough = rows <= t->rows;
    pthread_rwlock_unlock(&t->growing);
    if (!enough) {
        pthread_rwlock_wrlock(&t->growing);
        const spn_status status = rows <= t->rows ? SPN_OK : grow(t, rows, err);
        pthread_rwlock_unlock(&t->growing);
        SPN_TRY(status);
    }
    pthread_rwlock_rdlock(&t->growing);
    const spn_status status = work(t, &t->lane[number], jobs, count, sizes, err);
    pthread_rwlock_unlock(&t->growing);
    return status;
}
