/* A quadratic energy with couplings kept in integers of type SCALAR; included by quadratic.c once
   per width, with NAMED(name) giving each width its own names. */

typedef struct NAMED(neighbour) {
    uint32_t site;
    SCALAR coupling; /* 4 J */
} NAMED(neighbour);

typedef struct NAMED(quadratic) {
    spn_energy base;
    spn_energy_slots slots; /* the name differs */
    double unit;            /* 2^-k */
    double constant;        /* added to every energy, last */
    int64_t offset;         /* in units, as is every integer below */
    SCALAR *field;          /* h */
    uint32_t *first;        /* neighbours of i: first[i] .. first[i+1]-1 */
    NAMED(neighbour) * neighbours;
} NAMED(quadratic);

/* A replica's cache: its energy and, per site, the energy's change in a flip there. */
typedef struct NAMED(cache) {
    int64_t energy;
    SCALAR gain[];
} NAMED(cache);

/* Four times the sum of the couplings at i, each times the spin at its other end. */
static int64_t NAMED(couplings_at)(const NAMED(quadratic) * self, const int8_t *spins, size_t i)
{
    int64_t sum = 0;
    assert(i < self->base.sites && self->first[i] <= self->first[i + 1]);
    for (size_t e = self->first[i]; e < self->first[i + 1]; e++)
        sum += (int64_t)self->neighbours[e].coupling * spins[self->neighbours[e].site];
    return sum;
}

/* Every coupling is seen from both its ends, every field once. */
static int64_t NAMED(units)(const spn_energy *base, const int8_t *spins)
{
    const NAMED(quadratic) *self = (const NAMED(quadratic) *)base;
    int64_t total = self->offset;
    for (size_t i = 0; i < base->sites; i++)
        total += (int64_t)spins[i] * self->field[i];
    int64_t couplings = 0;
    for (size_t i = 0; i < base->sites; i++)
        couplings += spins[i] * (NAMED(couplings_at)(self, spins, i) / 4);
    return total + couplings / 2;
}

/* The energy of a number of units. */
static inline double NAMED(value)(const NAMED(quadratic) * self, int64_t units)
{
    return (double)units * self->unit + self->constant;
}

static double NAMED(energy)(const spn_energy *base, const int8_t *spins)
{
    return NAMED(value)((const NAMED(quadratic) *)base, NAMED(units)(base, spins));
}

static double NAMED(attach)(const spn_energy *base, void *memory, const int8_t *spins)
{
    const NAMED(quadratic) *self = (const NAMED(quadratic) *)base;
    NAMED(cache) *cache = memory;
    for (size_t i = 0; i < base->sites; i++) {
        const int64_t gain =
            -spins[i] * (2 * (int64_t)self->field[i] + NAMED(couplings_at)(self, spins, i) / 2);
        cache->gain[i] = (SCALAR)gain;
        assert(spn_is_spin(spins[i]) && cache->gain[i] == gain);
    }
    cache->energy = NAMED(units)(base, spins);
    return NAMED(value)(self, cache->energy);
}

static inline double NAMED(delta)(const spn_energy *base, void *memory, const int8_t *spins,
                                  size_t site)
{
    assert(site < base->sites && spn_is_spin(spins[site]));
    (void)spins;
    const NAMED(cache) *cache = memory;
    return (double)cache->gain[site] * ((const NAMED(quadratic) *)base)->unit;
}

static inline double NAMED(commit)(const spn_energy *base, void *memory, const int8_t *spins,
                                   size_t site)
{
    const NAMED(quadratic) *self = (const NAMED(quadratic) *)base;
    NAMED(cache) *cache = memory;
    const SCALAR spin = spins[site];
    const NAMED(neighbour) *neighbour = self->neighbours + self->first[site];
    const NAMED(neighbour) *end = self->neighbours + self->first[site + 1];
    assert(site < base->sites && spn_is_spin(spins[site]) && neighbour <= end);
    cache->energy += cache->gain[site];
    cache->gain[site] = -cache->gain[site];
    for (; neighbour < end; neighbour++) {
        assert(neighbour->site < base->sites && neighbour->site != site);
        cache->gain[neighbour->site] -= spin * spins[neighbour->site] * neighbour->coupling;
    }
    return NAMED(value)(self, cache->energy);
}

