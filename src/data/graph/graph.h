/* What the readers of couplings and of cut graphs share: one reader per format, which hands its
   entries to a graph that is being read. */
#ifndef SPN_DATA_GRAPH_GRAPH_H
#define SPN_DATA_GRAPH_GRAPH_H

#include "data/problem.h"

/* A header or an index says how many spins there are; a typo must not ask for terabytes, nor a
   file of a few bytes for gigabytes: beyond SPN_GRAPH_FREE_SITES there are at most as many spins as
   the file has bytes. */
enum { SPN_GRAPH_MOST_SITES = 1 << 28, SPN_GRAPH_FREE_SITES = 1 << 20 };

typedef struct spn_graph {
    spn_problem *problem; /* what is filled */
    spn_walk *walk;
    size_t capacity; /* of its edges */
    char comment;    /* starts a comment in this format, beside # */
    bool has_offset; /* a comment has given one */
} spn_graph;

typedef spn_status spn_graph_reader(spn_graph *graph, spn_error *err);
spn_graph_reader spn_read_rudy, spn_read_qbsolv, spn_read_coo, spn_read_matrix_market,
    spn_read_dense;

/* The format of a file, from its content or, if that is not clear, from its name; an empty one
   has the format that is most common for the kind. O(comments at its start). */
spn_graph_format spn_graph_recognise(const spn_source *source, spn_problem_kind kind);

/* The next line that is no comment; false at the end, and after an error. Comments may hold the
   offset and the kind of the variables. */
bool spn_graph_line(spn_graph *graph, spn_status *status, spn_error *err);

/* The next token of the line, ended by a blank, a comma or a semicolon; false at the line's end. */
bool spn_graph_token(spn_span *out, spn_graph *graph);

/* A whole number from 0 to 2^32-1, digits only; the next token as one; as a finite number. */
bool spn_whole_read(uint32_t *out, spn_span token);
bool spn_graph_whole(uint32_t *out, spn_graph *graph);
bool spn_graph_real(double *out, spn_graph *graph);

/* The number that fills a span. A number too small for a double becomes the least that is not 0,
   which spn_graph_check_weight refuses. */
spn_number spn_graph_number(double *out, spn_span span);

/* Errors: INPUT if a weight is neither 0 nor at least SPN_LEAST_WEIGHT in size. */
spn_status spn_graph_check_weight(const spn_graph *graph, double weight, spn_error *err);

/* Add an entry, indices from 0; of a cut graph: no loop; the weight is checked. shown: what errors
   call the first index, 0 or 1. */
spn_status spn_graph_add(spn_graph *graph, uint32_t i, uint32_t j, double weight, unsigned shown,
                         spn_error *err);

/* How many spins the file may have. */
size_t spn_graph_most_sites(const spn_graph *graph);

/* The number of spins that a header says: 1 to spn_graph_most_sites. */
spn_status spn_graph_set_sites(spn_graph *graph, uint32_t sites, spn_error *err);

static inline bool spn_graph_is_cut(const spn_graph *graph)
{
    return graph->problem->kind == SPN_PROBLEM_CUT;
}

/* ---- matrices ---- */

/* Merge the entries of a matrix to one for each pair: A_ij + A_ji, or for a cut graph A_ij, which
   must equal A_ji. O(N + entries). */
spn_status spn_graph_merge(spn_graph *graph, spn_error *err);

/* The same for a whole matrix, row after row, without zeros. O(N^2). */
spn_status spn_graph_add_matrix(spn_graph *graph, const double *matrix, spn_error *err);

/* For a cut graph: whether entry (i, j), just read, equals (j, i), and is 0 if i = j. */
spn_status spn_graph_check_entry(const spn_graph *graph, const double *matrix, size_t i, size_t j,
                                 spn_error *err);

/* ---- names ---- */

typedef struct spn_name_map spn_name_map;

/* Numbers for names, 0, 1, ... as they come. NULL when memory cannot be had; free accepts NULL. */
spn_name_map *spn_name_map_create(void);
void spn_name_map_free(spn_name_map *map);

/* The number of a name, which is added if it is new; *added says so. Errors: INPUT (empty,
   not UTF-8, control characters, too many), MEMORY. */
spn_status spn_name_map_put(uint32_t *out, bool *added, spn_name_map *map, spn_span name,
                            const spn_walk *walk, spn_error *err);

/* Hand the names over to a problem of as many spins; the map is empty then. */
void spn_name_map_give(spn_problem *problem, spn_name_map *map);

const char *spn_name_map_at(const spn_name_map *map, size_t i);
size_t spn_name_map_count(const spn_name_map *map);

#endif
