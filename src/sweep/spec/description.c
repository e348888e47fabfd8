/* Tables of the members of a specification. */
#include "sweep/spec/spec.h"

#include <stdlib.h>

static const char *const spacings[] = {"linear", "log", NULL};
static const char *const bests[] = {
    [SPN_BEST_NONE] = "none", [SPN_BEST_LOWEST] = "lowest", [SPN_BEST_HIGHEST] = "highest", NULL};
static const char *const intervals[] = {"bars", "bands", NULL};
static const char *const ways[] = {
    [SPN_TTS_NONE] = "none", [SPN_TTS_LENGTHS] = "lengths", [SPN_TTS_RESTARTS] = "restarts", NULL};
static const char *const trends[] = {"power", "exponential", NULL};
static const char *const directions[] = {"x", "y", NULL};
static const char *const kept[] = {"models", "traces", "replicas", NULL};

/* These flags are adjacent, in the order of their words. */
_Static_assert(offsetof(spn_sweep_figure, log_y) == offsetof(spn_sweep_figure, log_x) + 1, "log");
_Static_assert(offsetof(spn_keep, traces) == offsetof(spn_keep, models) + 1 &&
                   offsetof(spn_keep, replicas) == offsetof(spn_keep, models) + 2,
               "keep");

static const char *kind_word(size_t i)
{
    const spn_figure_kind *kind = spn_figure_kind_at(i);
    return kind ? kind->name : NULL;
}

#define SINGLE(key, type, structure, member, more, text)                                           \
    {                                                                                              \
        .name = (key), .kind = SPN_MEMBER_##type, .at = offsetof(structure, member),               \
        .flags = (more), .help = (text)                                                            \
    }
#define WORDS(key, type, structure, member, more, list, text)                                      \
    {                                                                                              \
        .name = (key), .kind = SPN_MEMBER_##type, .at = offsetof(structure, member),               \
        .flags = (more), .words = (list), .help = (text)                                           \
    }
#define WHOLE(key, structure, member, more, from, to, otherwise, text)                             \
    {                                                                                              \
        .name = (key), .kind = SPN_MEMBER_WHOLE, .at = offsetof(structure, member),                \
        .flags = (more), .least = (from), .most = (to), .fallback = (otherwise), .help = (text)    \
    }
#define SEVERAL(key, type, structure, member, count, more, text)                                   \
    {                                                                                              \
        .name = (key), .kind = SPN_MEMBER_##type, .at = offsetof(structure, member),               \
        .count_at = offsetof(structure, count), .flags = (more), .help = (text)                    \
    }
#define STRUCTS(key, structure, member, count, more, table, element, text)                         \
    {                                                                                              \
        .name = (key), .kind = SPN_MEMBER_LIST, .at = offsetof(structure, member),                 \
        .count_at = offsetof(structure, count), .flags = (more), .members = (table),               \
        .size = sizeof(element), .help = (text)                                                    \
    }
enum { NEEDED = SPN_MEMBER_NEEDED, STORED = SPN_MEMBER_STORED, APART = SPN_MEMBER_APART };

static const spn_member case_members[] = {
    SINGLE("name", TEXT, spn_case, name, NEEDED, "of the case"),
    SEVERAL("settings", FIELDS, spn_case, settings, count, 0, "what it stands for"),
    {0}};

const spn_member spn_axis_members[] = {
    SINGLE("setting", TEXT, spn_axis, setting, NEEDED, "which setting varies"),
    SEVERAL("values", TEXTS, spn_axis, values, count, 0, "its values; or a range of them:"),
    STRUCTS("cases", spn_axis, cases, case_count, 0, case_members, spn_case,
            "names, each for several settings; values are some of them"),
    SINGLE("from", REAL, spn_axis_range, from, APART, "the first"),
    SINGLE("to", REAL, spn_axis_range, to, APART, "the last"),
    WHOLE("count", spn_axis_range, count, APART, 1, UINT64_MAX, NULL, "how many, with both ends"),
    WORDS("spacing", WORD, spn_axis_range, spacing, APART, spacings, "linear or log"),
    {0}};

