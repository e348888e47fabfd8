/* Problems: the data that an energy is made of, from text files (plain or gzipped), from memory, or
   drawn at random. Readers are strict: an error names the file, the line and what was expected. */
#ifndef SPINNEY_PROBLEMS_H
#define SPINNEY_PROBLEMS_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

SPN_BEGIN_C

typedef enum spn_problem_kind {
    SPN_PROBLEM_PATTERNS,  /* patterns of +1 and -1 with labels: CSV, the label last */
    SPN_PROBLEM_COUPLINGS, /* couplings J_ij or Q_ij, and fields where i = j; a graph format */
    SPN_PROBLEM_CUT,       /* a graph with weights and no loops; a graph format */
    SPN_PROBLEM_TABLE,     /* 2^N energies; state k has spin i = +1 iff bit i of k is set */
    SPN_PROBLEM_STATES     /* one state per line, a string of + and -, first spin first */
} spn_problem_kind;

typedef struct spn_edge {
    uint32_t i, j; /* from 0 */
    double weight;
} spn_edge;

/* The formats of couplings and of cut graphs; docs/file-formats.md has examples. Entries listed
   more than once add up. In the two formats that hold a matrix A, a pair has the coupling
   A_ij + A_ji, so the energy is x^T A x (for spins s^T A s, with the diagonal as fields). The
   matrix of a cut graph is symmetric with a zero diagonal, and the weight of an edge is A_ij. */
typedef enum spn_graph_format {
    SPN_GRAPH_AUTO,          /* recognised by the content, or else by the name */
    SPN_GRAPH_RUDY,          /* Gset: `n m`, then m lines `i j w`, or all `i j`; from 1 */
    SPN_GRAPH_QBSOLV,        /* `p qubo 0 n nodes couplers`, then `i i w` and `i j w`; from 0 */
    SPN_GRAPH_COO,           /* `i j value` and `i i value`, from 0; or names instead of numbers */
    SPN_GRAPH_MATRIX_MARKET, /* %%MatrixMarket matrix coordinate or array; from 1 */
    SPN_GRAPH_DENSE          /* n lines of n numbers, with or without a header of names: CSV, TSV */
} spn_graph_format;

enum { SPN_TABLE_SITES = 40 }; /* the most sites of a table */

/* What a file says about its variables. */
typedef enum spn_variables {
    SPN_VARIABLES_ANY, /* nothing */
    SPN_VARIABLES_SPIN,
    SPN_VARIABLES_BINARY
} spn_variables;

enum { SPN_VALUE_ONE = 4096 };

/* A problem. Only the library makes one: read it by its pointer, and never change it. Arrays that a
   kind does not have are NULL; those that are there belong to the problem. */
typedef struct spn_problem {
    spn_problem_kind kind;
    size_t sites;    /* N */
    size_t count;    /* patterns, edges, energies or states */
    int8_t *rows;    /* patterns and states: row m starts at m * sites */
    int16_t *values; /* patterns of real values, in place of rows: in units of 1/SPN_VALUE_ONE */
    int8_t *labels;  /* patterns: +1 or -1 */
    int8_t *teacher; /* random patterns with a teacher: its weights, +1 or -1; N of them, or units *
                        N for a fully connected committee */
    spn_edge *edges; /* couplings and cut graphs */
    double *energies;        /* table: 2^N */
    double offset;           /* couplings and cut graphs: a constant that is part of every energy */
    spn_variables variables; /* couplings and cut graphs */
    char **names;            /* of the spins; NULL if they have none */
    bool borrowed;           /* rows, labels, edges and energies belong to the caller */
} spn_problem;

/* The name of spin i, i below N; NULL if the problem has no names. */
static inline const char *spn_problem_name(const spn_problem *problem, size_t i)
{
    return problem->names ? problem->names[i] : NULL;
}

/* Make a problem from arrays in memory; it equals that of a file with the same content.
   out: free it with spn_problem_free; NULL on failure.
   entries: `count` of them; what they are depends on the kind:
   - patterns and states: int8_t rows of `sites` values, -1 or +1;
   - couplings: spn_edge with i and j below sites and a finite weight; i = j is a field on that
   site;
   - a cut graph: the same with i and j different;
   - a table: 2^sites finite doubles; sites 1 to SPN_TABLE_SITES.
   labels: for patterns, count of them, -1 or +1; otherwise NULL.
   borrow: do not copy the arrays. They stay the caller's, and must not change or go away as long as
   the problem lives.
   Errors: ARGUMENT, naming the first entry that is wrong; MEMORY. Linear in what is given. */
SPN_API spn_status spn_problem_create(spn_problem **out, spn_problem_kind kind, size_t sites,
                                      size_t count, const void *entries, const int8_t *labels,
                                      bool borrow, spn_error *err);

/* The same for each kind, copied. */
static inline spn_status spn_problem_patterns_create(spn_problem **out, size_t sites, size_t count,
                                                     const int8_t *rows, const int8_t *labels,
                                                     spn_error *err)
{
    return spn_problem_create(out, SPN_PROBLEM_PATTERNS, sites, count, rows, labels, false, err);
}
static inline spn_status spn_problem_states_create(spn_problem **out, size_t sites, size_t count,
                                                   const int8_t *rows, spn_error *err)
{
    return spn_problem_create(out, SPN_PROBLEM_STATES, sites, count, rows, NULL, false, err);
}
static inline spn_status spn_problem_couplings_create(spn_problem **out, size_t sites, size_t count,
                                                      const spn_edge *edges, spn_error *err)
{
    return spn_problem_create(out, SPN_PROBLEM_COUPLINGS, sites, count, edges, NULL, false, err);
}
static inline spn_status spn_problem_cut_create(spn_problem **out, size_t sites, size_t count,
                                                const spn_edge *edges, spn_error *err)
{
    return spn_problem_create(out, SPN_PROBLEM_CUT, sites, count, edges, NULL, false, err);
}
static inline spn_status spn_problem_table_create(spn_problem **out, size_t sites,
                                                  const double *energies, spn_error *err)
{
    return spn_problem_create(out, SPN_PROBLEM_TABLE, sites,
                              sites <= SPN_TABLE_SITES ? (size_t)1 << sites : 0, energies, NULL,
                              false, err);
}

