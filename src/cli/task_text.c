/* Results of a job for people, by the tables of the task. */
#include "cli/table.h"
#include "cli/task.h"

#include <inttypes.h>
#include <math.h>
#include <spinney/version.h>
#include <stdio.h>
#include <string.h>

static void print_rate(const spn_call *call)
{
    const spn_outcome *o = &call->outcome;
    const double seconds = o->seconds > 0 ? o->seconds : 1e-9;
    if (!call->job.task->chain) {
        printf("%.2f s\n", o->seconds);
        return;
    }
    if (o->reads)
        printf("%" PRIu64 " reads; ", o->reads);
    if (o->resumed_step)
        printf("continued from step %" PRIu64 "; ", o->resumed_step);
    printf("%" PRIu64 " steps, %" PRIu64 " proposals in %.2f s (%.3g per second)%s\n", o->step,
           o->proposals, o->seconds, (double)o->proposals / seconds,
           o->complete ? "" : "; interrupted: these are the results so far");
    if (spn_record_has_hit(&call->record))
        printf("first hit of the target after %.0f steps, in %.3g s\n",
               spn_record_number(&call->record, "first_hit_steps"), call->record.first_hit_seconds);
}

/* Every setting, like cmdstan: given ones, then the others. */
static void print_head(const spn_call *call)
{
    const spn_record *record = &call->record;
    const spn_record *resolved = &call->resolved; /* made before the run */
    printf("spinney %s: %s\n", spn_version(), call->job.task->name);
    cli_print_fields("", record->settings, record->setting_count);
    cli_print_fields("by default ", resolved->settings, resolved->setting_count);
    printf("seed %" PRIu64 "; ", record->seed);
    print_rate(call);
}

/* The result PREFIX_NAME, or NaN. */
static double prefixed(const spn_record *record, const char *prefix, const char *name)
{
    char full[96];
    snprintf(full, sizeof full, "%s_%s", prefix, name);
    return spn_record_number(record, full);
}

static double mean_of(const spn_result_curve *curve, size_t column)
{
    double sum = 0;
    for (size_t r = 0; r < curve->rows; r++)
        sum += curve->values[column][r];
    return sum / (double)curve->rows;
}

/* NaN unless the results hold ROW_COLUMN, and it is not a column itself. Best, centre and vote
   have a row if some value exists. */
static double special(const spn_record *record, const spn_result_curve *curve, const char *row,
                      size_t column)
{
    char full[96];
    snprintf(full, sizeof full, "%s_%s", row, curve->names[column]);
    if (spn_result_curve_column(curve, full) != SIZE_MAX)
        return NAN;
    return prefixed(record, row, curve->names[column]);
}

/* The end of the columns from `first` on that fit into about 100 characters; at least one. */
static size_t columns_end(const spn_result_curve *curve, size_t first)
{
    enum { LINE = 100, NUMBER = 9, GAP = 2 };
    size_t end = first;
    for (size_t width = strlen("replica"); end < curve->columns; end++) {
        const size_t name = strlen(curve->names[end]);
        width += GAP + (name > NUMBER ? name : NUMBER);
        if (end > first && width > LINE)
            break;
    }
    return end;
}

static void add_special(cli_table *table, const spn_record *record, const spn_result_curve *curve,
                        const char *row, size_t first, size_t end)
{
    bool any = false;
    for (size_t c = first; c < end; c++)
        any = any || !isnan(special(record, curve, row, c));
    if (!any)
        return;
    cli_table_text(table, row);
    for (size_t c = first; c < end; c++)
        cli_table_exact(table, special(record, curve, row, c));
}

static bool print_columns(const spn_record *record, const spn_result_curve *curve, size_t most,
                          size_t first, size_t end)
{
    cli_table table = {0};
    char name[32];
    cli_table_head(&table, "replica", false);
    for (size_t c = first; c < end; c++)
        cli_table_head(&table, curve->names[c], true);
    if (curve->rows > 1) {
        /* Rows over all replicas; the best first. */
        add_special(&table, record, curve, "best", first, end);
        cli_table_text(&table, "mean");
        for (size_t c = first; c < end; c++)
            cli_table_exact(&table, mean_of(curve, c));
        add_special(&table, record, curve, "centre", first, end);
        add_special(&table, record, curve, "vote", first, end);
    }
    for (size_t r = 0; r < curve->rows && r < most; r++) {
        snprintf(name, sizeof name, "%zu", r + 1);
        cli_table_text(&table, name);
        for (size_t c = first; c < end; c++)
            cli_table_exact(&table, curve->values[c][r]);
    }
    putchar('\n');
    return cli_table_print(&table);
}

/* Columns that do not fit go into further tables. */
static bool print_replicas(const spn_record *record, const spn_result_curve *curve, size_t most)
{
    bool ok = true;
    for (size_t first = 0, end; ok && first < curve->columns; first = end) {
        end = columns_end(curve, first);
        ok = print_columns(record, curve, first && curve->rows > 1 ? 0 : most, first, end);
    }
    if (ok && curve->rows > most)
        printf("%zu more replicas; --rows shows more, and --json has all\n", curve->rows - most);
    return ok;
}

static bool is_shown(const spn_record *record, const char *name)
{
    const spn_result_curve *curve = spn_record_curve(record, "replicas");
    if (!curve || curve->rows < 2)
        return false;
    for (size_t c = 0; c < curve->columns; c++) {
        static const char *const rows[] = {"best", "centre", "vote"};
        char full[96];
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            snprintf(full, sizeof full, "%s_%s", rows[r], curve->names[c]);
            if (spn_result_curve_column(curve, name) == SIZE_MAX && strcmp(full, name) == 0)
                return true;
        }
        const double mean = mean_of(curve, c), value = spn_record_number(record, name);
        if (strcmp(curve->names[c], name) == 0 && fabs(value - mean) <= 1e-12 * fabs(mean))
            return true;
    }
    return false;
}

