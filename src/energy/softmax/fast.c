/* The fast path of softmax, for bytes. Per sample the cache holds e_k = 2^(t_k - ref) for every
   class, t_k the logit in powers of 2 and ref an integer, and S = sum_k e_k, all floats. A flip in
   class k multiplies e_k by g, so the energy change needs only the sum over samples of log(S + e_k
   (g-1)): one pass over three arrays.

   Nothing drifts. Accepted flips multiply e_k and add to S in place for one window of at most 64
   flips; then the exact integer logits are brought up to date, and e and S are computed from them.
   Powers of 2 scale floats exactly, so ref never shows in a result: after a rebuild the cache gives
   the same bits as after attach.

   Why the errors stay small. Let u = 2^-24, w the longest window, M the largest S of a sample in
   it. (1) Each flip adds at most 2uM to the error of S. A sum that has fallen below 2^-(fall+1) M
   is added up again from its e_k (the pass of the flip finds them), so the relative error of S is
   at most w 2^(fall+2) u: 2^-13 with w = 64 and fall = 3. The change of a sample, log(S + e_k(g-1))
   - log S, is then off by at most that times S/(S + e_k(g-1)) <= 1/g. For changes of logits beyond
   8, w and fall are smaller, 2^-18 instead of 2^-13. In particular S + e_k(g-1) stays positive. (2)
   e_k below 2^-126 is taken as 0. That is invisible as long as e_k g < 2^-25 S. Sums start near
   2^20; when one is below 2^LOWEST the window is closed; and it is closed too before a class can
   have climbed so far that an e_k taken as 0 would matter in the next trial (`class_climb`). (3)
   Sums are kept so low that the product of any two, after any flip, is a normal number.

   A trial writes nothing. An accepted flip is one more pass, over what the trial has just read: it
   changes e_k and S in place, and finds the sums that have fallen.

   Rounded features are the same with 16-bit columns, whose gains are computed; a move may flip
   several copies of a feature, or of two, as long as no logit changes by more than `limit`.

   If samples have weights, their logarithms are weighted one by one. If classes have weights, the
   samples of each stand in positions of their own, and the logarithms are added up by class and
   then weighted, in double precision; all else is the same. */
#include "energy/softmax/fast.h"

#include "core/numeric.h"

#include <math.h>

/* Positions first .. first+count-1 before a move. */
static spn_trial trial_of(const spn_softmax *p, const fast_view *v, const spn_level_move *move,
                          size_t first, size_t count)
{
    const size_t k = move->site[0] / p->features, feature = move->site[0] % p->features;
    assert(move->site[0] < p->base.sites && first + count <= p->stride);
    spn_trial trial = {.power = powers_of(p, v, k) + first, .sum = v->sums + first, .count = count};
    if (!p->wide) {
        assert(move->count == 1 && abs(move->change[0]) == 2);
        trial.column = column_of(p, feature) + first;
        trial.nonzero = nonzero_of(p, feature);
        trial.group = first / SPN_SOFTMAX_PAD;
        trial.gain = p->gains + feature * p->gain_step + (move->change[0] > 0);
        return trial;
    }
    double constant = 0;
    for (size_t c = 0; c < move->count; c++) {
        const size_t i = move->site[c] % p->features;
        assert(move->site[c] / p->features == k);
        trial.wide[c] = wide_of(p, i) + first;
        trial.rate[c] = (float)(move->change[c] * p->slope[i] * LOG2_E);
        constant -= move->change[c] * p->origin[i] * LOG2_E;
    }
    trial.constant = (float)constant;
    trial.weight = p->sample_weight ? p->float_weight + first : NULL;
    return trial;
}

/* The sum of log S after a move, kept for a commit. */
static void try_move(const spn_softmax *p, const fast_view *v, const spn_level_move *move)
{
    const spn_trial trial = trial_of(p, v, move, 0, p->stride);
    v->head->trial_logs = spn_fast_sum_logs(p, &trial);
    v->head->trial = *move;
}

