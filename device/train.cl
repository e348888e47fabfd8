/* Chains of linear classifiers on a device: the bits of src/energy/softmax/whole.c, whose header
   says what is kept. A work-group makes the moves of a chain, one after the other; its work-items
   share the samples, 8 at a time. A row is the state of a replica.

   The program starts with the functions of whole_math.h, of one sample (one_) and of 8 (all_). It
   is built with GROUP and, if U_k is kept in 16 bits, with HALF. */

#ifdef HALF
#define LOGIT ushort
#define LOGIT8 ushort8
#else
#define LOGIT uint
#define LOGIT8 uint8
#endif
#define PARTS 16 /* of a sum */
#define GAINS 512
#define QUEUE GROUP /* samples whose L is computed anew after a move */
#define FAR_LOSS (-0x7FFFFFFFFFFFFFFFl - 1)

/* Flags of a job. */
enum { START = 1, REFRESH = 2, TWO_STAGE = 4 };

typedef struct {
    uint flags, replicas, row, move, moves, cost;
} job;

typedef struct {
    uint site, replica, cost, unused;
    double threshold, beta;
} move;

typedef struct {
    long loss;
    double delta;
    uint accepted, unused;
} result;

typedef struct {
    long loss;
    uint move, unused;
} taken;

typedef struct {
    const global uchar *columns;
    const global uint *column, *labels, *origins;
    const global long *label;
    const global float *gains;
    global char *spins;
    global LOGIT *logits;
    global uint *logs, *offsets, *flips;
    global uchar *depths;
    global long *losses;
    local long *sums;
    local float *gain;
    local uint *queue; /* QUEUE, and how many are in it */
    uint samples, stride, features, classes, gain_step, shift;
    float bits, per_step;
    double step, bit;
} context;

/* The sum over the work-items, for all of them. */
static long add_up(const context *x, long value)
{
    const uint me = get_local_id(0);
    x->sums[me] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < PARTS) {
        long part = 0;
        for (uint j = me; j < GROUP; j += PARTS)
            part += x->sums[j];
        x->sums[GROUP + me] = part;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    long total = 0;
    for (uint j = 0; j < PARTS; j++)
        total += x->sums[GROUP + j];
    return total;
}

static global LOGIT *logits_of(const context *x, uint row, uint k)
{
    return x->logits + ((size_t)row * x->classes + k) * x->stride;
}

static void put_logits(uint8 logits, uint b, global LOGIT *out)
{
#ifdef HALF
    ((global ushort8 *)out)[b] = convert_ushort8(logits & 0xFFFFu);
#else
    ((global uint8 *)out)[b] = logits;
#endif
}

static float8 share(const context *x, uint8 distance)
{
    const float8 f = fma(convert_float8_rte(distance), (float8)(-x->bits),
                         (float8)(WHOLE_GUARD * x->bits));
    return all_power(fmax(f, WHOLE_LOWEST));
}

static float one_share(const context *x, uint distance)
{
    const float f = fma(convert_float_rte(distance), -x->bits, WHOLE_GUARD * x->bits);
    return one_power(fmax(f, WHOLE_LOWEST));
}

static uint one_in_steps(const context *x, float log)
{
    return as_uint(convert_int_rte(rint(log * x->per_step)));
}

static uint8 in_steps(const context *x, float8 log)
{
    return as_uint8(convert_int8_rte(rint(log * x->per_step)));
}

/* All bits of the places of samples, none of padding: of the 8 from `first` on. */
static uint8 is_sample(const context *x, uint first)
{
    return as_uint8((uint8)(0, 1, 2, 3, 4, 5, 6, 7) + first < (uint8)(x->samples));
}

/* ---- from scratch ---- */

static uint8 distance_of(const context *x, uint row, uint k, uint b, uint8 log)
{
    return log - (convert_uint8(((const global LOGIT8 *)logits_of(x, row, k))[b]) << x->shift) +
           x->offsets[row * x->classes + k];
}

