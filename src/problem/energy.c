/* The energy of a problem, for samplers of energies: the objective, minimised, plus `penalty` times
   the sum of the violations of the constraints that must hold. Its spins are the bits of the
   problem, of which none is merged and no set is kept, so a state of the solver is its cache. */
#include "core/energy.h"
#include "problem/move.h"

#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

typedef struct program_energy {
    spn_energy base;
    spn_compiled *c;
    double penalty;
    spn_price *price; /* of each row */
} program_energy;

enum { LINE = 64 };
#define HEAD ((sizeof(spn_state) + LINE - 1) / LINE * LINE)

static const program_energy *from(const spn_energy *self)
{
    return (const program_energy *)self;
}

static double value_of(const program_energy *p, const spn_state *s)
{
    return s->objective + p->penalty * s->violation;
}

/* The state in a cache, which may have been copied from another. */
static spn_state *state_in(const program_energy *p, void *cache)
{
    spn_state *s = cache;
    char *memory = (char *)cache + HEAD;
    if (s->memory != memory)
        spn_state_lay_out(s, p->c, memory);
    return s;
}

static double attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    const program_energy *p = from(self);
    spn_state *s = cache;
    *s = (spn_state){.c = p->c};
    spn_state_lay_out(s, p->c, (char *)cache + HEAD);
    memcpy(s->spins, spins, self->sites);
    return spn_state_attach(s) ? value_of(p, s) : NAN;
}

static double delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const program_energy *p = from(self);
    (void)spins;
    return spn_full_gain(state_in(p, cache), p->price, (uint32_t)site);
}

static double commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const program_energy *p = from(self);
    spn_state *s = state_in(p, cache);
    (void)spins;
    spn_state_flip(s, (uint32_t)site);
    return value_of(p, s);
}

spn_status spn_program_energy_score(spn_score *out, int32_t *values, const spn_energy *self,
                                    const int8_t *spins, spn_error *err)
{
    const program_energy *p = from(self);
    spn_compiled_values(values, p->c, spins);
    return spn_program_score(out, NULL, p->c->program, values, err);
}

/* From scratch, by the score of the problem; NaN without memory. */
static double energy(const spn_energy *self, const int8_t *spins)
{
    const program_energy *p = from(self);
    int32_t *values = spn_alloc(p->c->program->count, sizeof *values);
    spn_score score = {.objective = NAN};
    if (values)
        (void)spn_program_energy_score(&score, values, self, spins, NULL);
    free(values);
    return p->c->sign * score.objective + p->penalty * score.violation;
}

static void destroy(spn_energy *self)
{
    program_energy *p = (program_energy *)self;
    spn_compiled_free(p->c);
    SPN_FREE_ALL(p->price, p);
}

/* Numbers that are kept exactly do not depend on the way. */
static const spn_energy_slots exact = {
    .name = "problem", energy, attach, delta, commit, .destroy = destroy};
static const spn_energy_slots rounded = {
    .name = "problem", energy, attach, delta, commit, .destroy = destroy, .refresh = attach};

/* The most that a flip of one bit changes the objective; 1 if nothing does. */
static double most_change(const spn_compiled *c)
{
    double most = 0;
    for (size_t i = 0; i < c->bits; i++) {
        double low = c->field[i], high = c->field[i];
        for (size_t l = c->link_first[i]; l < c->link_first[i + 1]; l++) {
            low += fmin(0, c->links[l].coupling);
            high += fmax(0, c->links[l].coupling);
        }
        for (size_t k = c->in_first[i]; k < c->in_first[i + 1]; k++) {
            const spn_product *own = &c->product[c->in[k]];
            const double size = own->row == SPN_NO_ROW ? 2 * fabs(own->coefficient) : 0;
            low -= size;
            high += size;
        }
        most = fmax(most, fmax(-low, high));
    }
    return most > 0 ? most : 1;
}

static spn_status set_up(program_energy *p, const spn_program *program, double *penalty,
                         spn_error *err)
{
    const spn_compile_options options = {.keeps_sets = false};
    spn_state layout;
    SPN_REFUSE_IF(!(*penalty >= 0 && *penalty < INFINITY), err, "penalty: %g is not 0 or more",
                  *penalty);
    SPN_TRY(spn_compile(&p->c, program, &options, err));
    SPN_REFUSE_IF(p->c->bits == 0, err, "all variables are fixed: there is no state to sample");
    if (*penalty == 0)
        *penalty = most_change(p->c);
    p->penalty = *penalty;
    SPN_NEED(p->price = spn_alloc(p->c->rows, sizeof *p->price), err, "the weights of a problem");
    bool integral = p->c->exact && spn_is_whole(*penalty);
    for (size_t r = 0; r < p->c->rows; r++) {
        const spn_row *row = &p->c->row[r];
        p->price[r] = (spn_price){row->soft > 0 ? row->soft : *penalty, row->both};
        integral = integral && spn_is_whole(row->soft);
    }
    p->base = (spn_energy){.slots = integral ? &exact : &rounded,
                           .sites = p->c->bits,
                           .cache_size = HEAD + spn_state_lay_out(&layout, p->c, NULL),
                           .integral = integral};
    return SPN_OK;
}

spn_status spn_program_energy_create(spn_energy **out, const spn_program *program, double *penalty,
                                     spn_error *err)
{
    program_energy *p = spn_alloc(1, sizeof *p);
    *out = NULL;
    SPN_NEED(p, err, "the energy of a problem");
    const spn_status status = set_up(p, program, penalty, err);
    if (status)
        destroy(&p->base);
    else
        *out = &p->base;
    return status;
}

size_t spn_program_energy_variable(int32_t *weight, const spn_energy *self, size_t i)
{
    const spn_compiled *c = from(self)->c;
    const spn_bit_range *of = &c->of[c->variable[i]];
    *weight = of->end - of->first > 1 ? c->weight[i] : 0;
    return c->variable[i];
}