/* What a move adds to the sum of the labels' logits. */
static double label_change(const spn_softmax *p, const spn_level_move *move)
{
    double sum = 0;
    for (size_t c = 0; c < move->count; c++)
        sum += move->change[c] * p->label_sum[move->site[c]];
    return sum;
}

static double level_delta(const spn_energy *self, void *cache, const spn_level_move *move)
{
    const spn_softmax *p = (const spn_softmax *)self;
    const fast_view v = spn_fast_view(p, cache);
    try_move(p, &v, move);
    const spn_split_log after = v.head->trial_logs, before = v.head->logs;
    const double exponents = (double)(after.exponent - before.exponent);
    const double logs = after.fraction - before.fraction + exponents * LOG_2;
    return (logs - label_change(p, move)) / p->total;
}

/* The flip of a spin. */
static spn_level_move flip_of(size_t site, int spin)
{
    assert(spn_is_spin(spin));
    return (spn_level_move){.count = 1, .site = {site}, .change = {-2 * spin}};
}

static double delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_level_move move = flip_of(site, spins[site]);
    return level_delta(self, cache, &move);
}

static void take_logarithm(const spn_softmax *p, fast_cache *head)
{
    head->logs.fraction += spn_softmax_weight(p, head->last) * spn_log(head->ratio);
    head->ratio = 1;
}

/* Add up again the sums that have lost too many bits; see (1) above. */
static void restore(const spn_softmax *p, const fast_view *v, const uint32_t *fallen, size_t count)
{
    enum { CHUNK = 256 };
    fast_cache *head = v->head;
    for (size_t j = 0; j < count; j++) {
        const size_t n = fallen[j];
        assert(n < p->stride);
        if (p->sample_weight || (p->class_weight && p->labels[n] != p->labels[head->last]))
            take_logarithm(p, head);
        const float fresh = add_up(p, v, n);
        assert(fresh > 0 && v->sums[n] > 0);
        head->ratio *= (double)fresh / (double)v->sums[n];
        v->sums[n] = fresh;
        head->last = n;
        if (++head->restored % CHUNK == 0)
            take_logarithm(p, head);
    }
}

/* Make a flip in a block, ask for the powers of the sums that have fallen, and return how many. */
static size_t flip_block(const spn_softmax *p, const fast_view *v, const spn_trial *trial,
                         size_t first, float *powers, uint32_t *fallen)
{
    const size_t count = (p->wide ? p->kernels->wide_flip : p->kernels->flip)(
        trial, powers + first, v->sums + first, v->peak + first, p->narrow ? 1 : 3, fallen,
        v->head->range);
    assert(count <= trial->count && trial->count <= SPN_SOFTMAX_FLIP);
    for (size_t j = 0; j < count; j++) {
        fallen[j] += (uint32_t)first;
        for (size_t k = 0; k < p->classes; k++)
            __builtin_prefetch(powers_of(p, v, k) + fallen[j], 0, 2);
    }
    return count;
}

/* Make a move, block by block. The sums that fell in one block are restored after the next: their
   powers come from memory far away, and are there by then. */
static void flip_powers(const spn_softmax *p, const fast_view *v, const spn_level_move *move)
{
    uint32_t fallen[2][SPN_SOFTMAX_FLIP];
    size_t count[2] = {0};
    v->head->ratio = 1;
    v->head->restored = v->head->last = 0;
    float *powers = powers_of(p, v, move->site[0] / p->features);
    int now = 0;
    for (size_t first = 0; first < p->stride; first += SPN_SOFTMAX_FLIP, now = 1 - now) {
        const spn_trial trial = trial_of(p, v, move, first, length_of(p, first, SPN_SOFTMAX_FLIP));
        count[now] = flip_block(p, v, &trial, first, powers, fallen[now]);
        restore(p, v, fallen[1 - now], count[1 - now]);
    }
    restore(p, v, fallen[1 - now], count[1 - now]);
    take_logarithm(p, v->head);
}

