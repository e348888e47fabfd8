/* Words on a device: the bits of src/words/words_plain.c. A word of 64 reads is one ulong.

   Sites of a level (spn_device_levels) share no coupling, so their order changes nothing, and
   levels one after the other are a sweep in sequential order. What does depend on the order, the
   best energies and states, is found after each window by a tree over its steps.

   The program is built with
     COUPLING (0 alone, 1 replicas, 2 centre), ODD: as in spn_words;
     SITE_PLANES: digits of n + ZERO, of all sites; CLASS_PLANES: of a class;
     PLANES: of energies and of moves in a window; LEAF_PLANES: of the changes of LEAF steps;
     MOVE_PLANES: of LEAF flips; BRANCH: leaves of a branch; TOGETHER: the group of `levels`; SLICES.
   All other sizes are arguments, so that few programs are compiled. */

#define ALL (~(ulong)0)
#define ZERO (1 << (SITE_PLANES - 1))
#define DIGITS 32
#define BLOCKS (DIGITS / 2)
#define BATCH 16 /* digits; one batch decides nearly always */
#define SHARE 8  /* work-items that draw the digits of a site together */
#define CENTRE_STREAM 0xFFFFu
#define MOVES 63

/* Numbers are arrays of digits, which a GPU keeps in registers if loops over them are unrolled. */
#ifdef GPU
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
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
    const int first = (int)table[0], levels = (int)table[1], classes = (int)table[2];
    const int class_first = (int)table[3];
    const int least = 1 - first - ZERO, most = 2 * ZERO - first - ZERO + 1;
    const int begin = first + ZERO > 0 ? 0 : least, end = levels < most ? levels : most;
    UNROLL
    for (int d = 0; d < count; d++)
        threshold[d] = 0;
    *sure = *drawn = 0;
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
        uint left = x->runs[run++] >> 8;
        for (; left >= 4; left -= 4, term += 4) {
            const ulong a = add3(&digit[p], resists(spins, term[0], self),
                                 resists(spins, term[1], self));
            const ulong b = add3(&digit[p], resists(spins, term[2], self),
                                 resists(spins, term[3], self));
            count_one(digit, p + 2, SITE_PLANES, add3(&digit[p + 1], a, b));
        }
        for (; left > 0; left--, term++)
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

/* ---- the tree of a window ---- */

/* A node knows, of its steps in order: S, the change of the energy; b, how far the energy at the
   end lies above the lowest met, the start included; and the number of flips. Two nodes make one:
   S = S1 + S2; the lowest is in the second iff b1 + S2 < b2, and then b = b2, else b = b1 + S2.
   Node n of row r has nodes 2 n and 2 n + 1 of row r - 1; row 0 is of leaves. Rows up to that of
   BRANCH leaves are made by as many work-items in local memory; what is above, in global memory. */

typedef struct {
    ulong sum[PLANES], low[PLANES], count[PLANES];
} node;

/* Where a number of a top is: a node of a branch, or one above those. */
static size_t top_at(const context *x, uint w, uint a, int k, uint top)
{
    return (((size_t)w * x->replicas + a) * PLANES + k) * x->nodes + top;
}

static uint count_rows(uint leaves)
{
    uint rows = 0;
    for (; leaves > 1; leaves = (leaves + 1) / 2)
        rows++;
    return rows;
}

/* Nodes of a row. */
static uint row_size(uint leaves, uint row)
{
    return (leaves + (1u << row) - 1) >> row;
}

/* The lanes whose lowest energy is in the second child of a node: those of row 1 of a replica, then
   those of row 2, and so on. */
static global ulong *first_right(const context *x, uint w, uint a)
{
    return x->right + ((size_t)w * x->replicas + a) * ((x->sites + LEAF - 1) / LEAF + DIGITS);
}

static global ulong *right_at(const context *x, uint w, uint a, uint leaves, uint row, uint n)
{
    global ulong *at = first_right(x, w, a) + n;
    for (uint r = 1; r < row; r++)
        at += row_size(leaves, r);
    return at;
}

static void tally(const context *x, uint w, uint slice, uint accepted, uint uphill)
{
    if (accepted)
        atomic_add(x->tallies + (w * SLICES + slice) * 2, accepted);
    if (uphill)
        atomic_add(x->tallies + (w * SLICES + slice) * 2 + 1, uphill);
}

static uint first_leaf(const global uint *window)
{
    return window[WINDOW_SITE] / LEAF;
}

/* 0: a window without moves. */
static uint count_leaves(const global uint *window)
{
    return window[WINDOW_SITE] < window[WINDOW_END]
               ? (window[WINDOW_END] - 1) / LEAF - first_leaf(window) + 1
               : 0;
}