const spn_member spn_figure_members[] = {
    SINGLE("name", NAME, spn_sweep_figure, name, NEEDED, "of its files"),
    SINGLE("title", TEXT, spn_sweep_figure, title, 0, "of the figure"),
    SINGLE("value", TEXT, spn_sweep_figure, value, NEEDED, "results, or columns of a curve"),
    SINGLE("also", TEXT, spn_sweep_figure, also, 0, "a result, in brackets in tables"),
    SINGLE("x", TEXT, spn_sweep_figure, x, 0,
           "an axis, a result, or a column of the value's curve"),
    SINGLE("by", TEXT, spn_sweep_figure, by, 0, "the same: what tells curves or rows apart"),
    {.name = "as",
     .kind = SPN_MEMBER_FLAGS,
     .at = offsetof(spn_sweep_figure, as),
     .word = kind_word,
     .help = "a list of what it is drawn as"},
    WORDS("intervals", FLAG, spn_sweep_figure, bands, 0, intervals, "how they are drawn"),
    WORDS("log", FLAGS, spn_sweep_figure, log_x, 0, directions, "which axes are logarithmic"),
    SINGLE("fit", FLAG, spn_sweep_figure, fit, 0, "an exponential through each curve"),
    WORDS("trend", FLAGS, spn_sweep_figure, trends, 0, trends, "which are fitted to each curve"),
    WORDS("tts", WORD, spn_sweep_figure, tts, 0, ways, "the time to solution, minimised so"),
    SINGLE("over", TEXT, spn_sweep_figure, over, 0, "the settings that are the length of a run"),
    SINGLE("each", TEXT, spn_sweep_figure, each, 0, "what tells instances apart"),
    SINGLE("guide", TEXT, spn_sweep_figure, guide, 0, "a result, drawn as a line"),
    WORDS("best", WORD, spn_sweep_figure, best, 0, bests, "what is printed bold in tables"),
    SEVERAL("where", TEXTS, spn_sweep_figure, where, where_count, 0, "conditions on its runs"),
    SINGLE("reference", TEXT, spn_sweep_figure, reference, 0, "a CSV file to compare with"),
    SINGLE("reference-name", TEXT, spn_sweep_figure, reference_name, 0, "what that is called"),
    SINGLE("x-label", TEXT, spn_sweep_figure, x_label, 0, "of the x axis"),
    SINGLE("label", TEXT, spn_sweep_figure, label, 0, "of the value"),
    SINGLE("by-label", TEXT, spn_sweep_figure, by_label, 0, "of what `by` names"),
    {0}};

static const spn_member file_members[] = {
    SINGLE("setting", TEXT, spn_input_sum, setting, NEEDED, "that names it"),
    SINGLE("name", TEXT, spn_input_sum, name, NEEDED, "of a file or data set"),
    SINGLE("checksum", SUM, spn_input_sum, checksum, NEEDED, "of its content"),
    {0}};

static const spn_member joined_members[] = {
    SINGLE("folder", TEXT, spn_joined, folder, NEEDED, "of a sweep's records"),
    SINGLE("name", TEXT, spn_joined, name, 0, "the case of its runs that have none"),
    {0}};

const spn_member spn_joint_members[] = {
    SINGLE("name", NAME, spn_sweep, name, NEEDED, "of the report"),
    SINGLE("title", TEXT, spn_sweep, title, 0, "of the report"),
    SINGLE("about", TEXT, spn_sweep, about, 0, "a paragraph"),
    STRUCTS("join", spn_sweep, joined, joined_count, NEEDED, joined_members, spn_joined,
            "the folders whose runs are shown"),
    STRUCTS("figures", spn_sweep, figures, figure_count, NEEDED, spn_figure_members,
            spn_sweep_figure, "what the report shows"),
    {0}};

const spn_member spn_sweep_members[] = {
    SINGLE("name", NAME, spn_sweep, name, NEEDED, "of the folder"),
    SINGLE("title", TEXT, spn_sweep, title, 0, "of its report"),
    SINGLE("about", TEXT, spn_sweep, about, 0, "a paragraph"),
    SINGLE("task", TEXT, spn_sweep, task, NEEDED, "what every run does"),
    SINGLE("version", TEXT, spn_sweep, version, NEEDED | STORED, "of what made the folder"),
    SINGLE("instructions", TEXT, spn_sweep, instructions, STORED, "the instruction set it used"),
    WHOLE("seed", spn_sweep, seed, 0, 0, INT64_MAX, "1", "of the whole sweep"),
    WHOLE("runs", spn_sweep, runs, 0, 1, UINT32_MAX, "1", "of every point"),
    SEVERAL("settings", FIELDS, spn_sweep, fixed, fixed_count, 0, "what all runs share"),
    SEVERAL("defaults", FIELDS, spn_sweep, defaults, default_count, STORED,
            "not given, and so by default"),
    STRUCTS("grid", spn_sweep, axes, axis_count, 0, spn_axis_members, spn_axis,
            "the axes, whose product the points are; the last varies fastest"),
    STRUCTS("files", spn_sweep, files, file_count, STORED, file_members, spn_input_sum,
            "checksums (XXH3) of what was read"),
    WORDS("keep", FLAGS, spn_sweep, keep, 0, kept, "of every run, besides its results"),
    STRUCTS("figures", spn_sweep, figures, figure_count, 0, spn_figure_members, spn_sweep_figure,
            "what the report shows"),
    STRUCTS("join", spn_sweep, joined, joined_count, STORED, joined_members, spn_joined,
            "the folders that were joined"),
    {0}};

void spn_sweep_free(spn_sweep *sweep)
{
    if (sweep) {
        spn_plans_free(sweep->plans);
        spn_members_clear(sweep, spn_sweep_members);
    }
    free(sweep);
}

size_t spn_sweep_jobs(const spn_sweep *sweep)
{
    size_t jobs = sweep->runs;
    for (size_t k = 0; k < sweep->joined_count; k++)
        jobs += sweep->joined[k].jobs;
    if (sweep->joined_count > 0)
        return jobs;
    for (size_t k = 0; k < sweep->axis_count; k++)
        if (__builtin_mul_overflow(jobs, sweep->axes[k].count, &jobs))
            return SIZE_MAX;
    return jobs;
}
