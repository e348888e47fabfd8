/* The file of a sweep, sweep.json. */
#ifndef SPN_SWEEP_SWEEP_FILE_H
#define SPN_SWEEP_SWEEP_FILE_H

#include <jansson.h>
#include <spinney/lab/records.h>
#include <stdbool.h>

/* The format of the whole folder: of sweep.json and of the lines of the manifests. It grows
   whenever a program that knows the format before would misread what is written now. */
enum { SPN_SWEEP_FORMAT = 3 };

/* Read the text of a sweep.json; name: how errors call it. */
spn_status spn_sweep_from_text(spn_sweep **out, const char *text, size_t size, const char *name,
                               spn_error *err);

/* The object that is written, with its checksum; NULL after an error. Errors: ARGUMENT (a text is
   not UTF-8, the seed is too large), MEMORY. */
json_t *spn_sweep_json(const spn_sweep *sweep, spn_error *err);

/* Put the checksum of an object's content into it, in place of one that it has; false without
   memory. */
bool spn_sweep_seal(json_t *root);

/* Make an object of format 1 one of format 2: what was under measure become settings, flags become
   lists of words. What is not as format 1 has it stays, to be refused by the reader. */
spn_status spn_sweep_convert_first(json_t *root, spn_error *err);

/* Make an object of format 2 one of format 3: what figures of `anneal` call solved, the share of
   the replicas without an error at the end, is solved_share, since solved is now of the run. The
   lines of records are read so, too. */
spn_status spn_sweep_convert_second(json_t *root, spn_error *err);

#endif