/* What was kept of a proposal: its flips, and the digits of the changes of energy. */
typedef struct {
    ulong flips, odd, digit[SITE_PLANES];
} change;

static void read_change(change *out, const context *x, size_t replica, uint i)
{
    out->flips = x->flips[replica * x->sites + i];
    out->odd = ODD ? mask_of(x->site[i].w & 1) & out->flips : 0;
    UNROLL
    for (int k = 0; k < SITE_PLANES; k++)
        out->digit[k] = x->change[(replica * SITE_PLANES + k) * x->sites + i];
}

/* The next change is read while one is added, so that nobody waits for memory. */
static void make_leaf(node *out, const context *x, const global uint *window, uint w, uint a,
                      uint leaf)
{
    const size_t replica = (size_t)w * x->replicas + a;
    const uint first = max(leaf * LEAF, window[WINDOW_SITE]);
    const uint end = min(leaf * LEAF + LEAF, window[WINDOW_END]);
    uint chunk = find_chunk(x, window, first), chunk_end = x->chunks[chunk * CHUNK_SIZE + CHUNK_END];
    uint accepted = 0, uphill = 0;
    ulong sum[LEAF_PLANES], above[LEAF_PLANES], moves[MOVE_PLANES], better[LEAF], later = 0;
    change now, next;
    UNROLL
    for (int k = 0; k < LEAF_PLANES; k++)
        sum[k] = above[k] = 0;
    UNROLL
    for (int k = 0; k < MOVE_PLANES; k++)
        moves[k] = 0;
    read_change(&next, x, replica, first);
    UNROLL
    for (uint n = 0; n < LEAF; n++) {
        const uint i = first + n;
        ulong carry = 0, carry_above = 0, some, digit = 0;
        better[n] = 0;
        if (i >= end)
            continue;
        now = next;
        if (i + 1 < end)
            read_change(&next, x, replica, i + 1);
        if (i >= chunk_end) {
            tally(x, w, x->chunks[chunk * CHUNK_SIZE + CHUNK_SLICE], accepted, uphill);
            accepted = uphill = 0;
            chunk++;
            chunk_end = x->chunks[chunk * CHUNK_SIZE + CHUNK_END];
        }
        some = now.odd;
        UNROLL
        for (int k = 0; k < LEAF_PLANES; k++) {
            if (ODD && k == 0) {
                digit = now.odd;
            } else if (k - ODD < SITE_PLANES) {
                digit = now.digit[k - ODD];
                some |= digit;
            }
            carry = add3(&sum[k], digit, carry);
            carry_above = add3(&above[k], digit, carry_above);
        }
        const ulong sign = digit; /* the last one */
        better[n] = above[LEAF_PLANES - 1];
        UNROLL
        for (int k = 0; k < LEAF_PLANES; k++)
            above[k] &= ~better[n];
        count_one(moves, 0, MOVE_PLANES, now.flips);
        accepted += (uint)popcount(now.flips);
        uphill += (uint)popcount(some & ~sign);
    }
    tally(x, w, x->chunks[chunk * CHUNK_SIZE + CHUNK_SLICE], accepted, uphill);
    UNROLL
    for (int n = LEAF - 1; n >= 0; n--)
        if (first + n < end) {
            later |= better[n];
            x->better[replica * x->sites + first + n] = later;
        }
    UNROLL
    for (int k = 0; k < PLANES; k++) {
        out->sum[k] = sum[k < LEAF_PLANES ? k : LEAF_PLANES - 1];
        out->low[k] = k < LEAF_PLANES ? above[k] : 0;
        out->count[k] = k < MOVE_PLANES ? moves[k] : 0;
    }
}

/* Put a node behind another one; returns for whom it has the lowest energy of both. */
static ulong join(node *left, const node *right)
{
    ulong carry = 0, borrow = ALL, lower = 0, low[PLANES];

    UNROLL
    for (int k = 0; k < PLANES; k++) {
        low[k] = left->low[k];
        carry = add3(&low[k], right->sum[k], carry);
        lower = low[k];
        borrow = add3(&lower, ~right->low[k], borrow);
    }
    ulong carry_sum = 0, carry_count = 0;

    UNROLL
    for (int k = 0; k < PLANES; k++) {
        left->low[k] = (low[k] & ~lower) | (right->low[k] & lower);
        carry_sum = add3(&left->sum[k], right->sum[k], carry_sum);
        carry_count = add3(&left->count[k], right->count[k], carry_count);
    }
    return lower;
}

