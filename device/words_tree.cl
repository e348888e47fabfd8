/* What follows words.cl: the tree over the steps of a window, and the kernels. */

/* ---- the tree of a window ---- */

/* A node knows, of its steps in order: S, the change of the energy; b, how far the energy at the
   end lies above the lowest met, the start included; and the number of flips. Two nodes make one:
   S = S1 + S2; the lowest is in the second iff b1 + S2 < b2, and then b = b2, else b = b1 + S2.
   Node n of row r has nodes 2 n and 2 n + 1 of row r - 1; row 0 is of leaves. Rows up to that of
   BRANCH leaves are made by as many work-items in local memory; what is above, in global memory. */

typedef struct {
    ulong sum[PLANES], low[PLANES], count[PLANES];
} node;

/* Digits that the numbers of a branch have: fewer than those of a window, so that more nodes fit into
   registers. */
#define BRANCH_PLANES (LEAF_PLANES + BRANCH_ROWS < PLANES ? LEAF_PLANES + BRANCH_ROWS : PLANES)
#define BRANCH_MOVES (MOVE_PLANES + BRANCH_ROWS < PLANES ? MOVE_PLANES + BRANCH_ROWS : PLANES)

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

/* Accepted and uphill moves of each slice, those of a group first. */
static void tally(local uint *sums, uint slice, uint accepted, uint uphill)
{
    if (accepted)
        atomic_add(sums + slice * 2, accepted);
    if (uphill)
        atomic_add(sums + slice * 2 + 1, uphill);
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

/* All changes are read before the first is added, so that their ways through memory overlap. */
static void make_leaf(node *out, const context *x, const global uint *window, uint w, uint a,
                      uint leaf, local uint *sums)
{
    const size_t replica = (size_t)w * x->replicas + a;
    const uint first = max(leaf * LEAF, window[WINDOW_SITE]);
    const uint count = min(leaf * LEAF + LEAF, window[WINDOW_END]) - first;
    uint chunk = find_chunk(x, window, first), chunk_end = x->chunks[chunk * CHUNK_SIZE + CHUNK_END];
    uint accepted = 0, uphill = 0;
    ulong sum[LEAF_PLANES], above[LEAF_PLANES], moves[MOVE_PLANES], better[LEAF], later = 0;
    change at[LEAF];
    UNROLL
    for (int k = 0; k < LEAF_PLANES; k++)
        sum[k] = above[k] = 0;
    UNROLL
    for (int k = 0; k < MOVE_PLANES; k++)
        moves[k] = 0;
    UNROLL
    for (uint n = 0; n < LEAF; n++)
        if (n < count)
            read_change(&at[n], x, replica, first + n);
    UNROLL
    for (uint n = 0; n < LEAF; n++) {
        ulong carry = 0, carry_above = 0, some, digit = 0;
        better[n] = 0;
        if (n >= count)
            continue;
        if (first + n >= chunk_end) {
            tally(sums, x->chunks[chunk * CHUNK_SIZE + CHUNK_SLICE], accepted, uphill);
            accepted = uphill = 0;
            chunk++;
            chunk_end = x->chunks[chunk * CHUNK_SIZE + CHUNK_END];
        }
        some = at[n].odd;
        UNROLL
        for (int k = 0; k < LEAF_PLANES; k++) {
            if (ODD && k == 0) {
                digit = at[n].odd;
            } else if (k - ODD < SITE_PLANES) {
                digit = at[n].digit[k - ODD];
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
        count_one(moves, 0, MOVE_PLANES, at[n].flips);
        accepted += (uint)popcount(at[n].flips);
        uphill += (uint)popcount(some & ~sign);
    }
    tally(sums, x->chunks[chunk * CHUNK_SIZE + CHUNK_SLICE], accepted, uphill);
    UNROLL
    for (int n = LEAF - 1; n >= 0; n--)
        if (n < (int)count) {
            later |= better[n];
            x->better[replica * x->sites + first + n] = later;
        }
    UNROLL
    for (int k = 0; k < BRANCH_PLANES; k++) {
        out->sum[k] = sum[k < LEAF_PLANES ? k : LEAF_PLANES - 1];
        out->low[k] = k < LEAF_PLANES ? above[k] : 0;
    }
    UNROLL
    for (int k = 0; k < BRANCH_MOVES; k++)
        out->count[k] = k < MOVE_PLANES ? moves[k] : 0;
}

/* Put a node behind another one; returns for whom it has the lowest energy of both. */
static ulong join(node *left, const node *right, int planes, int moves)
{
    ulong carry = 0, carry_sum = 0, carry_count = 0, borrow = ALL, lower = 0, low[PLANES];
    UNROLL
    for (int k = 0; k < planes; k++) {
        low[k] = left->low[k];
        carry = add3(&low[k], right->sum[k], carry);
        lower = low[k];
        borrow = add3(&lower, ~right->low[k], borrow);
    }
    UNROLL
    for (int k = 0; k < planes; k++) {
        left->low[k] = (low[k] & ~lower) | (right->low[k] & lower);
        carry_sum = add3(&left->sum[k], right->sum[k], carry_sum);
    }
    UNROLL
    for (int k = 0; k < moves; k++)
        carry_count = add3(&left->count[k], right->count[k], carry_count);
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

/* Of a node with so many digits. */
static void write_top(const context *x, uint w, uint a, uint top, const node *from, int planes,
                      int moves)
{
    UNROLL
    for (int k = 0; k < PLANES; k++) {
        x->sums[top_at(x, w, a, k, top)] = from->sum[k < planes ? k : planes - 1];
        x->lows[top_at(x, w, a, k, top)] = k < planes ? from->low[k] : 0;
        x->counts[top_at(x, w, a, k, top)] = k < moves ? from->count[k] : 0;
    }
}

/* Room of a branch: the second children of a row, and what its leaves count. */
typedef struct {
    ulong number[2 * BRANCH_PLANES + BRANCH_MOVES][BRANCH / 2];
    uint tallies[SLICES * 2];
} branch_room;

static void give_room(local branch_room *room, uint slot, const node *from)
{
    UNROLL
    for (int k = 0; k < BRANCH_PLANES; k++) {
        room->number[k][slot] = from->sum[k];
        room->number[BRANCH_PLANES + k][slot] = from->low[k];
    }
    UNROLL
    for (int k = 0; k < BRANCH_MOVES; k++)
        room->number[2 * BRANCH_PLANES + k][slot] = from->count[k];
}

static void take_room(node *out, const local branch_room *room, uint slot)
{
    UNROLL
    for (int k = 0; k < BRANCH_PLANES; k++) {
        out->sum[k] = room->number[k][slot];
        out->low[k] = room->number[BRANCH_PLANES + k][slot];
    }
    UNROLL
    for (int k = 0; k < BRANCH_MOVES; k++)
        out->count[k] = room->number[2 * BRANCH_PLANES + k][slot];
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
    for (uint k = n; k < SLICES * 2; k += BRANCH)
        room->tallies[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (leaf < leaves)
        make_leaf(&mine, x, window, w, a, first_leaf(window) + leaf, room->tallies);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint row = 1; row <= rows; row++) {
        const uint span = 1u << (row - 1), place = n & (2 * span - 1);
        if (leaf < leaves && place == span)
            give_room(room, n / 2, &mine);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (leaf < leaves && place == 0) {
            ulong lower = 0;
            if (leaf + span < leaves) {
                take_room(&other, room, (n + span) / 2);
                lower = join(&mine, &other, BRANCH_PLANES, BRANCH_MOVES);
            }
            *right_at(x, w, a, leaves, row, leaf >> row) = lower;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = n; k < SLICES * 2; k += BRANCH)
        if (room->tallies[k])
            atomic_add(x->tallies + w * SLICES * 2 + k, room->tallies[k]);
    if (leaf < leaves && n == 0)
        write_top(x, w, a, leaf / BRANCH, &mine, BRANCH_PLANES, BRANCH_MOVES);
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
    }
    x->mine[(size_t)w * x->replicas + a] = join(&known, root, PLANES, 0);

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
                lower = join(&left, &right, PLANES, PLANES);
            }
            write_top(x, w, a, from + count + n, &left, PLANES, PLANES);
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

/* The best states at the sites of a leaf, among them those that a window leaves as they are. On the
   way down from the root, mine are the lanes whose lowest energy is in a node, and after those for
   which it is before it. */
static void keep(const context *x, const global uint *window, uint w, uint a, uint leaf)
{
    const size_t replica = (size_t)w * x->replicas + a;
    const ulong lanes = x->mine[replica];
    const uint leaves = count_leaves(window), n = leaf - first_leaf(window);
    const uint first = leaf * LEAF, count = min(x->sites - first, (uint)LEAF);
    const global ulong *spins = x->spins + replica * (x->sites + 1) + first;
    const size_t at = replica * x->sites + first;
    ulong mine = lanes, after = 0;
    if (!lanes || !leaves)
        return;
    if (leaf >= first_leaf(window) && n < leaves) {
        uint row = count_rows(leaves);
        for (const global ulong *right = right_at(x, w, a, leaves, row, 0); row > 0;
             right -= row_size(leaves, --row)) {
            const ulong lower = right[n >> row];
            if (n >> (row - 1) & 1)
                after |= mine & ~lower;
            mine &= n >> (row - 1) & 1 ? lower : ~lower;
        }
    } else {
        mine = 0;
    }
    UNROLL
    for (uint j = 0; j < LEAF; j++)
        if (j < count) {
            ulong state = spins[j];
            if (is_in(window, first + j))
                state ^= x->flips[at + j] & (after | (mine & ~x->better[at + j]));
            x->best[at + j] = (x->best[at + j] & ~lanes) | (state & lanes);
        }
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
    const uint j = (uint)get_global_id(0), leaves = (x.sites + LEAF - 1) / LEAF;
    if (j < leaves * x.replicas)
        keep(&x, x.windows + n * WINDOW_SIZE, (uint)get_global_id(1), j / leaves, j % leaves);
}

kernel void centre_draw(ARGUMENTS, uint n)
{
    const context x = CONTEXT;
    if (get_global_id(0) < x.sites)
        draw_centre(&x, x.windows + n * WINDOW_SIZE, (uint)get_global_id(1),
                    (uint)get_global_id(0));
}
