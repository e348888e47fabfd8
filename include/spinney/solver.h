/* The solver: a sampler that anneals a problem (<spinney/program.h>) with constraints.

   Each of R reads goes through rounds, and starts each at a random state. A read has y replicas,
   coupled as in a chain by H_gamma = sum over bits of log cosh(gamma s_i); one step is a proposal
   of each of them. A proposal flips a bit, exchanges two free bits, exchanges two bits of a set
   that is kept ("exactly, or at most, k of these": as many such constraints as do not overlap, from
   a state in which they hold), or moves two ones of two one-hot sets at once, so that sets that
   cross them hold, too. It is accepted with min(1, exp(-beta dU + dH)), U the objective plus the
   weighted violations of all other constraints.

   The weight of a constraint that must hold starts at the size of the changes of the objective, and
   is adapted by a rule of the read's own counts: it rises while the constraint is violated in the
   second half of a round, and falls from round to round if it never is. Limits of many bits of
   different sizes are priced: slack earns a part of what a violation costs. Every second round
   starts from the best state and holds some bits: it closes a gate (a bit that costs and alone
   opens rows for many others) and holds all gates, or, without gates, it holds those on which the
   last rounds agree. Temperatures go, unless `beta` is given, from where a share 0.2 of the changes
   of random states is accepted to where 1e-5 of the changes of descended ones is
   (<spinney/beta_range.h>), and from the second round on spend their time where the energies vary
   and moves that change them are rare.

     spn_solver_options o = spn_solver_defaults();
     spn_sampler *solver;
     spn_solution solution;
     spn_stop stop;
     o.seconds = 2;
     if (spn_solver_create(&solver, program, &o, &err) ||
         spn_sampler_run(&stop, solver, NULL, &err) ||
         spn_solver_solution(&solution, solver, 0, values, &err))
         ... err.text ...

   Results are the same, bit for bit, for the same seed at any number of threads, however often the
   run was stopped, saved, loaded and continued; with `seconds`, as far as the lengths of the rounds
   are the same (spn_solver_rounds). */
#ifndef SPINNEY_SOLVER_H
#define SPINNEY_SOLVER_H

#include <spinney/program.h>
#include <spinney/sampler.h>

SPN_BEGIN_C

/* Start from spn_solver_defaults() and change what you need. */
typedef struct spn_solver_options {
    size_t size;      /* of this struct */
    size_t reads;     /* R, 1 to 65535 (4) */
    size_t replicas;  /* y, 1 to 255 (1) */
    unsigned threads; /* reads side by side, 1 to 4096 (1) */
    uint64_t seed;    /* (1) */
    uint32_t run;     /* read r has the random numbers of run + r (0) */
    uint64_t sweeps;  /* proposals of a round for each bit and replica (0: 1000; with seconds, 100
                         in the first round and twice as many in each next one, up to a quarter of
                         the time) */
    uint64_t rounds;  /* (0: 1; with seconds, as many as the time allows) */
    double seconds;   /* of all reads together (0: no limit) */
    const uint64_t *lengths;   /* the sweeps of each of `rounds` rounds, to repeat a run (NULL) */
    const spn_schedule *beta;  /* over a round; borrowed (NULL: measured) */
    const spn_schedule *gamma; /* (NULL: 0) */
    double penalty;  /* the weight of all constraints that must hold and are not kept; it stays as
                        it is (0: found and adapted) */
    bool plain;      /* flips alone: no constraint is kept by the moves (false) */
    bool whole;      /* no presolve (false) */
    bool has_target; /* stop once a feasible state has an objective as good as target */
    double target;
} spn_solver_options;

SPN_DEFAULTS(spn_solver_options, spn_solver_defaults, o.reads = 4, o.replicas = 1, o.threads = 1,
             o.seed = 1)

/* Make a solver at its start. The problem and its energy are borrowed until spn_sampler_free, and
   must not change. It also ends, with SPN_STOP_TARGET, at an objective that is provably best
   (spn_solver_result.bound). Memory: O(R y (N + terms)). Errors: ARGUMENT, MEMORY, ENERGY. */
SPN_API spn_status spn_solver_create(spn_sampler **out, const spn_program *program,
                                     const spn_solver_options *options, spn_error *err);

/* The best state of a read: the best feasible one, or else the least violated. */
typedef struct spn_solution {
    spn_score score; /* computed anew from the values */
    size_t read;
    size_t rounds; /* that ended, and, of them, those that came to as good a state */
    size_t found;
} spn_solution;

/* Read r < R. values: one for each variable, filled. Errors: MEMORY. O(terms). */
SPN_API spn_status spn_solver_solution_sized(spn_solution *out, size_t size,
                                             const spn_sampler *solver, size_t r, int32_t *values,
                                             spn_error *err);
static inline spn_status spn_solver_solution(spn_solution *out, const spn_sampler *solver, size_t r,
                                             int32_t *values, spn_error *err)
{
    return spn_solver_solution_sized(out, sizeof *out, solver, r, values, err);
}

/* The run so far. */
typedef struct spn_solver_result {
    size_t reads, replicas;
    size_t bits;                  /* after the presolve; integers have several */
    size_t kept;                  /* constraints that the moves keep */
    size_t penalised;             /* constraints that must hold and are paid for */
    size_t rounds;                /* that every read has ended */
    double beta_first, beta_last; /* of a round */
    uint64_t proposals, accepted; /* of all reads */
    size_t feasible;              /* reads that have a feasible state */
    size_t found;                 /* reads whose best state is as good as the best of all */
    size_t rounds_found;          /* rounds of all reads that came to a state as good as that */
    double bound; /* no state has a better objective (in the user's sense); +-INFINITY: none is
                     known, as with an energy */
    size_t trials, met; /* ended rounds of all reads, at least half as long as the longest, one that
                           held bits being one with the round before it; and, of them, those that
                           came to a state as good as the best of all, before any that held bits */
    size_t known, dropped; /* variables and constraints that presolve decided */
    size_t impossible;     /* a constraint that must hold and cannot, given the ranges of the
                              variables and the constraints before it; SIZE_MAX: presolve found none */
    size_t frozen; /* reads whose penalties moved nothing in the second half of their last round: at
                      the ends of its 32 parts the same constraints were always violated and others
                      hardly ever, or with a fixed penalty hardly any were */
    size_t merged; /* variables that follow others, by constraints of two: x = y, or x + y = 1 */
} spn_solver_result;

SPN_API void spn_solver_look_sized(spn_solver_result *out, size_t size, const spn_sampler *solver);
static inline void spn_solver_look(spn_solver_result *out, const spn_sampler *solver)
{
    spn_solver_look_sized(out, sizeof *out, solver);
}

/* The sweeps of the *count rounds that were begun; they belong to the solver. */
SPN_API const uint64_t *spn_solver_rounds(const spn_sampler *solver, size_t *count);

/* Whether a constraint was kept by the moves; and its weight in read r now (0: it is kept, soft or
   dropped). */
SPN_API bool spn_solver_keeps(const spn_sampler *solver, size_t constraint);
SPN_API double spn_solver_weight(const spn_sampler *solver, size_t r, size_t constraint);

SPN_END_C
#endif