static void read_top(node *out, const context *x, uint w, uint a, uint top)
{

    UNROLL
    for (int k = 0; k < PLANES; k++) {
        out->sum[k] = x->sums[top_at(x, w, a, k, top)];
        out->low[k] = x->lows[top_at(x, w, a, k, top)];
        out->count[k] = x->counts[top_at(x, w, a, k, top)];
    }
}

static void write_top(const context *x, uint w, uint a, uint top, const node *from)
{

    UNROLL
    for (int k = 0; k < PLANES; k++) {
        x->sums[top_at(x, w, a, k, top)] = from->sum[k];
        x->lows[top_at(x, w, a, k, top)] = from->low[k];
        x->counts[top_at(x, w, a, k, top)] = from->count[k];
    }
}

/* Room of a branch: the second children of a row. */
typedef struct {
    ulong number[3 * PLANES][BRANCH / 2];
} branch_room;

static void give_room(local branch_room *room, uint slot, const node *from)
{

    UNROLL
    for (int k = 0; k < PLANES; k++) {
        room->number[k][slot] = from->sum[k];
        room->number[PLANES + k][slot] = from->low[k];
        room->number[2 * PLANES + k][slot] = from->count[k];
    }
}

static void take_room(node *out, const local branch_room *room, uint slot)
{

    UNROLL
    for (int k = 0; k < PLANES; k++) {
        out->sum[k] = room->number[k][slot];
        out->low[k] = room->number[PLANES + k][slot];
        out->count[k] = room->number[2 * PLANES + k][slot];
    }
}

/* Branch number `number`, those of a replica after another, up to its top. By the BRANCH work-items
   of a group. */
