/* Words on a device: the bits of src/words/words_plain.c. A word of 64 reads is one ulong.

   Sites of a level (spn_device_levels) share no coupling, so their order changes nothing, and
   levels one after the other are a sweep in sequential order. What does depend on the order, the
   best energies and states, is found after each window by a tree over its steps (scan).

   The program is built with
     COUPLING (0 alone, 1 replicas, 2 centre), ODD: as in spn_words;
     SITE_PLANES: digits of n + ZERO, of all sites; CLASS_PLANES: of a class;
     PLANES: of energies and of moves in a window; LEAF_PLANES: of the changes of LEAF steps;
     MOVE_PLANES: of LEAF flips; SLICES.
   All other sizes are arguments, so that few programs are compiled. */

#define ALL (~(ulong)0)
#define ZERO (1 << (SITE_PLANES - 1))
#define DIGITS 32
#define BLOCKS (DIGITS / 2)
#define BATCH 8 /* digits; two batches decide nearly always */
#define CENTRE_STREAM 0xFFFFu
#define MOVES 63

/* What all functions need. */
typedef struct {
    global ulong *spins, *best, *flips, *better, *change, *centre, *energy, *above, *moves;
    global ulong *sums, *lows, *counts, *right, *mine, *after;
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
        global ulong *right, global ulong *mine, global ulong *after,                              \
        const global ulong *active, volatile global uint *tallies, const global uint4 *site,       \
        const global uint *runs, const global uint *terms, const global uint *order,               \
        const global uint *levels, const global uint *chunks, const global uint *windows,          \
        const global ulong *tables, uint key0, uint key1, uint run, uint lane, uint level_count,  \
        uint sites, uint replicas, uint nodes
#define CONTEXT                                                                                    \
    {spins, best,  flips, better,  change, centre, energy, above,  moves,  sums,                   \
     lows,  counts, right, mine,   after,  active, tallies, site,  runs,   terms,                  \
     order, levels, chunks, windows, tables, key0,  key1,   run,   lane,   level_count,                 \
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
    return bit ? ALL : 0;
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
    for (int k = 0; k < planes; k++)
        same &= ~(digit[k] ^ mask_of(value >> k & 1));
    return same;
}

static ulong is_below(const ulong *digit, int planes, int value)
{
    ulong below = 0;
    if (value >= 1 << planes)
        return ALL;
    for (int k = 0; k < planes && value > 0; k++)
        below = value >> k & 1 ? below | ~digit[k] : below & ~digit[k];
    return below;
}

/* Digits `from` and on of the thresholds of all lanes; sure: accepted always; drawn: with some
   probability. */
static void find_thresholds(ulong *threshold, int from, ulong *sure, ulong *drawn,
                            const global ulong *table, const ulong *digit, const ulong *class)
{
    const int first = (int)table[0], levels = (int)table[1], classes = (int)table[2];
    const int class_first = (int)table[3];
    const int least = 1 - first - ZERO, most = 2 * ZERO - first - ZERO + 1;
    const int begin = first + ZERO > 0 ? 0 : least, end = levels < most ? levels : most;
    for (int d = 0; d < BATCH; d++)
        threshold[d] = 0;
    *sure = *drawn = 0;
    for (int g = begin; g < (end > 1 ? end : 1); g++) {
        const ulong level = g ? is_value(digit, SITE_PLANES, (uint)(first + g - 1 + ZERO))
                              : is_below(digit, SITE_PLANES, first + ZERO);
        for (int c = 0; c < classes; c++) {
            const ulong share = table[4 + g * classes + c];
            ulong lanes = level;
            if (classes > 1)
                lanes &= c ? is_value(class, CLASS_PLANES, (uint)(class_first + c - 1))
                           : is_below(class, CLASS_PLANES, class_first);
            if (share >> DIGITS)
                *sure |= lanes;
            else if (share)
                *drawn |= lanes;
            for (int d = 0; d < BATCH; d++)
                threshold[d] |= lanes & mask_of((uint)(share >> (DIGITS - 1 - from - d)) & 1);
        }
    }
}

/* Who accepts, given the digits of n + ZERO and of the class. */
static ulong accept(const context *x, const global ulong *table, const ulong *digit,
                    const ulong *class, uint w, uint replica, ulong number, ulong active)
{
    ulong threshold[BATCH], sure = 0, drawn, undecided = active, below = 0;
    for (int from = 0; undecided && from < DIGITS; from += BATCH) {
        find_thresholds(threshold, from, &sure, &drawn, table, digit, class);
        undecided &= drawn;
        for (int d = 0; undecided && d < BATCH; d += 2) {
            const ulong2 random =
                draw_block(x, w, replica, number * BLOCKS + (uint)((from + d) / 2));
            below |= undecided & threshold[d] & ~random.x;
            undecided &= ~(threshold[d] ^ random.x);
            below |= undecided & threshold[d + 1] & ~random.y;
            undecided &= ~(threshold[d + 1] ^ random.y);
        }
    }
    return (sure & active) | below;
}

/* ---- fields ---- */

static void count_one(ulong *digit, int plane, int planes, ulong one)
{
#pragma unroll
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
#pragma unroll
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

static uint find_chunk(const context *x, const global uint *window, uint i)
{
    uint low = window[WINDOW_CHUNK], high = low + window[WINDOW_CHUNKS] - 1;
    while (low < high) {
        const uint middle = (low + high) / 2;
        if (i < x->chunks[middle * CHUNK_SIZE + CHUNK_END])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void propose(const context *x, const global uint *window, uint w, uint i)
{
    if (i < window[WINDOW_SITE] || i >= window[WINDOW_END])
        return;
    const uint4 site = x->site[i];
    const global uint *chunk = x->chunks + find_chunk(x, window, i) * CHUNK_SIZE;
    const global ulong *table =
        x->tables + chunk[ODD && (site.w & 1) ? CHUNK_ODD : CHUNK_EVEN];
    const ulong step = ((ulong)window[WINDOW_STEP_HIGH] << 32 | window[WINDOW_STEP]) + i;
    for (uint a = 0; a < x->replicas; a++) {
        const size_t replica = (size_t)w * x->replicas + a;
        global ulong *spins = x->spins + replica * (x->sites + 1);
        const ulong self = spins[i];
        ulong digit[SITE_PLANES + 2], class[CLASS_PLANES];
        count_terms(digit, x, site, spins, self);
        find_class(class, x, w, a, i, self);
        const ulong flips = accept(x, table, digit, class, w, a, step, x->active[w]);
        spins[i] = self ^ flips;
        x->flips[replica * x->sites + i] = flips;
        digit[SITE_PLANES - 1] = ~digit[SITE_PLANES - 1];
        for (int k = 0; k < SITE_PLANES; k++)
            x->change[(replica * SITE_PLANES + k) * x->sites + i] = digit[k] & flips;
    }
}

static void draw_centre(const context *x, const global uint *window, uint w, uint i)
{
    const ulong draw = (ulong)window[WINDOW_DRAW_HIGH] << 32 | window[WINDOW_DRAW];
    ulong digit[SITE_PLANES + 2], class[CLASS_PLANES];
    for (int k = 0; k < SITE_PLANES; k++)
        digit[k] = 0;
    for (int k = 0; k < CLASS_PLANES; k++)
        class[k] = 0;
    for (uint a = 0; a < x->replicas; a++)
        count_one(class, 0, CLASS_PLANES,
                  x->spins[((size_t)w * x->replicas + a) * (x->sites + 1) + i]);
    x->centre[(size_t)w * x->sites + i] =
        accept(x, x->tables + window[WINDOW_TABLE], digit, class, w, CENTRE_STREAM,
               draw * x->sites + i, ALL);
}

/* ---- the tree of a window ---- */

/* A node knows, of its steps in order: S, the change of the energy; b, how far the energy at the
   end lies above the lowest met, the start included; and the number of flips. Two nodes make one:
   S = S1 + S2; the lowest is in the second iff b1 + S2 < b2, and then b = b2, else b = b1 + S2. */

static size_t node_at(const context *x, uint w, uint a, int k, int planes, uint node)
{
    return (((size_t)w * x->replicas + a) * planes + k) * x->nodes + node;
}

static void tally(const context *x, uint w, uint slice, uint accepted, uint uphill)
{
    if (accepted)
        atomic_add(x->tallies + (w * SLICES + slice) * 2, accepted);
    if (uphill)
        atomic_add(x->tallies + (w * SLICES + slice) * 2 + 1, uphill);
}

/* Sites of leaf number `leaf`, within the window. */
static uint leaf_begin(const global uint *window, uint leaf)
{
    return max(leaf * LEAF, window[WINDOW_SITE]);
}

static uint leaf_end(const global uint *window, uint leaf)
{
    return min(leaf * LEAF + LEAF, window[WINDOW_END]);
}

static void make_leaf(const context *x, const global uint *window, uint w, uint a, uint leaf,
                      uint node)
{
    const size_t replica = (size_t)w * x->replicas + a;
    const uint end = leaf_end(window, leaf);
    uint i = leaf_begin(window, leaf), chunk = find_chunk(x, window, i), accepted = 0, uphill = 0;
    ulong sum[LEAF_PLANES], above[LEAF_PLANES], moves[MOVE_PLANES];
    for (int k = 0; k < LEAF_PLANES; k++)
        sum[k] = above[k] = 0;
    for (int k = 0; k < MOVE_PLANES; k++)
        moves[k] = 0;
    for (; i < end; i++) {
        const ulong flips = x->flips[replica * x->sites + i];
        const ulong odd = mask_of(x->site[i].w & 1) & flips;
        ulong carry = 0, carry_above = 0, some = odd, digit = 0;
        if (i >= x->chunks[chunk * CHUNK_SIZE + CHUNK_END]) {
            tally(x, w, x->chunks[chunk * CHUNK_SIZE + CHUNK_SLICE], accepted, uphill);
            accepted = uphill = 0;
            chunk++;
        }
#pragma unroll
        for (int k = 0; k < LEAF_PLANES; k++) {
            if (ODD && k == 0) {
                digit = odd;
            } else if (k - ODD < SITE_PLANES) {
                digit = x->change[(replica * SITE_PLANES + k - ODD) * x->sites + i];
                some |= digit;
            }
            carry = add3(&sum[k], digit, carry);
            carry_above = add3(&above[k], digit, carry_above);
        }
        const ulong sign = digit; /* the last one */
        const ulong better = above[LEAF_PLANES - 1];
        for (int k = 0; k < LEAF_PLANES; k++)
            above[k] &= ~better;
        x->better[replica * x->sites + i] = better;
        count_one(moves, 0, MOVE_PLANES, flips);
        accepted += (uint)popcount(flips);
        uphill += (uint)popcount(some & ~sign);
    }
    tally(x, w, x->chunks[chunk * CHUNK_SIZE + CHUNK_SLICE], accepted, uphill);
#pragma unroll
    for (int k = 0; k < PLANES; k++) {
        const int at = k < LEAF_PLANES ? k : LEAF_PLANES - 1;
        x->sums[node_at(x, w, a, k, PLANES, node)] = sum[at];
        x->lows[node_at(x, w, a, k, PLANES, node)] = k < LEAF_PLANES ? above[at] : 0;
        x->counts[node_at(x, w, a, k, PLANES, node)] = k < MOVE_PLANES ? moves[k] : 0;
    }
}

/* Whether b1 + S2 < b2; stride: from digit to digit of b1. */
static ulong is_lower(const context *x, const global ulong *b1, size_t stride, const global ulong *s2,
                      const global ulong *b2)
{
    ulong carry = 0, borrow = ALL, sum = 0;
    for (int k = 0; k < PLANES; k++) {
        sum = b1[k * stride];
        carry = add3(&sum, s2[(size_t)k * x->nodes], carry);
        borrow = add3(&sum, ~b2[(size_t)k * x->nodes], borrow);
    }
    return sum;
}

/* Write (lower ? b2 : b1 + S2). */
static void write_low(const context *x, global ulong *out, const global ulong *b1, size_t stride,
                      const global ulong *s2, const global ulong *b2, ulong lower)
{
    ulong carry = 0;
    for (int k = 0; k < PLANES; k++) {
        ulong sum = b1[k * stride];
        carry = add3(&sum, s2[(size_t)k * x->nodes], carry);
        out[k * stride] = (sum & ~lower) | (b2[(size_t)k * x->nodes] & lower);
    }
}

static void add_number(const context *x, global ulong *out, const global ulong *a, size_t stride,
                       const global ulong *b)
{
    ulong carry = 0;
    for (int k = 0; k < PLANES; k++) {
        ulong sum = a[k * stride];
        carry = add3(&sum, b[(size_t)k * x->nodes], carry);
        out[k * stride] = sum;
    }
}

/* Node `out` of nodes `left` and, unless it is alone, left + 1. */
static void join(const context *x, uint w, uint a, uint out, uint left, bool alone)
{
    const size_t here = node_at(x, w, a, 0, PLANES, out), from = node_at(x, w, a, 0, PLANES, left);
    const size_t mask = node_at(x, w, a, 0, 1, out);
    if (alone) {
        for (int k = 0; k < PLANES; k++) {
            x->sums[here + (size_t)k * x->nodes] = x->sums[from + (size_t)k * x->nodes];
            x->lows[here + (size_t)k * x->nodes] = x->lows[from + (size_t)k * x->nodes];
            x->counts[here + (size_t)k * x->nodes] = x->counts[from + (size_t)k * x->nodes];
        }
        x->right[mask] = 0;
        return;
    }
    const ulong lower =
        is_lower(x, x->lows + from, x->nodes, x->sums + from + 1, x->lows + from + 1);
    ulong carry = 0, carry_moves = 0, carry_low = 0;
    for (int k = 0; k < PLANES; k++) {
        const size_t at = (size_t)k * x->nodes;
        ulong sum = x->sums[from + at], moves = x->counts[from + at], low = x->lows[from + at];
        carry = add3(&sum, x->sums[from + 1 + at], carry);
        carry_moves = add3(&moves, x->counts[from + 1 + at], carry_moves);
        carry_low = add3(&low, x->sums[from + 1 + at], carry_low);
        x->sums[here + at] = sum;
        x->counts[here + at] = moves;
        x->lows[here + at] = (low & ~lower) | (x->lows[from + 1 + at] & lower);
    }
    x->right[mask] = lower;
}

/* Add the root to what is known of a replica; returns for whom there is a new lowest energy. */
static ulong take_root(const context *x, uint w, uint a, uint root)
{
    const size_t from = node_at(x, w, a, 0, PLANES, root);
    const size_t replica = ((size_t)w * x->replicas + a) * PLANES;
    const ulong lower = is_lower(x, x->above + replica, 1, x->sums + from, x->lows + from);
    write_low(x, x->above + replica, x->above + replica, 1, x->sums + from, x->lows + from, lower);
    add_number(x, x->energy + replica, x->energy + replica, 1, x->sums + from);
    x->mine[node_at(x, w, a, 0, 1, root)] = lower;
    x->after[node_at(x, w, a, 0, 1, root)] = 0;
    return lower;
}

static void take_moves(const context *x, uint w, uint root)
{
    for (uint a = 0; a < x->replicas; a++) {
        ulong carry = 0;
        for (int k = 0; k < MOVES; k++) {
            ulong sum = x->moves[(size_t)w * MOVES + k];
            carry = add3(&sum, k < PLANES ? x->counts[node_at(x, w, a, k, PLANES, root)] : 0, carry);
            x->moves[(size_t)w * MOVES + k] = sum;
        }
    }
}

/* mine: the lanes whose lowest energy is in a node; after: those for which it is before it. */
static void split(const context *x, uint w, uint a, uint parent, uint left, bool alone)
{
    const size_t at = node_at(x, w, a, 0, 1, parent), to = node_at(x, w, a, 0, 1, left);
    const ulong lower = x->right[at], mine = x->mine[at], after = x->after[at];
    x->mine[to] = mine & ~lower;
    x->after[to] = after;
    if (!alone) {
        x->mine[to + 1] = mine & lower;
        x->after[to + 1] = after | (mine & ~lower);
    }
}

static void keep(const context *x, size_t replica, uint i, ulong lanes, ulong undone)
{
    const ulong state = x->spins[replica * (x->sites + 1) + i] ^
                        (undone ? x->flips[replica * x->sites + i] & undone : 0);
    global ulong *best = x->best + replica * x->sites + i;
    *best = (*best & ~lanes) | (state & lanes);
}

/* The best states at the sites of a leaf. */
static void keep_leaf(const context *x, const global uint *window, uint w, uint a, uint leaf,
                      uint node, ulong lanes)
{
    const size_t replica = (size_t)w * x->replicas + a, at = node_at(x, w, a, 0, 1, node);
    const ulong after = x->after[at];
    ulong mine = x->mine[at];
    for (uint i = leaf_end(window, leaf); i-- > leaf_begin(window, leaf);) {
        mine &= ~x->better[replica * x->sites + i];
        keep(x, replica, i, lanes, after | mine);
    }
}

/* By all work-items of a group, after the proposals of a window. */
static void scan(const context *x, const global uint *window, uint w, local uint *improved)
{
    const uint me = get_local_id(0), all = get_local_size(0);
    if (window[WINDOW_SITE] == window[WINDOW_END])
        return;
    const uint first = window[WINDOW_SITE] / LEAF;
    const uint leaves = (window[WINDOW_END] - 1) / LEAF - first + 1;
    uint from = 0, count = leaves;
    for (uint j = me; j < leaves * x->replicas; j += all)
        make_leaf(x, window, w, j / leaves, first + j % leaves, j % leaves);
    if (me == 0)
        *improved = 0;
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    while (count > 1) {
        const uint pairs = (count + 1) / 2;
        for (uint j = me; j < pairs * x->replicas; j += all) {
            const uint n = j % pairs;
            join(x, w, j / pairs, from + count + n, from + 2 * n, 2 * n + 1 == count);
        }
        from += count;
        count = pairs;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    const uint root = from;
    for (uint a = me; a < x->replicas; a += all)
        if (take_root(x, w, a, root))
            atomic_or(improved, 1u);
    if (me == 0)
        take_moves(x, w, root);
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    const bool some = *improved != 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!some)
        return;
    /* Down again: the sizes of the rows of the tree come from the number of leaves. */
    for (uint row = root; row > 0;) {
        uint below = 0, size = leaves;
        while (below + size < row) {
            below += size;
            size = (size + 1) / 2;
        }
        const uint pairs = (size + 1) / 2;
        for (uint j = me; j < pairs * x->replicas; j += all) {
            const uint n = j % pairs;
            split(x, w, j / pairs, row + n, below + 2 * n, 2 * n + 1 == size);
        }
        row = below;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (uint j = me; j < leaves * x->replicas; j += all) {
        const uint a = j / leaves;
        keep_leaf(x, window, w, a, first + j % leaves, j % leaves,
                  x->mine[node_at(x, w, a, 0, 1, root)]);
    }
    for (uint a = 0; a < x->replicas; a++)
        for (uint i = me; i < x->sites; i += all)
            if (i < window[WINDOW_SITE] || i >= window[WINDOW_END])
                keep(x, (size_t)w * x->replicas + a, i, x->mine[node_at(x, w, a, 0, 1, root)], 0);
    barrier(CLK_GLOBAL_MEM_FENCE);
}

/* ---- kernels ---- */

/* Whole windows, one work-group for a word. */
kernel void sweep(ARGUMENTS, uint window_count)
{
    const context x = CONTEXT;
    const uint w = get_group_id(0), me = get_local_id(0), all = get_local_size(0);
    local uint improved;
    for (uint n = 0; n < window_count; n++) {
        const global uint *window = x.windows + n * WINDOW_SIZE;
        for (uint l = 0; l < x.level_count; l++) {
            for (uint j = x.levels[l] + me; j < x.levels[l + 1]; j += all)
                propose(&x, window, w, x.order[j]);
            barrier(CLK_GLOBAL_MEM_FENCE);
        }
        scan(&x, window, w, &improved);
        if (COUPLING == 2 && window[WINDOW_DRAWS])
            for (uint i = me; i < x.sites; i += all)
                draw_centre(&x, window, w, i);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* The same in three kernels: a level, the tree and the centre of a window. Dimension 1 is words. */
kernel void level(ARGUMENTS, uint n, uint l)
{
    const context x = CONTEXT;
    const uint j = x.levels[l] + (uint)get_global_id(0);
    if (j < x.levels[l + 1])
        propose(&x, x.windows + n * WINDOW_SIZE, (uint)get_global_id(1), x.order[j]);
}

kernel void tree(ARGUMENTS, uint n)
{
    const context x = CONTEXT;
    local uint improved;
    scan(&x, x.windows + n * WINDOW_SIZE, get_group_id(0), &improved);
}

kernel void centre_draw(ARGUMENTS, uint n)
{
    const context x = CONTEXT;
    if (get_global_id(0) < x.sites)
        draw_centre(&x, x.windows + n * WINDOW_SIZE, (uint)get_global_id(1),
                    (uint)get_global_id(0));
}
