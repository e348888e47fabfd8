/* The tables of the specification. */
#include "sweep/description.h"

#include <stdlib.h>

static const char *const spacings[] = {"linear", "log", NULL};
static const char *const bests[] = {
    [SPN_BEST_NONE] = "none", [SPN_BEST_LOWEST] = "lowest", [SPN_BEST_HIGHEST] = "highest", NULL};
static const char *const intervals[] = {"bars", "bands", NULL};
static const char *const directions[] = {"x", "y", NULL};
static const char *const kept[] = {"models", "traces", "replicas", NULL};

/* Flags that stand in a struct one behind the other, in the order of their words. */
_Static_assert(offsetof(spn_sweep_figure, log_y) == offsetof(spn_sweep_figure, log_x) + 1, "log");
_Static_assert(offsetof(spn_keep, traces) == offsetof(spn_keep, models) + 1 &&
                   offsetof(spn_keep, replicas) == offsetof(spn_keep, models) + 2,
               "keep");

static const char *kind_word(size_t i)
{
    const spn_figure_kind *kind = spn_figure_kind_at(i);
    return kind ? kind->name : NULL;
}

#define AT(structure, member) .at = offsetof(structure, member)
#define COUNTED(structure, member, count)                                                          \
    AT(structure, member), .count_at = offsetof(structure, count)

const spn_member spn_axis_members[] = {
    {.name = "setting",
     .kind = SPN_MEMBER_TEXT,
     .flags = SPN_MEMBER_NEEDED,
     AT(spn_axis, setting),
     .help = "which setting varies"},
    {.name = "values",
     .kind = SPN_MEMBER_TEXTS,
     COUNTED(spn_axis, values, count),
     .help = "a list of its values; or a range, of count values from .. to"},
    {.name = "from",
     .kind = SPN_MEMBER_REAL,
     .flags = SPN_MEMBER_APART,
     AT(spn_axis_range, from),
     .help = "the first value of a range"},
    {.name = "to",
     .kind = SPN_MEMBER_REAL,
     .flags = SPN_MEMBER_APART,
     AT(spn_axis_range, to),
     .help = "its last value"},
    {.name = "count",
     .kind = SPN_MEMBER_WHOLE,
     .flags = SPN_MEMBER_APART,
     AT(spn_axis_range, count),
     .least = 1,
     .most = UINT64_MAX,
     .help = "how many values, both ends among them"},
    {.name = "spacing",
     .kind = SPN_MEMBER_WORD,
     .flags = SPN_MEMBER_APART,
     AT(spn_axis_range, spacing),
     .words = spacings,
     .help = "linear or log"},
    {0}};

#define FIGURE_TEXT(key, member, needed, text)                                                     \
    {                                                                                              \
        .name = (key), .kind = SPN_MEMBER_TEXT, .flags = (needed), AT(spn_sweep_figure, member),   \
        .help = (text)                                                                             \
    }

const spn_member spn_figure_members[] = {
    {.name = "name",
     .kind = SPN_MEMBER_NAME,
     .flags = SPN_MEMBER_NEEDED,
     AT(spn_sweep_figure, name),
     .help = "of its files"},
    FIGURE_TEXT("title", title, 0, "of the figure"),
    FIGURE_TEXT("value", value, SPN_MEMBER_NEEDED, "a result, or a column such as flips.accuracy"),
    FIGURE_TEXT("also", also, 0, "a second result, in brackets in tables"),
    FIGURE_TEXT("x", x, SPN_MEMBER_NEEDED, "an axis, or another column of the value's curve"),
    FIGURE_TEXT("by", by, 0, "what tells curves, or the rows of a table, apart"),
    {.name = "as",
     .kind = SPN_MEMBER_FLAGS,
     AT(spn_sweep_figure, as),
     .word = kind_word,
     .help = "a list of what it is drawn as"},
    {.name = "intervals",
     .kind = SPN_MEMBER_FLAG,
     AT(spn_sweep_figure, bands),
     .words = intervals,
     .help = "bars or bands"},
    {.name = "log",
     .kind = SPN_MEMBER_FLAGS,
     AT(spn_sweep_figure, log_x),
     .words = directions,
     .help = "a list of x, y: logarithmic axes"},
    {.name = "best",
     .kind = SPN_MEMBER_WORD,
     AT(spn_sweep_figure, best),
     .words = bests,
     .help = "none, lowest or highest: printed bold in tables"},
    {.name = "where",
     .kind = SPN_MEMBER_TEXTS,
     COUNTED(spn_sweep_figure, where, where_count),
     .help = "a list of conditions, such as gamma<=3.2: only runs for which all hold"},
    {.name = "fit",
     .kind = SPN_MEMBER_FLAG,
     AT(spn_sweep_figure, fit),
     .help = "true: an exponential through each curve, and its slope"},
    FIGURE_TEXT("guide", guide, 0, "what the slope of the fit should be: minus this result"),
    FIGURE_TEXT("reference", reference, 0, "a CSV file to compare with"),
    FIGURE_TEXT("reference-name", reference_name, 0, "what that is called, such as paper"),
    FIGURE_TEXT("x-label", x_label, 0, "of the x axis"),
    FIGURE_TEXT("label", label, 0, "of the value"),
    FIGURE_TEXT("by-label", by_label, 0, "of what `by` names"),
    {0}};