static inline double NAMED(delta_in_units)(const spn_energy *base, void *memory,
                                           const int8_t *spins, size_t site)
{
    assert(site < base->sites && spn_is_spin(spins[site]));
    (void)base;
    (void)spins;
    return (double)((const NAMED(cache) *)memory)->gain[site];
}

static inline void NAMED(prefetch)(const spn_energy *base, size_t site)
{
    const NAMED(quadratic) *self = (const NAMED(quadratic) *)base;
    __builtin_prefetch(&self->neighbours[self->first[site]]);
}

static size_t NAMED(loop)(spn_chain *chain, size_t count)
{
    double per_unit = 1 / ((const NAMED(quadratic) *)chain->energy)->unit;
    assert(isfinite(per_unit) && per_unit > 0);
    return spn_loop_choose(chain, count, per_unit,
                           (spn_variant){.delta = NAMED(delta_in_units),
                                         .commit = NAMED(commit),
                                         .prefetch = NAMED(prefetch)});
}

static bool NAMED(list_pair)(spn_sparse_terms *out, uint32_t at, SCALAR coupling, uint32_t site)
{
    if (coupling == 0 && !out->coupling)
        return false; /* zeros hold places only in small terms, as many as the energy has */
    out->site[at] = site;
    if (out->coupling)
        out->coupling[at] = (int32_t)coupling;
    if (out->exact_coupling)
        out->exact_coupling[at] = (double)coupling;
    return true;
}

/* The couplings, into the arrays that are there. */
static void NAMED(list_all)(const NAMED(quadratic) * self, spn_sparse_terms *out)
{
    uint32_t at = 0;
    for (size_t i = 0; i < out->sites; i++) {
        if (out->field)
            out->field[i] = (int32_t)self->field[i];
        if (out->exact_field)
            out->exact_field[i] = (double)self->field[i];
        for (size_t e = self->first[i]; e < self->first[i + 1]; e++) {
            const NAMED(neighbour) *n = &self->neighbours[e];
            assert(n->site < out->sites);
            at += NAMED(list_pair)(out, at, n->coupling / 4, n->site);
        }
        out->first[i + 1] = at;
    }
}

/* The couplings as small integers, as exact doubles, or only which sites they couple. */
static bool NAMED(list)(const NAMED(quadratic) * self, spn_sparse_terms *out, bool small,
                        bool exact)
{
    const size_t sites = self->base.sites, count = self->first[sites];
    *out = (spn_sparse_terms){
        .sites = sites,
        .unit = self->unit,
        .constant = self->constant,
        .offset = (double)self->offset,
        .field = small ? spn_alloc(sites, sizeof *out->field) : NULL,
        .first = spn_alloc(sites + 1, sizeof *out->first),
        .site = spn_alloc(count, sizeof *out->site),
        .coupling = small ? spn_alloc(count, sizeof *out->coupling) : NULL,
        .exact_field = exact ? spn_alloc(sites, sizeof *out->exact_field) : NULL,
        .exact_coupling = exact ? spn_alloc(count, sizeof *out->exact_coupling) : NULL};
    if (!out->first || !out->site || (small && (!out->field || !out->coupling)) ||
        (exact && (!out->exact_field || !out->exact_coupling))) {
        spn_sparse_terms_clear(out);
        return false;
    }
    NAMED(list_all)(self, out);
    return true;
}

/* Only the narrow width has it: there everything fits the integers of the terms. */
static bool NAMED(terms)(const spn_energy *base, spn_sparse_terms *out)
{
    const NAMED(quadratic) *self = (const NAMED(quadratic) *)base;
    return fabs(self->constant) < 0x1p50 * self->unit && NAMED(list)(self, out, true, false);
}

