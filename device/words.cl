/* Words on a device: the bits of src/words/words_plain.c. A word of 64 reads is one ulong.

   Sites of a level (spn_device_levels) share no coupling, so their order changes nothing, and
   levels one after the other are a sweep in sequential order. What does depend on the order, the
   best energies and states, is found after each window by a tree over its steps (words_tree.cl).

   The program is built with
     COUPLING (0 alone, 1 replicas, 2 centre), ODD: as in spn_words;
     SITE_PLANES: digits of n + ZERO, of all sites; CLASS_PLANES: of a class;
     PLANES: of energies and of moves in a window; LEAF_PLANES: of the changes of LEAF steps;
     MOVE_PLANES: of LEAF flips; BRANCH: leaves of a branch, 2 to the
     BRANCH_ROWS; TOGETHER: the group of `levels`; SLICES; BY_LEVELS if
     `level` is used in its place.
   All other sizes are arguments, so that few programs are compiled. */

#define ALL (~(ulong)0)
#define ZERO (1 << (SITE_PLANES - 1))
#define DIGITS 32
#define BLOCKS (DIGITS / 2)
#define BATCH 16 /* digits; one batch decides nearly always */
#define SHARE 8  /* work-items that draw the digits of a site together */
#define CENTRE_STREAM 0xFFFFu
#define MOVES 63

/* Numbers are arrays of digits, which a GPU keeps in registers if loops over them are unrolled; loops
   of unknown length are unrolled some times where few work-items wait for memory. */
#ifdef GPU
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif
#if defined GPU && !defined BY_LEVELS
#define UNROLL_SOME _Pragma("unroll 4")
#else
#define UNROLL_SOME
#endif

/* What all functions need. */
typedef struct {
    global ulong *spins, *best, *flips, *better, *change, *centre, *energy, *above, *moves;
    global ulong *sums, *lows, *counts, *right, *mine;
    const global ulong *active;
    volatile global uint *tallies;
    const global uint4 *site;
    const global uint *runs, *terms, *order, *levels, *chunks, *windows;
    const global ulong *tables;
    uint key0, key1, run, lane, level_count, sites, replicas, nodes;
} context;

#define ARGUMENTS                                                                                  \
    global ulong *spins, global ulong *best, global ulong *flips, global ulong *better,            \
        global ulong *change, global ulong *centre, global ulong *energy, global ulong *above,     \
        global ulong *moves, global ulong *sums, global ulong *lows, global ulong *counts,         \
        global ulong *right, global ulong *mine, const global ulong *active,                       \
        volatile global uint *tallies, const global uint4 *site,       \
        const global uint *runs, const global uint *terms, const global uint *order,               \
        const global uint *levels, const global uint *chunks, const global uint *windows,          \
        const global ulong *tables, uint key0, uint key1, uint run, uint lane, uint level_count,  \
        uint sites, uint replicas, uint nodes
#define CONTEXT                                                                                    \
    {spins, best,  flips, better,  change, centre, energy, above,  moves,  sums,                   \
     lows,  counts, right, mine,   active, tallies, site,   runs,   terms,  order,                 \
     levels, chunks, windows, tables, key0, key1,   run,    lane,   level_count,                   \
     sites, replicas, nodes}

/* Numbers of a chunk and of a window. */
enum { CHUNK_SITE, CHUNK_END, CHUNK_SLICE, CHUNK_EVEN, CHUNK_ODD, CHUNK_SIZE };
enum { WINDOW_STEP, WINDOW_STEP_HIGH, WINDOW_CHUNK, WINDOW_CHUNKS, WINDOW_SITE, WINDOW_END,
       WINDOW_DRAWS, WINDOW_DRAW, WINDOW_DRAW_HIGH, WINDOW_TABLE, WINDOW_SIZE };

static ulong majority(ulong a, ulong b, ulong c)
{
    return (a & b) | (c & (a | b));
}

/* a becomes the low digit of a + b + c; returns the high one. */
static ulong add3(ulong *a, ulong b, ulong c)
{
    const ulong carry = majority(*a, b, c);
    *a ^= b ^ c;
    return carry;
}