static bool print_numbers(const spn_call *call)
{
    const spn_record *record = &call->record;
    cli_table table = {0};
    cli_table_head(&table, "result", false);
    cli_table_head(&table, "value", true);
    cli_table_head(&table, "what it is", false);
    spn_quantity_walk walk = spn_quantity_walk_start(call->job.task->results);
    while (spn_quantity_walk_next(&walk)) {
        const spn_quantity *q = walk.row;
        const double value = q->name ? spn_record_number(record, q->name) : NAN;
        const char *text = q->name ? spn_record_text(record, q->name) : NULL;
        if (!q->name || strcmp(q->name, "summary") == 0 ||
            (!text && (q->kind != SPN_QUANTITY_NUMBER || isnan(value))) ||
            (!text && is_shown(record, q->name)) ||
            q->flags & SPN_QUANTITY_CLOCK) /* times are in the head */
            continue;
        cli_table_text(&table, q->name);
        if (text)
            cli_table_word(&table, text);
        else
            cli_table_exact(&table, value);
        cli_table_text(&table, q->label ? q->label : q->help ? q->help : "");
    }
    putchar('\n');
    return cli_table_print(&table);
}

static bool print_matrix(const spn_result_curve *m)
{
    enum { MOST = 24 };
    cli_table table = {0};
    printf("\n%s: rows are labels, columns predictions\n", m->name);
    if (m->columns > MOST) {
        printf("%zu by %zu; --json has them all\n", m->rows, m->columns);
        return true;
    }
    cli_table_head(&table, "", false);
    for (size_t c = 0; c < m->columns; c++)
        cli_table_head(&table, m->names[c], true);
    for (size_t r = 0; r < m->rows; r++) {
        cli_table_text(&table, r < m->columns ? m->names[r] : "");
        for (size_t c = 0; c < m->columns; c++)
            cli_table_exact(&table, m->values[c][r]);
    }
    return cli_table_print(&table);
}

static bool print_rows(const spn_result_curve *curve, size_t most)
{
    const size_t shown = curve->rows > most ? most : curve->rows;
    cli_table table = {0};
    for (size_t c = 0; c < curve->columns; c++)
        cli_table_head(&table, curve->names[c], true);
    for (size_t r = 0; r < shown; r++)
        for (size_t c = 0; c < curve->columns; c++)
            cli_table_number(&table, curve->values[c][r]);
    printf("\n%s\n", curve->name);
    const bool ok = cli_table_print(&table);
    if (ok && shown < curve->rows)
        printf("%zu more rows are in the output of --json\n", curve->rows - shown);
    return ok;
}

/* A row for each class of the confusion. */
static bool print_classes(const spn_result_curve *classes, const spn_result_curve *confusion)
{
    cli_table table = {0};
    cli_table_head(&table, "class", false);
    for (size_t c = 1; c < classes->columns; c++)
        cli_table_head(&table, classes->names[c], true);
    for (size_t r = 0; r < classes->rows; r++) {
        cli_table_text(&table, confusion->names[r]);
        for (size_t c = 1; c < classes->columns; c++)
            cli_table_exact(&table, classes->values[c][r]);
    }
    putchar('\n');
    return cli_table_print(&table);
}

static bool print_curve(const spn_task *task, const spn_record *record,
                        const spn_result_curve *curve)
{
    enum { MOST = 40 };
    const spn_result_curve *confusion = spn_record_curve(record, "confusion");
    if (confusion && strcmp(curve->name, "classes") == 0 && curve->rows <= MOST)
        return print_classes(curve, confusion);
    const spn_quantity *q = spn_quantity_find(task, curve->name);
    if (q && q->kind == SPN_QUANTITY_MATRIX)
        return print_matrix(curve);
    if (cli_is_detail(task, curve)) {
        printf("\n%s: %zu rows, in the output of --json\n", curve->name, curve->rows);
        return true;
    }
    return print_rows(curve, MOST) && cli_draw_curve(task, curve);
}

/* Best first; false without memory. */
static bool print_results(const cli_values *values, const spn_call *call)
{
    const spn_record *record = &call->record;
    const spn_result_curve *replicas = spn_record_curve(record, "replicas");
    if (spn_record_text(record, "summary"))
        printf("\n%s\n", spn_record_text(record, "summary"));
    else if (!cli_print_best(call))
        return false;
    if (!cli_print_reads(call, cli_task_rows(values)) ||
        (replicas && !print_replicas(record, replicas, cli_task_rows(values))) ||
        !print_numbers(call))
        return false;
    for (size_t k = 0; k < record->curve_count; k++)
        if (&record->curves[k] != replicas &&
            !print_curve(call->job.task, record, &record->curves[k]))
            return false;
    return true;
}

int cli_task_text(const cli_values *values, const spn_call *call)
{
    const spn_record *record = &call->record;
    const char *out = cli_text(values, "out");
    print_head(call);
    if (!print_results(values, call))
        return cli_no_memory(values->command);
    for (size_t k = 0; k < record->note_count; k++)
        printf("%s%s\n", k == 0 ? "\n" : "", record->notes[k]);
    const char *product = call->job.task->product;
    /* without its formats */
    const int length = product ? (int)strcspn(product, ",;") : 0;
    if (out)
        printf("\n%s: %.*s\n", out, length, product);
    else if (product)
        printf("\nnot kept (give --out FILE): %.*s\n", length, product);
    return cli_flush(values->command);
}