static bool window_is_full(const spn_softmax *p, const fast_view *v, size_t k)
{
    const fast_cache *head = v->head;
    const uint32_t longest = p->narrow ? SPN_SOFTMAX_WINDOW / 8 : SPN_SOFTMAX_WINDOW;
    const uint32_t next = p->wide ? 1 : 0; /* a move takes up to two places */
    return head->flips + next >= longest || v->class_climb[k] > 126 + LOWEST - 25 - p->widest ||
           head->range[0] < BIAS + LOWEST || head->range[1] >= BIAS + spn_fast_highest(p);
}

static bool same_move(const spn_level_move *a, const spn_level_move *b)
{
    bool same = a->count == b->count;
    for (size_t c = 0; same && c < a->count; c++)
        same = a->site[c] == b->site[c] && a->change[c] == b->change[c];
    return same;
}

/* The spins are those after the move. */
static double level_commit(const spn_energy *self, void *cache, const int8_t *spins,
                           const spn_level_move *move)
{
    const spn_softmax *p = (const spn_softmax *)self;
    const fast_view v = spn_fast_view(p, cache);
    fast_cache *head = v.head;
    const size_t k = move->site[0] / p->features;
    assert(move->count <= 2 && k < p->classes);
    if (!same_move(&head->trial, move))
        try_move(p, &v, move);
    head->logs = head->trial_logs;
    head->label_score += label_change(p, move);
    head->trial.count = 0;
    for (size_t c = 0; c < move->count; c++) {
        const double times = abs(move->change[c]) / 2;
        assert(head->flips < SPN_SOFTMAX_WINDOW);
        head->flipped[head->flips] = (uint32_t)move->site[c];
        head->change[head->flips++] = move->change[c];
        v.class_climb[k] += times * p->max_change[move->site[c] % p->features] * LOG2_E + 1e-3;
    }
    flip_powers(p, &v, move);
    if (window_is_full(p, &v, k))
        spn_fast_rebuild(p, &v, spins);
    return fast_value(p, head);
}

static double commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_level_move move = flip_of(site, -spins[site]);
    return level_commit(self, cache, spins, &move);
}

/* Of rounded features: the copies of a feature, and the bias. */
static bool levels(const spn_energy *self, spn_level_groups *out)
{
    const spn_softmax *p = (const spn_softmax *)self;
    if (!p->wide)
        return false;
    const size_t whole = p->features == p->columns * p->copies; /* the bias, if any, is a group */
    *out = (spn_level_groups){.row = p->features,
                              .groups = p->column[p->features - 1] + whole,
                              .copies = p->copies,
                              .limit = p->limit,
                              .most = p->max_change,
                              .partner = p->partner,
                              .partners = p->partners};
    return true;
}

/* All but the scratch space, which has pointers. A trial that is not known is made again. */
static bool visit(const spn_energy *self, void *cache, spn_archive *archive)
{
    const spn_softmax *p = (const spn_softmax *)self;
    const fast_view v = spn_fast_view(p, cache);
    fast_cache *head = v.head;
    char *scratch = (char *)v.rows, *rest = (char *)v.powers, *end = (char *)cache;
    end += spn_softmax_fast_cache_size(p);
    spn_archive_move(archive, cache, (size_t)(scratch - (char *)cache));
    spn_archive_move(archive, rest, (size_t)(end - rest));
    if (!spn_archive_reads(archive))
        return true;
    head->trial.count = 0;
    bool good = head->flips < SPN_SOFTMAX_WINDOW && head->last < p->stride;
    for (uint32_t f = 0; good && f < head->flips; f++)
        good = head->flipped[f] < self->sites;
    return good;
}

const spn_energy_slots spn_softmax_fast_ops = {"softmax",
                                               spn_softmax_reference,
                                               spn_fast_attach,
                                               delta,
                                               commit,
                                               .destroy = spn_softmax_destroy,
                                               .refresh = spn_fast_refresh,
                                               .visit = visit,
                                               .levels = levels,
                                               .level_delta = level_delta,
                                               .level_commit = level_commit};