static void make_branch(const context *x, const global uint *window, uint w, uint number,
                        local branch_room *room)
{
    const uint leaves = count_leaves(window), branches = (leaves + BRANCH - 1) / BRANCH;
    const uint n = get_local_id(0), a = branches ? number / branches : 0;
    const uint leaf = a < x->replicas && leaves ? number % branches * BRANCH + n : leaves;
    const uint rows = count_rows(min(leaves, (uint)BRANCH));
    node mine, other;
    if (leaf < leaves)
        make_leaf(&mine, x, window, w, a, first_leaf(window) + leaf);
    for (uint row = 1; row <= rows; row++) {
        const uint span = 1u << (row - 1), place = n & (2 * span - 1);
        if (leaf < leaves && place == span)
            give_room(room, n / 2, &mine);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (leaf < leaves && place == 0) {
            ulong lower = 0;
            if (leaf + span < leaves) {
                take_room(&other, room, (n + span) / 2);
                lower = join(&mine, &other);
            }
            *right_at(x, w, a, leaves, row, leaf >> row) = lower;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (leaf < leaves && n == 0)
        write_top(x, w, a, leaf / BRANCH, &mine);
}

/* The root of a replica, added to what is known of it. */
static void take_root(const context *x, uint w, uint a, const node *root)
{
    const size_t replica = ((size_t)w * x->replicas + a) * PLANES;
    node known;

    UNROLL
    for (int k = 0; k < PLANES; k++) {
        known.sum[k] = x->energy[replica + k];
        known.low[k] = x->above[replica + k];
        known.count[k] = 0;
    }
    x->mine[(size_t)w * x->replicas + a] = join(&known, root);

    UNROLL
    for (int k = 0; k < PLANES; k++) {
        x->energy[replica + k] = known.sum[k];
        x->above[replica + k] = known.low[k];
    }
}

/* Add the moves of a root to those of a word. */
static void take_moves(const context *x, uint w, const node *root)
{
    global ulong *moves = x->moves + (size_t)w * MOVES;
    ulong sum[PLANES], carry = 0;
    UNROLL
    for (int k = 0; k < PLANES; k++)
        sum[k] = moves[k];
    UNROLL
    for (int k = 0; k < PLANES; k++) {
        carry = add3(&sum[k], root->count[k], carry);
        moves[k] = sum[k];
    }
    for (int k = PLANES; carry && k < MOVES; k++) {
        const ulong one = moves[k];
        moves[k] = one ^ carry;
        carry &= one;
    }
}

/* From the tops of branches to the root, by all work-items of a group. */
static void join_tops(const context *x, const global uint *window, uint w)
{
    const uint me = get_local_id(0), all = get_local_size(0), leaves = count_leaves(window);
    uint from = 0, count = (leaves + BRANCH - 1) / BRANCH;
    node left, right;
    for (uint row = count_rows(BRANCH) + 1; count > 1; row++) {
        const uint pairs = (count + 1) / 2;
        for (uint j = me; j < pairs * x->replicas; j += all) {
            const uint n = j % pairs, a = j / pairs;
            ulong lower = 0;
            read_top(&left, x, w, a, from + 2 * n);
            if (2 * n + 1 < count) {
                read_top(&right, x, w, a, from + 2 * n + 1);
                lower = join(&left, &right);
            }
            write_top(x, w, a, from + count + n, &left);
            *right_at(x, w, a, leaves, row, n) = lower;
        }
        from += count;
        count = pairs;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (uint a = 0; a < x->replicas; a++)
        if (me == a % all) {
            read_top(&left, x, w, a, from);
            take_root(x, w, a, &left);
        }
    for (uint a = 0; a < x->replicas && me == 0; a++) {
        read_top(&left, x, w, a, from);
        take_moves(x, w, &left);
    }
}

/* The best states at a site. On the way down from the root, mine are the lanes whose lowest energy
   is in a node, and after those for which it is before it. */
static void keep(const context *x, const global uint *window, uint w, uint a, uint i)
{
    const size_t replica = (size_t)w * x->replicas + a;
    const ulong lanes = x->mine[replica];
    const uint leaves = count_leaves(window), n = i / LEAF - first_leaf(window);
    ulong mine = lanes, after = 0, state;
    if (!lanes || !leaves)
        return;
    state = x->spins[replica * (x->sites + 1) + i];
    if (is_in(window, i)) {
        uint row = count_rows(leaves);
        for (const global ulong *at = right_at(x, w, a, leaves, row, 0); row > 0;
             at -= row_size(leaves, --row)) {
            const ulong lower = at[n >> row];
            if (n >> (row - 1) & 1)
                after |= mine & ~lower;
            mine &= n >> (row - 1) & 1 ? lower : ~lower;
        }
        mine &= ~x->better[replica * x->sites + i];
        state ^= x->flips[replica * x->sites + i] & (after | mine);
    }
    global ulong *best = x->best + replica * x->sites + i;
    *best = (*best & ~lanes) | (state & lanes);
}

/* ---- kernels ---- */

/* They work on window n; dimension 1 is words. The sites of a level, an item for each: */
kernel void level(ARGUMENTS, uint n, uint begin, uint end)
{
    const context x = CONTEXT;
    const uint j = begin + (uint)get_global_id(0);
    place p = {.i = x.sites};
    if (j < end)
        find_place(&p, &x, x.windows + n * WINDOW_SIZE, x.order[j]);
    if (p.i < x.sites)
        propose(&x, &p, (uint)get_global_id(1));
}

/* All levels of a word by one group, SHARE items for a site: */
kernel __attribute__((reqd_work_group_size(TOGETHER, 1, 1))) void levels(ARGUMENTS, uint n)
{
    const context x = CONTEXT;
    const global uint *window = x.windows + n * WINDOW_SIZE;
    const uint me = (uint)get_local_id(0) / SHARE, at_once = TOGETHER / SHARE;
    local ulong room[2 * TOGETHER];
    place now, next = {.i = x.sites};
    if (me < x.levels[1])
        find_place(&next, &x, window, x.order[me]);
    for (uint l = 0; l < x.level_count; l++)
        for (uint end = x.levels[l + 1], j = x.levels[l]; j < end; j += at_once) {
            /* the next site is looked up before this one is done */
            const uint then = j + at_once < end ? j + at_once : end;
            const uint last = then < end || l + 1 == x.level_count ? end : x.levels[l + 2];
            now = next;
            next.i = x.sites;
            if (then + me < last)
                find_place(&next, &x, window, x.order[then + me]);
            for (uint a = 0; a < x.replicas; a++)
                propose_together(&x, &now, (uint)get_global_id(1), a, room);
        }
}

kernel void branches(ARGUMENTS, uint n)
{
    const context x = CONTEXT;
    local branch_room room;
    make_branch(&x, x.windows + n * WINDOW_SIZE, (uint)get_global_id(1), (uint)get_group_id(0),
                &room);
}

kernel void tops(ARGUMENTS, uint n)
{
    const context x = CONTEXT;
    join_tops(&x, x.windows + n * WINDOW_SIZE, (uint)get_global_id(1));
}

kernel void keep_best(ARGUMENTS, uint n)
{
    const context x = CONTEXT;
    const uint j = (uint)get_global_id(0);
    if (j < x.sites * x.replicas)
        keep(&x, x.windows + n * WINDOW_SIZE, (uint)get_global_id(1), j / x.sites, j % x.sites);
}

kernel void centre_draw(ARGUMENTS, uint n)
{
    const context x = CONTEXT;
    if (get_global_id(0) < x.sites)
        draw_centre(&x, x.windows + n * WINDOW_SIZE, (uint)get_global_id(1),
                    (uint)get_global_id(0));
}