/* L of a sample anew. */
static uint renew_log(const context *x, uint row, uint n, uint log)
{
    const global LOGIT *logits = logits_of(x, row, 0) + n;
    const global uint *offsets = x->offsets + row * x->classes;
    uint least = 0xFFFFFFFFu;
    float sum = 0;
#pragma unroll 5
    for (uint c = 0; c < x->classes; c++)
        least = min(least, log - ((uint)logits[(size_t)c * x->stride] << x->shift) + offsets[c]);
#pragma unroll 5
    for (uint c = 0; c < x->classes; c++)
        sum += one_share(x, log - ((uint)logits[(size_t)c * x->stride] << x->shift) + offsets[c] -
                                least + WHOLE_GUARD);
    return log + WHOLE_GUARD - least + one_in_steps(x, one_log_sum(sum));
}

/* By all work-items. The offsets are known to all. */
static void refresh(const context *x, uint row, bool near)
{
    const uint me = get_local_id(0);
    long loss = 0;
    uint far = !near;
    for (uint b = me; b * WHOLE_ITEM < x->samples; b += GROUP) {
        global uint *logs = x->logs + (size_t)row * x->stride;
        const uint8 log = ((const global uint8 *)logs)[b], is = is_sample(x, b * WHOLE_ITEM);
        uint8 least = (uint8)(0xFFFFFFFFu), most = (uint8)(0);
        float8 sum = (float8)(0);
        for (uint k = 0; k < x->classes; k++) {
            const uint8 distance = distance_of(x, row, k, b, log);
            least = min(least, distance);
            most = max(most, distance);
        }
        for (uint k = 0; k < x->classes; k++)
            sum += share(x, distance_of(x, row, k, b, log) - least + WHOLE_GUARD);
        const uint8 now = log + WHOLE_GUARD - least + in_steps(x, all_log_sum(sum));
        ((global uint8 *)logs)[b] = now;
        ((global uchar8 *)(x->depths + (size_t)row * x->stride))[b] = (uchar8)(0);
        uint all[WHOLE_ITEM], high[WHOLE_ITEM];
        vstore8(now, 0, all);
        vstore8(most & is, 0, high);
        for (uint j = 0; j < WHOLE_ITEM && b * WHOLE_ITEM + j < x->samples; j++) {
            const uint n = b * WHOLE_ITEM + j, y = x->labels[n];
            const uint distance = all[j] - ((uint)logits_of(x, row, y)[n] << x->shift) +
                                  x->offsets[row * x->classes + y];
            loss += (long)distance - WHOLE_GUARD;
            far |= high[j] >= WHOLE_FAR;
        }
    }
    loss = add_up(x, loss);
    const long wrong = add_up(x, far);
    if (me == 0) {
        x->losses[row] = wrong ? FAR_LOSS : loss;
        x->flips[row] = 0;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

static void start(const context *x, uint row)
{
    const uint me = get_local_id(0);
    const global char *spins = x->spins + (size_t)row * x->classes * x->features;
    bool near = true;
    for (uint b = me; b * WHOLE_ITEM < x->stride; b += GROUP) {
        long8 low = (long8)(0), high = (long8)(0);
        for (uint k = 0; k < x->classes; k++) {
            uint8 sum = (uint8)(0);
            long offset = 0;
            for (uint i = 0; i < x->features; i++)
                if (spins[k * x->features + i] > 0) {
                    sum += convert_uint8(((const global uchar8 *)(x->columns + (size_t)x->column[i] * x->stride))[b]);
                    offset += (int)x->origins[i];
                }
            const long8 logit = (convert_long8(sum) << x->shift) - offset;
            low = k ? min(low, logit) : logit;
            high = k ? max(high, logit) : logit;
            put_logits(sum, b, logits_of(x, row, k));
            if (b == 0)
                x->offsets[row * x->classes + k] = (uint)offset;
        }
        ((global uint8 *)(x->logs + (size_t)row * x->stride))[b] =
            convert_uint8(high & 0xFFFFFFFFl) + WHOLE_GUARD;
        long apart[WHOLE_ITEM];
        vstore8(high - low, 0, apart);
        for (uint j = 0; j < WHOLE_ITEM && b * WHOLE_ITEM + j < x->samples; j++)
            near = near && apart[j] < WHOLE_FAR;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    refresh(x, row, near);
}

/* ---- moves ---- */

/* A flip of the weight of class k on input i. */
typedef struct {
    const global uchar *column;
    const local float *gain;
    const global uint *logs;
    const global LOGIT *logits;
    uint offset;
} flip;

static float8 factor_at(const context *x, const flip *f, uint b, uint8 *log, uint8 *logit, uchar8 *byte)
{
    *log = ((const global uint8 *)f->logs)[b];
    *logit = convert_uint8(((const global LOGIT8 *)f->logits)[b]);
    *byte = ((const global uchar8 *)f->column)[b];
    const float8 p = share(x, *log - (*logit << x->shift) + f->offset);
    const local float *g = f->gain;
    const uchar8 c = *byte;
    const float8 gain = (float8)(g[c.s0], g[c.s1], g[c.s2], g[c.s3], g[c.s4], g[c.s5], g[c.s6], g[c.s7]);
    const float8 factor = fma(p, gain, (float8)(1.0f));
    if (b * WHOLE_ITEM + WHOLE_ITEM <= x->samples)
        return factor;
    return select((float8)(1.0f), factor, is_sample(x, b * WHOLE_ITEM));
}

static double trial(const context *x, const flip *f, long label)
{
    long logs = 0;
    for (uint b = get_local_id(0); b * WHOLE_ITEM < x->samples; b += GROUP) {
        uint8 log, logit;
        uchar8 byte;
        const float8 a = factor_at(x, f, b, &log, &logit, &byte);
        const float4 c = a.lo * a.hi;
        const float2 d = c.lo * c.hi;
        float exponent, f0;
        const float p = one_log(d.lo * d.hi, &exponent, &f0);
        logs += (long)exponent * (1 << WHOLE_FRACTION);
        logs += (long)rint(f0 * p * (float)(1 << WHOLE_FRACTION));
    }
    logs = add_up(x, logs);
    return fma((double)logs, x->bit, -((double)label * x->step)) / (double)x->samples;
}

/* Samples whose L has fallen far get it anew: those in the queue or, if more came, all that did. They
   are few, and each takes long: so not in the loop that finds them, where all would wait. */
static long renew_deep(const context *x, uint row)
{
    global uchar *depths = x->depths + (size_t)row * x->stride;
    global uint *logs = x->logs + (size_t)row * x->stride;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint queued = x->queue[QUEUE];
    const bool all = queued > QUEUE;
    long rise = 0;
    for (uint j = get_local_id(0); j < (all ? x->samples : queued); j += GROUP) {
        const uint n = all ? j : x->queue[j];
        if (depths[n] <= WHOLE_DEEPEST)
            continue;
        const uint before = logs[n], now = renew_log(x, row, n, before);
        rise += (int)(now - before);
        logs[n] = now;
        depths[n] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        x->queue[QUEUE] = 0;
    return rise;
}

/* Returns the change of the sum of L. offset: of the class after the flip. */
static long commit(const context *x, const flip *f, uint row, uint k, bool rises, uint offset)
{
    global uchar *depths = x->depths + (size_t)row * x->stride;
    long rise = 0;
    if (get_local_id(0) == 0)
        x->offsets[row * x->classes + k] = offset;
    for (uint b = get_local_id(0); b * WHOLE_ITEM < x->samples; b += GROUP) {
        uint8 log, logit;
        uchar8 byte;
        const float8 rises_by = all_log_sum(factor_at(x, f, b, &log, &logit, &byte));
        const uint8 change = convert_uint8(byte), now = log + in_steps(x, rises_by);
        const int8 fall = -convert_int8_rtn(floor(rises_by * (float)WHOLE_DEPTH));
        const int8 depth = max(convert_int8(((const global uchar8 *)depths)[b]) + fall, 0);
        if (any(depth > WHOLE_DEEPEST)) {
            int deepest[WHOLE_ITEM];
            vstore8(depth, 0, deepest);
#pragma unroll
            for (uint j = 0; j < WHOLE_ITEM; j++)
                if (deepest[j] > WHOLE_DEEPEST) {
                    const uint slot = atomic_inc(&x->queue[QUEUE]);
                    if (slot < QUEUE)
                        x->queue[slot] = b * WHOLE_ITEM + j;
                }
        }
        const long8 wide = convert_long8(as_int8(now - log));
        const long4 half_of = wide.lo + wide.hi;
        const long2 quarter = half_of.lo + half_of.hi;
        rise += quarter.lo + quarter.hi;
        ((global uchar8 *)depths)[b] = convert_uchar8(depth);
        ((global uint8 *)(x->logs + (size_t)row * x->stride))[b] = now;
        put_logits(rises ? logit + change : logit - change, b, logits_of(x, row, k));
    }
    return add_up(x, rise + renew_deep(x, row));
}

/* Gains are read again only if they differ from feature to feature. */
static void load_gains(const context *x, uint i, bool first)
{
    if (!first && x->gain_step == 0)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = get_local_id(0); j < GAINS; j += GROUP)
        x->gain[j] = x->gains[(size_t)i * x->gain_step + j];
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* The same for all work-items. Returns whether the move is accepted. */
static bool make_move(const context *x, const job *j, const global uint *rows, const move *m,
                      const global double *costs, double *change)
{
    const uint row = rows[j->row + m->replica], k = m->site / x->features, i = m->site % x->features;
    const uint sites = x->classes * x->features;
    const int spin = x->spins[(size_t)row * sites + m->site];
    int sum = 0;
    for (uint a = 0; a < j->replicas; a++)
        sum += x->spins[(size_t)rows[j->row + a] * sites + m->site];
    const double cost =
        costs[j->cost + m->cost + (uint)(2 * (sum + (int)j->replicas) + (spin > 0))];
    if ((j->flags & TWO_STAGE) && cost > m->threshold)
        return false;
    const double limit = (m->threshold - cost) / (m->beta + 1e-300);
    const bool rises = spin < 0;
    const long label = rises ? x->label[m->site] : -x->label[m->site];
    load_gains(x, i, false);
    const flip f = {x->columns + (size_t)x->column[i] * x->stride, x->gain + (rises ? GAINS / 2 : 0),
                    x->logs + (size_t)row * x->stride, logits_of(x, row, k),
                    x->offsets[row * x->classes + k]};
    *change = trial(x, &f, label);
    if (!(*change <= limit))
        return false;
    const uint offset = f.offset + (rises ? x->origins[i] : 0u - x->origins[i]);
    const long rise = commit(x, &f, row, k, rises, offset);
    const uint flips = x->flips[row] + 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        x->spins[(size_t)row * sites + m->site] = (char)-spin;
        x->losses[row] += rise - label;
        x->flips[row] = flips;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (flips == WHOLE_WINDOW)
        refresh(x, row, true);
    return true;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
train(const global uchar *columns, const global uint *column, const global uint *labels,
      const global uint *origins, const global long *label, const global float *gains,
      global char *spins, global LOGIT *logits, global uint *logs, global uint *offsets,
      global uint *flips, global long *losses, global uchar *depths, const global job *jobs, const global uint *rows,
      const global move *moves, const global double *costs, global result *results,
      global taken *accepted, uint samples, uint stride, uint features, uint classes,
      uint gain_step, uint shift, float bits, float per_step, double step, double bit)
{
    local long sums[GROUP + PARTS];
    local float gain[GAINS];
    local uint queue[QUEUE + 1];
    const context x = {columns, column,  labels,   origins, label,   gains,    spins,     logits, logs,
                       offsets, flips,   depths, losses,   sums,    gain,  queue,  samples,  stride,    features,
                       classes, gain_step, shift, bits, per_step, step, bit};
    const job j = jobs[get_group_id(0)];
    const uint row = rows[j.row], me = get_local_id(0);
    uint count = 0;
    double change = 0;
    if (me == 0)
        queue[QUEUE] = 0;
    load_gains(&x, 0, true);
    if (j.flags & START)
        start(&x, row);
    if (j.flags & REFRESH)
        refresh(&x, row, true);
    for (uint n = 0; n < j.moves; n++) {
        const move m = moves[j.move + n];
        if (!make_move(&x, &j, rows, &m, costs, &change))
            continue;
        if (me == 0)
            accepted[j.move + count] = (taken){losses[rows[j.row + m.replica]], n, 0};
        count++;
    }
    if (me == 0)
        results[get_group_id(0)] = (result){losses[row], change, count, 0};
}
