/* Problems: the data an energy is made of, read from text files (plain or gzipped) or drawn at
   random. Readers are strict: an error names the file, the line and what was expected. */
#ifndef SPINNEY_PROBLEMS_H
#define SPINNEY_PROBLEMS_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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
   more than once add up. In the two that hold a matrix A each pair has the coupling A_ij + A_ji, so
   that the energy is that of x^T A x (of spins: s^T A s, with the diagonal as fields); a cut
   graph's matrix is symmetric with zeros on its diagonal, and the weight of an edge is A_ij. */
typedef enum spn_graph_format {
    SPN_GRAPH_AUTO,          /* recognised by the content, else by the name */
    SPN_GRAPH_RUDY,          /* Gset: `n m`, then m lines `i j w`, or all `i j`; from 1 */
    SPN_GRAPH_QBSOLV,        /* `p qubo 0 n nodes couplers`, then `i i w` and `i j w`; from 0 */
    SPN_GRAPH_COO,           /* `i j value` and `i i value`, from 0; or names instead of numbers */
    SPN_GRAPH_MATRIX_MARKET, /* %%MatrixMarket matrix coordinate or array; from 1 */
    SPN_GRAPH_DENSE          /* n lines of n numbers, maybe with a header of names: CSV, TSV */
} spn_graph_format;

enum { SPN_TABLE_SITES = 40 }; /* most sites of a table */

typedef struct spn_problem spn_problem;

/* What a problem holds. Which arrays are there depends on the kind; the others are NULL. They
   belong to the problem. All O(1). */
SPN_API spn_problem_kind spn_problem_kind_of(const spn_problem *problem);
SPN_API size_t spn_problem_sites(const spn_problem *problem); /* N */
/* patterns, edges, energies or states */
SPN_API size_t spn_problem_count(const spn_problem *problem);
/* patterns and states: row m starts at m * sites */
SPN_API const int8_t *spn_problem_rows(const spn_problem *problem);
/* patterns: +1 or -1 */
SPN_API const int8_t *spn_problem_labels(const spn_problem *problem);
/* patterns of real values: in place of rows, in units of 1/SPN_VALUE_ONE */
enum { SPN_VALUE_ONE = 4096 };
SPN_API const int16_t *spn_problem_values(const spn_problem *problem);
/* random patterns that a teacher puts right: its weights, +1 or -1, N or, of a fully connected
   committee, units * N of them; else NULL */
SPN_API const int8_t *spn_problem_teacher(const spn_problem *problem);
/* couplings and cut graphs */
SPN_API const spn_edge *spn_problem_edges(const spn_problem *problem);
/* table: 2^N */
SPN_API const double *spn_problem_energies(const spn_problem *problem);
/* couplings and cut graphs: a constant that is part of every energy; 0 where none was given */
SPN_API double spn_problem_offset(const spn_problem *problem);
/* The name of spin i, i below N; NULL where the problem has no names. */
SPN_API const char *spn_problem_name(const spn_problem *problem, size_t i);

/* Make a problem of arrays in memory, which are copied; it equals that of a file with the same
   content. out: to be freed with spn_problem_free; NULL on failure.
   rows: count rows of `sites` values, -1 or +1; labels: count of them, -1 or +1.
   edges: count of them with i and j below sites. Couplings: i = j is a field on that site. A cut
   graph: i and j differ. Weights are finite.
   energies: 2^sites, finite; sites 1 to SPN_TABLE_SITES.
   Errors: ARGUMENT, naming the first entry that is wrong; MEMORY. Linear in what is given. */
SPN_API spn_status spn_problem_patterns_create(spn_problem **out, size_t sites, size_t count,
                                               const int8_t *rows, const int8_t *labels,
                                               spn_error *err);
SPN_API spn_status spn_problem_states_create(spn_problem **out, size_t sites, size_t count,
                                             const int8_t *rows, spn_error *err);
SPN_API spn_status spn_problem_couplings_create(spn_problem **out, size_t sites, size_t count,
                                                const spn_edge *edges, spn_error *err);
SPN_API spn_status spn_problem_cut_create(spn_problem **out, size_t sites, size_t count,
                                          const spn_edge *edges, spn_error *err);
SPN_API spn_status spn_problem_table_create(spn_problem **out, size_t sites, const double *energies,
                                            spn_error *err);

/* The same of arrays that are not copied: entries, which are rows, edges or energies as the kind
   says, and labels, of patterns alone, else NULL. They belong to the caller, and stay as they are
   as long as the problem lives. count of a table: 2^sites. */