/* Give couplings or a cut graph a constant offset; give the spins names: N texts, not empty, which
   are copied. Errors: ARGUMENT, MEMORY; the problem is then as before. */
SPN_API spn_status spn_problem_set_offset(spn_problem *problem, double offset, spn_error *err);
SPN_API spn_status spn_problem_set_names(spn_problem *problem, const char *const *names,
                                         spn_error *err);

/* How to read a problem. Start from spn_problem_options_defaults(). */
typedef struct spn_problem_options {
    size_t size;             /* of this struct */
    spn_graph_format format; /* couplings and cut graphs */
    double offset;           /* couplings and cut graphs: added to the offset of the file */
    size_t max_bytes;        /* the most bytes to read, decompressed; 0: 16 GiB */
} spn_problem_options;

SPN_DEFAULTS(spn_problem_options, spn_problem_options_defaults, )

/* Read a problem of a kind from a file. options: NULL for the defaults. Errors: ARGUMENT, IO,
   INPUT, MEMORY. Linear in the file. */
SPN_API spn_status spn_problem_read_as(spn_problem **out, spn_problem_kind kind, const char *path,
                                       const spn_problem_options *options, spn_error *err);
static inline spn_status spn_problem_read(spn_problem **out, spn_problem_kind kind,
                                          const char *path, spn_error *err)
{
    return spn_problem_read_as(out, kind, path, NULL, err);
}

/* The solution planted in random patterns: a random +-1 weight vector, the teacher, that puts all
   of them right. Patterns that it cannot put right are drawn again. */
typedef enum spn_planting {
    SPN_PLANTING_NONE,  /* nothing; labels are fair coins */
    SPN_PLANTING_ABOVE, /* labels are the teacher's; if kappa > 0, x/sqrt(N) > kappa */
    SPN_PLANTING_WITHIN /* |x|/sqrt(N) <= kappa; labels are fair coins, and do not matter */
} spn_planting;

/* The random patterns to draw. Start from spn_random_patterns_defaults(). */
typedef struct spn_random_patterns {
    size_t size; /* of this struct */
    size_t sites, count;
    uint64_t seed;
    spn_planting planting;
    double kappa;  /* for the planting */
    bool gaussian; /* standard Gaussian values, rounded to multiples of 1/SPN_VALUE_ONE so that
                      sums of them are exact, in place of +-1; at most 65536 sites */
    /* The hidden units of a teacher that is a committee (<spinney/energies.h>), an odd number; 0 or
       1: a perceptron. In a tree, units divides sites. Not with kappa, WITHIN or gaussian. */
    size_t units;
    bool tree;
} spn_random_patterns;

SPN_DEFAULTS(spn_random_patterns, spn_random_patterns_defaults, )

/* Draw random patterns. The same options give the same problem everywhere. Errors: ARGUMENT, also
   if hardly any pattern meets the planting; MEMORY. Linear in sites * count, times the draws that a
   pattern needs. */
SPN_API spn_status spn_problem_random_patterns_as(spn_problem **out,
                                                  const spn_random_patterns *options,
                                                  spn_error *err);

/* `count` patterns of `sites` fair +-1 values. Labels are fair coins or, with `teacher`, those that
   a random +-1 weight vector gives, so that a solution exists; ties, possible if sites is even, go
   to +1. */
static inline spn_status spn_problem_random_patterns(spn_problem **out, size_t sites, size_t count,
                                                     uint64_t seed, bool teacher, spn_error *err)
{
    spn_random_patterns o = spn_random_patterns_defaults();
    o.sites = sites;
    o.count = count;
    o.seed = seed;
    o.planting = teacher ? SPN_PLANTING_ABOVE : SPN_PLANTING_NONE;
    return spn_problem_random_patterns_as(out, &o, err);
}

/* Random patterns as a text: N,P or N,P,SEED for P patterns of N values. If P has a decimal point,
   there are P * N patterns, rounded: 1001,300,1 or 1001,0.3,1. Errors: ARGUMENT. */
typedef struct spn_random_text {
    size_t sites, count;
    bool seeded; /* the text has a seed */
    uint64_t seed;
} spn_random_text;

SPN_API spn_status spn_random_text_parse_sized(spn_random_text *out, size_t size, const char *text,
                                               spn_error *err);
static inline spn_status spn_random_text_parse(spn_random_text *out, const char *text,
                                               spn_error *err)
{
    return spn_random_text_parse_sized(out, sizeof *out, text, err);
}

/* A random +-J spin glass on a width x height torus, each coupling -1 or +1; no fields. Both sides
   at least 3. */
SPN_API spn_status spn_problem_random_lattice(spn_problem **out, size_t width, size_t height,
                                              uint64_t seed, spn_error *err);

SPN_NAMES(spn_problem_kind) /* "patterns", "couplings", "cut", "table", "states" */
SPN_NAMES(spn_graph_format) /* "auto", "rudy", "qbsolv", "coo", "matrix-market", "dense" */

/* The setting that names a file of this kind: patterns, graph, table or minima. */
SPN_API const char *spn_problem_file_name(spn_problem_kind kind);

/* Accepts NULL. */
SPN_API void spn_problem_free(spn_problem *problem);

SPN_END_C
#endif
