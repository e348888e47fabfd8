/* Shared by the readers of couplings and cut graphs. Each format has a reader, which adds its
   entries to a graph. */
#ifndef SPN_DATA_GRAPH_GRAPH_H
#define SPN_DATA_GRAPH_GRAPH_H

#include "data/problem.h"

/* A header or an index gives the number of spins. A typo must not ask for terabytes, nor a few
   bytes for gigabytes: beyond SPN_GRAPH_FREE_SITES there are at most as many spins as the file has
   bytes. */
enum { SPN_GRAPH_MOST_SITES = 1 << 28, SPN_GRAPH_FREE_SITES = 1 << 20 };

spn_problem_reader spn_read_rudy, spn_read_qbsolv, spn_read_coo, spn_read_matrix_market,
    spn_read_dense;

/* The format by the content of a file or, if unclear, by its name; an empty file has the most
   common format of its kind. O(comments at its start). */
spn_graph_format spn_graph_recognise(const spn_source *source, spn_problem_kind kind);

/* Whether the current line is a comment; if so, take the offset and the kind of variables from
   it. */
bool spn_graph_comment(spn_walk *walk, spn_status *status, spn_error *err);

/* Go to the next line. Errors: INPUT with this text if there is none. */
spn_status spn_graph_need_line(spn_walk *walk, const char *otherwise, spn_error *err);

/* A whole number from 0 to 2^32-1, digits only; the next token as one, or as a finite number. */
bool spn_whole_read(uint32_t *out, spn_span token);
bool spn_graph_whole(uint32_t *out, spn_walk *walk);
bool spn_graph_real(double *out, spn_walk *walk);

/* The number that fills a span. A number too small for a double becomes the least above 0, which
   spn_graph_check_weight refuses. */
spn_number spn_graph_number(double *out, spn_span span);

/* Errors: INPUT if a weight is neither 0 nor at least SPN_LEAST_WEIGHT in size. */
spn_status spn_graph_check_weight(const spn_walk *walk, double weight, spn_error *err);

/* Add an entry, indices from 0, and check its weight; a cut graph has no loops. shown: the first
   index in errors, 0 or 1. */
spn_status spn_graph_add(spn_walk *walk, uint32_t i, uint32_t j, double weight, unsigned shown,
                         spn_error *err);

/* Most spins that the file may have. */
size_t spn_graph_most_sites(const spn_walk *walk);

/* Number of spins from a header: 1 to spn_graph_most_sites. */
spn_status spn_graph_set_sites(spn_walk *walk, uint32_t sites, spn_error *err);

static inline bool spn_graph_is_cut(const spn_walk *walk)
{
    return walk->problem->kind == SPN_PROBLEM_CUT;
}

/* Merge the entries of a matrix into one per pair: A_ij + A_ji, or for a cut graph A_ij, which
   must equal A_ji. O(N + entries). */
spn_status spn_graph_merge(spn_walk *walk, spn_error *err);

/* The same for a whole matrix by rows, without zeros. O(N^2). */
spn_status spn_graph_add_matrix(spn_walk *walk, const double *matrix, spn_error *err);

/* For a cut graph: check that entry (i, j), just read, equals (j, i), and is 0 if i = j. */
spn_status spn_graph_check_entry(const spn_walk *walk, const double *matrix, size_t i, size_t j,
                                 spn_error *err);

/* Number of a name, 0, 1, ... in order; a new name is added to walk->names. Errors: INPUT (empty,
   not UTF-8, control characters, too many), MEMORY. */
spn_status spn_graph_name(uint32_t *out, spn_walk *walk, spn_span name, spn_error *err);

#endif