static bool NAMED(graph)(const spn_energy *base, spn_sparse_terms *out)
{
    return NAMED(list)((const NAMED(quadratic) *)base, out, false, false);
}

static bool NAMED(exact_terms)(const spn_energy *base, spn_sparse_terms *out)
{
    return NAMED(list)((const NAMED(quadratic) *)base, out, false, true);
}

static void NAMED(destroy)(spn_energy *base)
{
    NAMED(quadratic) *self = (NAMED(quadratic) *)base;
    SPN_FREE_ALL(self->field, self->first, self->neighbours, self);
}

static int64_t NAMED(in_units)(double high, double low, int k)
{
    return llrint(ldexp(high, k)) + llrint(ldexp(low, k));
}

static void NAMED(fill)(NAMED(quadratic) * self, const quadratic_terms *terms, int k)
{
    self->offset = NAMED(in_units)(terms->offset, terms->offset_low, k);
    for (size_t i = 0; i < terms->sites; i++) {
        const int64_t field = NAMED(in_units)(terms->field[i], terms->field_low[i], k);
        self->field[i] = (SCALAR)field;
        assert(self->field[i] == field);
    }
    for (size_t e = 0; e < terms->count; e++) {
        self->first[terms->edges[e].i + 1]++;
        self->first[terms->edges[e].j + 1]++;
    }
    for (size_t i = 0; i < terms->sites; i++)
        self->first[i + 1] += self->first[i];
    for (size_t e = 0; e < terms->count; e++) {
        const spn_edge *edge = &terms->edges[e];
        SCALAR coupling = 4 * (SCALAR)llrint(ldexp(edge->weight, k));
        assert(coupling / 4 == llrint(ldexp(edge->weight, k)));
        self->neighbours[self->first[edge->i]++] = (NAMED(neighbour)){edge->j, coupling};
        self->neighbours[self->first[edge->j]++] = (NAMED(neighbour)){edge->i, coupling};
    }
    /* filling moved every start to its end: move them back */
    memmove(self->first + 1, self->first, terms->sites * sizeof *self->first);
    self->first[0] = 0;
    assert(self->first[terms->sites] == 2 * terms->count);
}

static spn_status NAMED(build)(spn_energy **out, const quadratic_terms *terms, const char *name,
                               int k, spn_error *err)
{
    NAMED(quadratic) *self = calloc(1, sizeof *self);
    SPN_NEED(self, err, "the energy '%s'", name);
    const bool narrow = _Generic((SCALAR)0, int32_t : true, default : false);
    self->slots = (spn_energy_slots){.name = name,
                                     .energy = NAMED(energy),
                                     .attach = NAMED(attach),
                                     .delta = NAMED(delta),
                                     .commit = NAMED(commit),
                                     .destroy = NAMED(destroy),
                                     .loop = NAMED(loop),
                                     .terms = narrow ? NAMED(terms) : NULL,
                                     .graph = NAMED(graph),
                                     .exact_terms = NAMED(exact_terms)};
    self->base = (spn_energy){.slots = &self->slots,
                              .sites = terms->sites,
                              .cache_size = sizeof(NAMED(cache)) + terms->sites * sizeof(SCALAR)};
    self->unit = ldexp(1.0, -k);
    self->constant = terms->constant;
    self->field = spn_alloc(terms->sites, sizeof *self->field);
    self->first = spn_alloc(terms->sites + 1, sizeof *self->first);
    self->neighbours = spn_alloc(2 * terms->count, sizeof *self->neighbours);
    if (!self->field || !self->first || !self->neighbours) {
        NAMED(destroy)(&self->base);
        return spn_no_memory(err, "%zu couplings", terms->count);
    }
    NAMED(fill)(self, terms, k);
    *out = &self->base;
    return SPN_OK;
}