static ulong mask_of(uint bit)
{
    return as_ulong((uint2)(0 - bit));
}

/* ---- random words ---- */

static void philox(uint *c, uint k0, uint k1)
{
    for (int round = 0; round < 10; round++) {
        const uint high0 = mul_hi(0xD2511F53u, c[0]), low0 = 0xD2511F53u * c[0];
        const uint high1 = mul_hi(0xCD9E8D57u, c[2]), low1 = 0xCD9E8D57u * c[2];
        c[0] = high1 ^ c[1] ^ k0;
        c[1] = low1;
        c[2] = high0 ^ c[3] ^ k1;
        c[3] = low0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

/* Two random words. */
static ulong2 draw_block(const context *x, uint w, uint replica, ulong index)
{
    uint c[4] = {(uint)index, (uint)(index >> 32), x->run + w, x->lane + replica};
    philox(c, x->key0, x->key1);
    return (ulong2)((ulong)c[0] << 32 | c[1], (ulong)c[2] << 32 | c[3]);
}

/* ---- acceptance ---- */

/* The lanes whose number is the value, or below it. */
static ulong is_value(const ulong *digit, int planes, uint value)
{
    ulong same = ALL;
    UNROLL
    for (int k = 0; k < planes; k++)
        same &= ~(digit[k] ^ mask_of(value >> k & 1));
    return same;
}

static ulong is_below(const ulong *digit, int planes, int value)
{
    ulong below = 0;
    if (value >= 1 << planes)
        return ALL;
    UNROLL
    for (int k = 0; k < planes && value > 0; k++)
        below = value >> k & 1 ? below | ~digit[k] : below & ~digit[k];
    return below;
}

/* `count` digits, from `from` on, of the thresholds of all lanes; sure: accepted always; drawn: with
   some probability. */
static void find_thresholds(ulong *threshold, int count, int from, ulong *sure, ulong *drawn,
                            const global ulong *table, const ulong *digit, const ulong *class)
{
    const int first = (int)table[0], levels = (int)table[1], classes = COUPLING ? (int)table[2] : 1;
    const int class_first = (int)table[3];
    const int least = 1 - first - ZERO, most = 2 * ZERO - first - ZERO + 1;
    const int begin = first + ZERO > 0 ? 0 : least, end = levels < most ? levels : most;
    UNROLL
    for (int d = 0; d < count; d++)
        threshold[d] = 0;
    *sure = *drawn = 0;
    UNROLL_SOME
    for (int g = begin; g < (end > 1 ? end : 1); g++) {
        const ulong level = g ? is_value(digit, SITE_PLANES, (uint)(first + g - 1 + ZERO))
                              : is_below(digit, SITE_PLANES, first + ZERO);
        for (int c = 0; c < classes; c++) {
            const ulong share = table[4 + g * classes + c];
            const uint digits = (uint)share << from;
            ulong lanes = level;
            if (classes > 1)
                lanes &= c ? is_value(class, CLASS_PLANES, (uint)(class_first + c - 1))
                           : is_below(class, CLASS_PLANES, class_first);
            if (share >> DIGITS)
                *sure |= lanes;
            if (share >> DIGITS || !share)
                continue;
            *drawn |= lanes;
            UNROLL
            for (int d = 0; d < count; d++)
                threshold[d] |= lanes & mask_of(digits << d >> 31);
        }
    }
}

/* Compare two digits of u with those of T: below, where they decide for u < T, and the lanes that
   they leave open. */
static ulong2 compare(const ulong *threshold, ulong2 random)
{
    const ulong same = ~(threshold[0] ^ random.x);
    return (ulong2)((threshold[0] & ~random.x) | (same & threshold[1] & ~random.y),
                    same & ~(threshold[1] ^ random.y));
}

/* Who accepts, given the digits of n + ZERO and of the class; digits before `from` left these lanes
   undecided. */
static ulong accept(const context *x, const global ulong *table, const ulong *digit,
                    const ulong *class, uint w, uint replica, ulong number, ulong undecided, int from)
{
    ulong threshold[BATCH], sure = 0, drawn, accepted = 0;
    for (; undecided && from < DIGITS; from += BATCH) {
        find_thresholds(threshold, BATCH, from, &sure, &drawn, table, digit, class);
        accepted |= sure & undecided;
        undecided &= drawn;
        UNROLL
        for (int d = 0; d < BATCH; d += 2)
            if (undecided) {
                const ulong2 open = compare(
                    threshold + d, draw_block(x, w, replica, number * BLOCKS + (uint)(from + d) / 2));
                accepted |= undecided & open.x;
                undecided &= open.y;
            }
    }
    return accepted;
}

/* ---- fields ---- */

static void count_one(ulong *digit, int plane, int planes, ulong one)
{

    UNROLL
    for (int k = plane; k < planes; k++) {
        const ulong carry = digit[k] & one;
        digit[k] ^= one;
        one = carry;
    }
}

static ulong resists(const global ulong *spins, uint term, ulong self)
{
    return spins[term >> 1] ^ self ^ mask_of(term & 1);
}

/* The digits of n + ZERO of a site. */
static void count_terms(ulong *digit, const context *x, uint4 site, const global ulong *spins,
                        ulong self)
{
    const uint start = ZERO - (site.w + 1) / 2;
    const global uint *term = x->terms + site.x;
    uint run = site.y;
    for (int k = 0; k < SITE_PLANES + 2; k++)
        digit[k] = k < SITE_PLANES ? mask_of(start >> k & 1) : 0;

    UNROLL
    for (int p = 0; p < SITE_PLANES; p++) {
        if (run == site.y + site.z || (x->runs[run] & 255) != p)
            continue;
        const uint count = x->runs[run++] >> 8, fours = count / 4;
        UNROLL_SOME
        for (uint n = 0; n < fours; n++, term += 4) {
            const ulong a = add3(&digit[p], resists(spins, term[0], self),
                                 resists(spins, term[1], self));
            const ulong b = add3(&digit[p], resists(spins, term[2], self),
                                 resists(spins, term[3], self));
            count_one(digit, p + 2, SITE_PLANES, add3(&digit[p + 1], a, b));
        }
        for (uint n = 4 * fours; n < count; n++, term++)
            count_one(digit, p, SITE_PLANES, resists(spins, term[0], self));
    }
}

/* The digits of the class of a replica. */
static void find_class(ulong *class, const context *x, uint w, uint a, uint i, ulong self)
{
    for (int k = 0; k < CLASS_PLANES; k++)
        class[k] = 0;
    if (COUPLING == 2)
        class[0] = ~(self ^ x->centre[(size_t)w * x->sites + i]);
    for (uint b = 0; COUPLING == 1 && b < x->replicas; b++)
        if (b != a)
            count_one(class, 0, CLASS_PLANES,
                      ~(self ^ x->spins[((size_t)w * x->replicas + b) * (x->sites + 1) + i]));
}

/* ---- proposals ---- */

/* Chunks are mostly of one length, so the first guess is mostly right. */
static uint find_chunk(const context *x, const global uint *window, uint i)
{
    const uint first = window[WINDOW_CHUNK], count = window[WINDOW_CHUNKS];
    const uint length = (window[WINDOW_END] - window[WINDOW_SITE] + count - 1) / count;
    uint chunk = first + min((i - window[WINDOW_SITE]) / length, count - 1);
    while (i >= x->chunks[chunk * CHUNK_SIZE + CHUNK_END])
        chunk++;
    while (i < x->chunks[chunk * CHUNK_SIZE + CHUNK_SITE])
        chunk--;
    return chunk;
}

static bool is_in(const global uint *window, uint i)
{
    return i >= window[WINDOW_SITE] && i < window[WINDOW_END];
}

/* What is known of a proposal before its turn: site i, `sites` for none. */
typedef struct {
    uint i;
    uint4 site;
    const global ulong *table;
    ulong number;
} place;

static void find_place(place *p, const context *x, const global uint *window, uint i)
{
    p->i = is_in(window, i) ? i : x->sites;
    if (p->i == x->sites)
        return;
    const global uint *chunk = x->chunks + find_chunk(x, window, i) * CHUNK_SIZE;
    p->site = x->site[i];
    p->table = x->tables + chunk[ODD && (p->site.w & 1) ? CHUNK_ODD : CHUNK_EVEN];
    p->number = ((ulong)window[WINDOW_STEP_HIGH] << 32 | window[WINDOW_STEP]) + i;
}

/* What decides for a replica. */
typedef struct {
    ulong self, digit[SITE_PLANES + 2], class[CLASS_PLANES];
} field;

static void find_field(field *f, const context *x, const place *p, uint w, uint a)
{
    const global ulong *spins = x->spins + ((size_t)w * x->replicas + a) * (x->sites + 1);
    f->self = spins[p->i];
    count_terms(f->digit, x, p->site, spins, f->self);
    find_class(f->class, x, w, a, p->i, f->self);
}

static void flip(const context *x, uint i, field *f, uint w, uint a, ulong flips)
{
    const size_t replica = (size_t)w * x->replicas + a;
    x->spins[replica * (x->sites + 1) + i] = f->self ^ flips;
    x->flips[replica * x->sites + i] = flips;
    f->digit[SITE_PLANES - 1] = ~f->digit[SITE_PLANES - 1];
    UNROLL
    for (int k = 0; k < SITE_PLANES; k++)
        x->change[(replica * SITE_PLANES + k) * x->sites + i] = f->digit[k] & flips;
}

static void propose(const context *x, const place *p, uint w)
{
    field f;
    for (uint a = 0; a < x->replicas; a++) {
        find_field(&f, x, p, w, a);
        flip(x, p->i, &f, w, a,
             accept(x, p->table, f.digit, f.class, w, a, p->number, x->active[w], 0));
    }
}

/* The same by SHARE work-items, two digits each; `room` has two words for each work-item. By all
   work-items of a group. */
static void propose_together(const context *x, const place *p, uint w, uint a, local ulong *room)
{
    const uint me = get_local_id(0), all = get_local_size(0), part = me % SHARE;
    const bool on = p->i < x->sites;
    ulong threshold[2], sure = 0, drawn = 0;
    field f;
    if (on) {
        const ulong2 random = draw_block(x, w, a, p->number * BLOCKS + part);
        find_field(&f, x, p, w, a);
        find_thresholds(threshold, 2, (int)(2 * part), &sure, &drawn, p->table, f.digit, f.class);
        const ulong2 open = compare(threshold, random);
        room[me] = open.x;
        room[all + me] = open.y;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (on && part == 0) {
        ulong undecided = x->active[w] & drawn, flips = x->active[w] & sure;
        UNROLL
        for (uint k = 0; k < SHARE; k++) {
            flips |= undecided & room[me + k];
            undecided &= room[all + me + k];
        }
        if (undecided)
            flips |= accept(x, p->table, f.digit, f.class, w, a, p->number, undecided, 2 * SHARE);
        flip(x, p->i, &f, w, a, flips);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

static void draw_centre(const context *x, const global uint *window, uint w, uint i)
{
    const ulong draw = (ulong)window[WINDOW_DRAW_HIGH] << 32 | window[WINDOW_DRAW];
    ulong digit[SITE_PLANES + 2], class[CLASS_PLANES];
    UNROLL
    for (int k = 0; k < SITE_PLANES; k++)
        digit[k] = 0;
    for (int k = 0; k < CLASS_PLANES; k++)
        class[k] = 0;
    for (uint a = 0; a < x->replicas; a++)
        count_one(class, 0, CLASS_PLANES,
                  x->spins[((size_t)w * x->replicas + a) * (x->sites + 1) + i]);
    x->centre[(size_t)w * x->sites + i] =
        accept(x, x->tables + window[WINDOW_TABLE], digit, class, w, CENTRE_STREAM,
               draw * x->sites + i, ALL, 0);
}
