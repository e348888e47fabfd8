/* A program that others have built: an energy of its own as a table of functions, annealed with
   options of its own. The table and the options end where memory that is not theirs begins, full of
   ones, so that a library that reads on behind them is found out. With LATER_SLOT or LATER_FIELD it
   is a program of a later time, which fills what tests/abi/grow.py has added. */
#include <inttypes.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 40, BEHIND = 256 };

typedef struct fields { /* the cache: h_i = sum over j of J_ij s_j */
    int64_t field[SITES], energy;
} fields;

static int coupling(size_t i, size_t j)
{
    return i == j ? 0 : (int)((i * j + 3 * (i + j)) % 7) - 3;
}

static double attach(const void *problem, void *memory, const int8_t *spins)
{
    fields *f = memory;
    (void)problem;
    f->energy = 0;
    for (size_t i = 0; i < SITES; i++) {
        f->field[i] = 0;
        for (size_t j = 0; j < SITES; j++)
            f->field[i] += coupling(i, j) * spins[j];
        f->energy -= f->field[i] * spins[i];
    }
    f->energy /= 2; /* each pair was counted twice */
    return (double)f->energy;
}

static double energy(const void *problem, const int8_t *spins)
{
    fields f;
    return attach(problem, &f, spins);
}

static double delta(const void *problem, void *memory, const int8_t *spins, size_t site)
{
    const fields *f = memory;
    (void)problem;
    return (double)(2 * f->field[site] * spins[site]);
}

static double commit(const void *problem, void *memory, const int8_t *spins, size_t site)
{
    fields *f = memory;
    (void)problem;
    f->energy -= 2 * f->field[site] * spins[site];
    for (size_t i = 0; i < SITES; i++)
        f->field[i] += 2 * coupling(i, site) * spins[site];
    return (double)f->energy;
}

typedef struct table {
    spn_energy_ops ops;
    unsigned char behind[BEHIND];
} table;

typedef struct settings {
    spn_chain_options options;
    unsigned char behind[BEHIND];
} settings;

static spn_status make_energy(spn_energy **out, spn_error *err)
{
    table t = {.ops = spn_energy_ops_defaults()};
    memset(t.behind, 0xff, sizeof t.behind);
    t.ops.name = "glass";
    t.ops.energy = energy;
    t.ops.attach = attach;
    t.ops.delta = delta;
    t.ops.commit = commit;
#ifdef LATER_SLOT
    t.ops.added = abort;
#endif
    return spn_energy_define(out, &t.ops, NULL, SITES, sizeof(fields), true, err);
}

static spn_status make_chain(spn_sampler **out, const spn_energy *glass, spn_error *err)
{
    settings s = {.options = spn_chain_defaults()};
    spn_schedule *beta = NULL;
    spn_status status = spn_schedule_exponential(&beta, 0.01, 3, err);
    memset(s.behind, 0xff, sizeof s.behind);
    s.options.beta = beta;
    s.options.steps = 20000;
    s.options.seed = 7;
#ifdef LATER_FIELD
    s.options.added = 1;
#endif
    if (!status)
        status = spn_chain_create(out, glass, &s.options, err);
    spn_schedule_free(beta);
    return status;
}

static void print(const spn_sampler *chain, spn_stop stop)
{
    struct {
        spn_snapshot state;
        unsigned char behind[BEHIND];
    } s;
    memset(&s, 0xff, sizeof s);
    spn_chain_snapshot(&s.state, chain);
    printf("%s after %" PRIu64 " steps\n", spn_stop_name(stop), s.state.step);
    for (size_t a = 0; a < s.state.replicas; a++)
        printf("%zu: %.17g %.17g %" PRIu64 "\n", a, s.state.energy[a], s.state.best_energy[a],
               s.state.accepted[a]);
    for (size_t i = 0; i < BEHIND; i++)
        if (s.behind[i] != 0xff)
            puts("the library writes behind a struct of the program");
}

int main(void)
{
    spn_error err = {0};
    spn_energy *glass = NULL;
    spn_sampler *chain = NULL;
    spn_stop stop = SPN_STOP_NONE;
    if (make_energy(&glass, &err))
        printf("energy: %s\n", err.text);
    else if (make_chain(&chain, glass, &err) || spn_sampler_run(&stop, chain, NULL, &err))
        printf("chain: %s\n", err.text);
    else
        print(chain, stop);
    spn_sampler_free(chain);
    spn_energy_free(glass);
    return err.status ? EXIT_FAILURE : EXIT_SUCCESS;
}
