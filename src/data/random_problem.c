/* Random problems: spin glasses, and the texts that random patterns are asked for with. */
#include "data/problem.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/try.h"
#include <errno.h>
#include <math.h>
#include <spinney/random.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MOST_PATTERNS = 1e12;

/* A field up to a comma or the end, copied; returns what is behind it, NULL where it is too long.
 */
static const char *take_field(char *out, size_t size, const char *text)
{
    const size_t length = strcspn(text, ",");
    if (length >= size)
        return NULL;
    memcpy(out, text, length);
    out[length] = 0;
    return text + length + (text[length] == ',');
}

/* P: a whole number, or, where it has a point, that many times N, rounded. */
static bool parse_patterns(size_t *out, const char *text, uint64_t sites)
{
    uint64_t whole;
    double share;
    if (!strchr(text, '.')) {
        *out = spn_whole_parse(&whole, text) && (double)whole <= MOST_PATTERNS ? (size_t)whole : 0;
    } else {
        share = spn_number_parse(&share, text) ? floor(share * (double)sites + 0.5) : 0;
        *out = share >= 1 && share <= MOST_PATTERNS ? (size_t)share : 0;
    }
    return *out > 0;
}

/* N,P or N,P,SEED. */
static bool parse_random(spn_random_text *out, const char *text)
{
    char field[3][64] = {"", "", ""};
    const size_t commas =
        (size_t)(strchr(text, ',') != NULL) + (strrchr(text, ',') != strchr(text, ','));
    const char *rest = text;
    uint64_t sites;
    for (size_t k = 0; k <= commas && rest; k++)
        rest = take_field(field[k], sizeof field[k], rest);
    out->seeded = commas == 2;
    if (!rest || *rest || commas == 0 || !spn_whole_parse(&sites, field[0]) || sites == 0 ||
        sites > UINT32_MAX || (out->seeded && !spn_whole_parse(&out->seed, field[2])))
        return false;
    out->sites = (size_t)sites;
    return parse_patterns(&out->count, field[1], sites);
}

static spn_status parse_text(spn_random_text *out, const char *text, spn_error *err)
{
    *out = (spn_random_text){0};
    if (parse_random(out, text))
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_ARGUMENT,
                    "'%s' is not N,P or N,P,SEED with N and P at least 1, such as 1001,300 or "
                    "1001,0.3,1",
                    text);
}

spn_status spn_random_text_parse_sized(spn_random_text *out, size_t size, const char *text,
                                       spn_error *err)
{
    spn_random_text own;
    const spn_status status = parse_text(&own, text, err);
    if (!status)
        spn_sized_give(out, size, &own, sizeof own);
    return status;
}

spn_status spn_problem_random_lattice(spn_problem **out, size_t width, size_t height, uint64_t seed,
                                      spn_error *err)
{
    *out = NULL;
    if (width < 3 || height < 3 || width > 16384 || height > 16384)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a lattice has sides of 3 to 16384, not %zu x %zu",
                        width, height);
    spn_problem *problem = spn_problem_alloc(SPN_PROBLEM_COUPLINGS);
    if (!problem || !(problem->edges = spn_alloc(2 * width * height, sizeof *problem->edges))) {
        spn_problem_free(problem);
        return spn_no_memory(err, "a lattice of %zu x %zu", width, height);
    }
    problem->sites = width * height;
    spn_random random = spn_random_make(seed, 0, SPN_STREAM_COUPLINGS, SPN_PURPOSE_INSTANCE);
    for (size_t r = 0; r < height; r++)
        for (size_t c = 0; c < width; c++) {
            uint32_t coin = spn_random_u32(&random);
            uint32_t here = (uint32_t)(r * width + c);
            uint32_t right = (uint32_t)(r * width + (c + 1) % width);
            uint32_t below = (uint32_t)((r + 1) % height * width + c);
            problem->edges[problem->count++] = (spn_edge){here, right, coin & 1 ? 1 : -1};
            problem->edges[problem->count++] = (spn_edge){here, below, coin & 2 ? 1 : -1};
        }
    *out = problem;
    return SPN_OK;
}