SPN_API spn_status spn_problem_borrow(spn_problem **out, spn_problem_kind kind, size_t sites,
                                      size_t count, const void *entries, const int8_t *labels,
                                      spn_error *err);

/* Give the energies of couplings or of a cut graph a constant offset, and the spins names: N texts,
   not empty, which are copied. Errors: ARGUMENT, MEMORY; the problem is as before then. */
SPN_API spn_status spn_problem_set_offset(spn_problem *problem, double offset, spn_error *err);
SPN_API spn_status spn_problem_set_names(spn_problem *problem, const char *const *names,
                                         spn_error *err);

/* Read a problem of a kind from a file, of couplings and cut graphs in whichever format it is.
   Errors: IO, INPUT, MEMORY. Linear in the file. */
SPN_API spn_status spn_problem_read(spn_problem **out, spn_problem_kind kind, const char *path,
                                    spn_error *err);

/* How to read one. Start from spn_problem_options_defaults(). */
typedef struct spn_problem_options {
    size_t size;             /* of this struct */
    spn_graph_format format; /* of couplings and cut graphs */
    double offset;           /* of those: added to the offset of the file */
    size_t max_bytes;        /* the most that is read, decompressed; 0: 16 GiB */
} spn_problem_options;

static inline spn_problem_options spn_problem_options_defaults(void)
{
    spn_problem_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    return options;
}

/* The same with options; NULL for the defaults. Errors: also ARGUMENT. */
SPN_API spn_status spn_problem_read_as(spn_problem **out, spn_problem_kind kind, const char *path,
                                       const spn_problem_options *options, spn_error *err);

/* Random patterns: count patterns of `sites` fair +-1 values. Labels are fair coins, or, with
   `teacher`, those that a random +-1 weight vector gives (so that a solution exists; ties, possible
   for an even number of sites, go to +1). The same seed gives the same problem everywhere. */
SPN_API spn_status spn_problem_random_patterns(spn_problem **out, size_t sites, size_t count,
                                               uint64_t seed, bool teacher, spn_error *err);

/* What is planted in random patterns: a random +-1 weight vector, the teacher, that puts all of
   them right. Patterns that it cannot put right are drawn again. */
typedef enum spn_planting {
    SPN_PLANTING_NONE,  /* nothing; labels are fair coins */
    SPN_PLANTING_ABOVE, /* labels are the teacher's, and x/sqrt(N) > kappa where kappa > 0 */
    SPN_PLANTING_WITHIN /* |x|/sqrt(N) <= kappa; labels are fair coins, and do not matter */
} spn_planting;

/* The random patterns to draw. Start from spn_random_patterns_defaults(). */
typedef struct spn_random_patterns {
    size_t size; /* of this struct */
    size_t sites, count;
    uint64_t seed;
    spn_planting planting;
    double kappa;  /* of the planting */
    bool gaussian; /* standard Gaussian values, rounded to multiples of 1/SPN_VALUE_ONE so that
                      sums of them are exact, in place of +-1; at most 65536 sites */
    /* The teacher is a committee (<spinney/energies.h>) of so many hidden units, odd; 0 or 1: a
       perceptron. In a tree units divides sites. Not with a kappa, WITHIN or Gaussians. */
    size_t units;
    bool tree;
} spn_random_patterns;

static inline spn_random_patterns spn_random_patterns_defaults(void)
{
    spn_random_patterns options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    return options;
}

/* Draw them. Without kappa and gaussian they are those of spn_problem_random_patterns. Errors:
   ARGUMENT, also where hardly any pattern meets the planting; MEMORY. Linear in sites * count,
   times the draws that a pattern needs. */
SPN_API spn_status spn_problem_random_patterns_as(spn_problem **out,
                                                  const spn_random_patterns *options,
                                                  spn_error *err);

/* Random patterns as a text says: N,P or N,P,SEED for P patterns of N values, or, where P has a
   point, that many times N, rounded; 1001,300,1 and 1001,0.3,1. Errors: ARGUMENT. */
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

/* The name of a kind ("patterns", "couplings", "cut", "table", "states"), NULL past the last, and
   back. Errors: ARGUMENT, with the nearest name. */
SPN_NAMES(spn_problem_kind)

/* The name of a format ("auto", "rudy", "qbsolv", "coo", "matrix-market", "dense"), NULL past the
   last, and back. Errors: ARGUMENT, with the nearest name. */
SPN_NAMES(spn_graph_format)

/* What options and settings call the file of a kind: patterns, graph, table or minima. */
SPN_API const char *spn_problem_file_name(spn_problem_kind kind);

/* Accepts NULL. */
SPN_API void spn_problem_free(spn_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