static const spn_member file_members[] = {
    {.name = "setting",
     .kind = SPN_MEMBER_TEXT,
     .flags = SPN_MEMBER_NEEDED,
     AT(spn_input_sum, setting)},
    {.name = "name", .kind = SPN_MEMBER_TEXT, .flags = SPN_MEMBER_NEEDED, AT(spn_input_sum, name)},
    {.name = "checksum",
     .kind = SPN_MEMBER_SUM,
     .flags = SPN_MEMBER_NEEDED,
     AT(spn_input_sum, checksum)},
    {0}};

const spn_member spn_sweep_members[] = {
    {.name = "name",
     .kind = SPN_MEMBER_NAME,
     .flags = SPN_MEMBER_NEEDED,
     AT(spn_sweep, name),
     .help = "of the folder"},
    {.name = "title", .kind = SPN_MEMBER_TEXT, AT(spn_sweep, title), .help = "of its report"},
    {.name = "about", .kind = SPN_MEMBER_TEXT, AT(spn_sweep, about), .help = "a paragraph"},
    {.name = "task",
     .kind = SPN_MEMBER_TEXT,
     .flags = SPN_MEMBER_NEEDED,
     AT(spn_sweep, task),
     .help = "what every run does"},
    {.name = "version",
     .kind = SPN_MEMBER_TEXT,
     .flags = SPN_MEMBER_NEEDED | SPN_MEMBER_STORED,
     AT(spn_sweep, version),
     .help = "of the program that made the folder"},
    {.name = "instructions",
     .kind = SPN_MEMBER_TEXT,
     .flags = SPN_MEMBER_STORED,
     AT(spn_sweep, instructions),
     .help = "the instruction set that it used"},
    {.name = "seed",
     .kind = SPN_MEMBER_WHOLE,
     AT(spn_sweep, seed),
     .most = INT64_MAX,
     .fallback = "1",
     .help = "of the whole sweep"},
    {.name = "runs",
     .kind = SPN_MEMBER_WHOLE,
     AT(spn_sweep, runs),
     .least = 1,
     .most = UINT32_MAX,
     .fallback = "1",
     .help = "of every point"},
    {.name = "settings",
     .kind = SPN_MEMBER_FIELDS,
     COUNTED(spn_sweep, fixed, fixed_count),
     .help = "what all runs share"},
    {.name = "defaults",
     .kind = SPN_MEMBER_FIELDS,
     .flags = SPN_MEMBER_STORED,
     COUNTED(spn_sweep, defaults, default_count),
     .help = "not given, and so by default"},
    {.name = "grid",
     .kind = SPN_MEMBER_LIST,
     COUNTED(spn_sweep, axes, axis_count),
     .size = sizeof(spn_axis),
     .members = spn_axis_members,
     .help = "the axes, whose product the points are; the last varies fastest"},
    {.name = "files",
     .kind = SPN_MEMBER_LIST,
     .flags = SPN_MEMBER_STORED,
     COUNTED(spn_sweep, files, file_count),
     .size = sizeof(spn_input_sum),
     .members = file_members,
     .help = "checksums (XXH3) of what was read"},
    {.name = "keep",
     .kind = SPN_MEMBER_FLAGS,
     AT(spn_sweep, keep),
     .words = kept,
     .help = "a list of what is kept of every run besides its results"},
    {.name = "figures",
     .kind = SPN_MEMBER_LIST,
     COUNTED(spn_sweep, figures, figure_count),
     .size = sizeof(spn_sweep_figure),
     .members = spn_figure_members,
     .help = "what the report shows"},
    {0}};

void spn_sweep_free(spn_sweep *sweep)
{
    if (sweep)
        spn_members_clear(sweep, spn_sweep_members);
    free(sweep);
}

size_t spn_sweep_jobs(const spn_sweep *sweep)
{
    size_t jobs = sweep->runs;
    for (size_t k = 0; k < sweep->axis_count; k++)
        if (__builtin_mul_overflow(jobs, sweep->axes[k].count, &jobs))
            return SIZE_MAX;
    return jobs;
}
