/* spinney exact, inside: what was asked, what came out, and the pages that show it. */
#ifndef SPN_CLI_EXACT_H
#define SPN_CLI_EXACT_H

#include "cli/axis.h"
#include <spinney/density.h>
#include <spinney/lab/plot.h>
#include <spinney/spectrum.h>

enum { EXACT_KERNELS = 3, EXACT_PHI_SITES = 12, EXACT_NOTES = 24 };

/* The constants of --schedule theorem1:..., in the order of their names in exact_schedule.c. */
enum { T1_STAGES, T1_ALPHA, T1_b, T1_m, T1_B, T1_c, T1_KAPPA, EXACT_THEOREM1 };

/* The dense set D. */
typedef struct exact_dense {
    uint32_t *states; /* owned; NULL: none was given */
    size_t count;
    bool ball;       /* it is a ball, */
    uint32_t center; /* of this centre */
    size_t radius;
    size_t minima;  /* A: how many of the minima lie in it */
    size_t nearest; /* least distance of a minimum outside D to any other minimum; 0: unknown */
} exact_dense;

/* One kernel at one point. */
typedef struct exact_chain {
    bool done, gap_done;
    spn_balance balance;
    double height; /* M */
    spn_gap gap;
} exact_chain;

/* Everything at one (y, beta, gamma). */
typedef struct exact_point {
    size_t replicas;
    double beta, gamma;
    bool law_done;
    spn_law law;     /* its arrays are NULL */
    double *phi, *P; /* owned; kept for small N where --json needs them */
    spn_constants constants;
    exact_chain chain[EXACT_KERNELS];
    double marginal_mass; /* of D under the law of one replica */
    double mass;          /* Qbar(D^y) */
    double mass_cold;     /* Qbar_inf(D^y) */
    double mass_aligned;  /* the limit of gamma -> infinity at this beta */
    double mass_bound;    /* of Proposition 3.5 on mass_cold; NAN where it says nothing */
} exact_point;

/* The largest mass of D over gamma, for one y and beta. */
typedef struct exact_best {
    double gamma, mass;
    bool refined; /* between the values asked for, not one of them */
} exact_best;

/* psi against beta for one (y, gamma, kernel). */
typedef struct exact_fit {
    size_t replicas, kernel;
    double gamma;
    spn_gap_fit fit;
} exact_fit;

/* A theorem's condition on a schedule. */
typedef struct exact_verdict {
    bool done;
    int theorem; /* 1: gamma fixed; 2: gamma changes */
    bool met;
    double c, log_kappa, margin;
    double *values; /* -c sum T_k e^(-beta_k m) + n log kappa after each stage; owned */
    double *bounds; /* log of the bound on epsilon_n by the theorem's recursion; owned */
} exact_verdict;

/* The law of an annealed chain, stage by stage. */
typedef struct exact_annealing {
    bool asked;
    double theorem1[EXACT_THEOREM1]; /* its constants, NAN where they are to be computed */
    bool is_theorem1;
    size_t start;
    spn_piece *pieces; /* owned, as are the next two */
    double *gammas;
    spn_stage *stages;
    size_t count;
    uint64_t steps;
    bool gamma_changes;
    char about[200]; /* the schedule in words */
    exact_verdict verdict;
} exact_annealing;

typedef enum exact_figure {
    EXACT_FIGURE_NONE,
    EXACT_FIGURE_GAP,
    EXACT_FIGURE_EPSILON,
    EXACT_FIGURE_DENSE,
    EXACT_FIGURE_DENSITY
} exact_figure;

typedef enum exact_when { EXACT_AUTO, EXACT_ALWAYS, EXACT_NEVER } exact_when;

typedef struct exact {
    const cli_values *values;
    const char *energy_name;
    spn_landscape *landscape;
    cli_axis replicas, beta, gamma;
    bool kernels[EXACT_KERNELS];
    spn_kernel first; /* the one that is annealed */
    exact_when gap;
    unsigned threads; /* 0: all cores */
    exact_dense dense;
    spn_heights heights;
    spn_density *density;
    exact_point *points; /* gamma fastest, then beta, then y */
    size_t count;
    exact_best *best; /* where gamma is a list: for each y, at beta = infinity and at each beta */
    exact_fit *fits;
    size_t fit_count;
    exact_annealing annealing;
    exact_figure figure;
    char notes[EXACT_NOTES][400];
    size_t note_count;
    double seconds;
} exact;

/* A line for the page and for `notes` in the JSON. */
void exact_note(exact *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print an error and return the exit status: 2 for what the user can change. */
int exact_fail(const exact *e, const spn_error *err);
int exact_no_memory(const exact *e);

/* The point of the given places in the three lists. */
exact_point *exact_at(const exact *e, size_t y, size_t beta, size_t gamma);

/* A state of `sites` bits from its index or from + and -; false, with a message. */
bool exact_read_state(uint64_t *out, const exact *e, const char *option, size_t sites,
                      size_t copies);

/* The steps of the command, each 0 or the exit status. */
int exact_read_options(exact *e);   /* before the energy is made */
int exact_read_dense(exact *e);     /* after it */
int exact_read_annealing(exact *e); /* its start and all that needs no heights */
int exact_set_pieces(exact *e, const spn_schedule *beta);
int exact_compute(exact *e);
int exact_compute_dense(exact *e);
int exact_anneal(exact *e);
int exact_print_json(const exact *e);
int exact_print_page(const exact *e);

/* The figure of e->figure: printed as text, or written to --plot. */
int exact_choose_figure(exact *e);
int exact_print_figure(const exact *e);
int exact_write_figure(const exact *e);

#endif
