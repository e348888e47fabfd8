#include "job/answers.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <spinney/pause.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

void spn_answers_free(spn_answers *answers)
{
    if (answers)
        SPN_FREE_ALL(answers->answer, answers->values, answers);
}

/* ---- collecting ---- */

/* A read's best state while the answers are made. */
typedef struct candidate {
    spn_answer answer;
    double cost; /* objective, to be minimised */
    uint64_t hash;
    const int32_t *values;
} candidate;

static int by_number(double a, double b)
{
    return a < b ? -1 : a > b;
}

/* Equal states end up side by side. */
static int by_merit(const void *one, const void *other)
{
    const candidate *a = one, *b = other;
    int order = by_number(a->answer.score.violation, b->answer.score.violation);
    if (order == 0)
        order = by_number(a->cost, b->cost);
    if (order == 0 && a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return order ? order : a->answer.first < b->answer.first ? -1 : 1;
}

/* Those of equal merit by how often they were found. */
static int by_rank(const void *one, const void *other)
{
    const candidate *a = one, *b = other;
    int order = by_number(a->answer.score.violation, b->answer.score.violation);
    if (order == 0)
        order = by_number(a->cost, b->cost);
    if (order == 0)
        order = by_number((double)b->answer.count, (double)a->answer.count);
    return order ? order : a->answer.first < b->answer.first ? -1 : 1;
}

static spn_status read_all(candidate *all, int32_t *rows, const spn_program *program,
                           const spn_sampler *solver, size_t reads, spn_error *err)
{
    const size_t variables = spn_program_variables(program);
    const double sign = spn_program_maximises(program) ? -1 : 1;
    for (size_t r = 0; r < reads; r++) {
        spn_solution solution;
        int32_t *values = rows + r * variables;
        SPN_TRY(spn_solver_solution(&solution, solver, r, values, err));
        all[r] = (candidate){.answer = {.score = solution.score, .count = 1, .first = r},
                             .cost = sign * solution.score.objective,
                             .hash = XXH3_64bits(values, variables * sizeof *values),
                             .values = values};
    }
    return SPN_OK;
}

/* Join equal states; returns how many are left. */
static size_t join(candidate *all, size_t reads, size_t variables)
{
    size_t count = 0;
    qsort(all, reads, sizeof *all, by_merit);
    for (size_t r = 0; r < reads; r++) {
        candidate *last = count > 0 ? &all[count - 1] : NULL;
        if (last && last->hash == all[r].hash &&
            memcmp(last->values, all[r].values, variables * sizeof *all[r].values) == 0)
            last->answer.count++;
        else
            all[count++] = all[r];
    }
    qsort(all, count, sizeof *all, by_rank);
    return count;
}

static uint64_t distance(const int32_t *a, const int32_t *b, size_t count)
{
    uint64_t differ = 0;
    for (size_t i = 0; i < count; i++)
        differ += a[i] != b[i];
    return differ;
}

/* Set the distances from the first answer. */
static void answers_measure(spn_answers *answers)
{
    for (size_t k = 0; k < answers->count; k++)
        answers->answer[k].distance = distance(spn_answer_values(answers, k),
                                               spn_answer_values(answers, 0), answers->variables);
}

static spn_status keep(spn_answers *out, const candidate *all, size_t count, spn_error *err)
{
    const size_t size = out->variables * sizeof *out->values;
    out->answer = spn_alloc(count, sizeof *out->answer);
    out->values = spn_alloc(count, size);
    SPN_NEED(out->answer && out->values, err, "the solutions");
    out->count = count;
    for (size_t k = 0; k < count; k++) {
        out->answer[k] = all[k].answer;
        memcpy(out->values + k * out->variables, all[k].values, size);
    }
    answers_measure(out);
    return SPN_OK;
}

static spn_status collect(spn_answers *out, const spn_sampler *solver, spn_error *err)
{
    const size_t reads = (size_t)out->reads;
    spn_status status;
    candidate *all = spn_alloc(reads, sizeof *all);
    int32_t *rows = spn_alloc(reads, out->variables * sizeof *rows);
    if (!all || !rows)
        status = spn_no_memory(err, "the solutions");
    else
        status = read_all(all, rows, out->program, solver, reads, err);
    if (!status)
        status = keep(out, all, join(all, reads, out->variables), err);
    SPN_FREE_ALL(all, rows);
    return status;
}

spn_status spn_answers_collect(spn_answers **out, const spn_program *program,
                               const spn_sampler *solver, size_t reads, spn_error *err)
{
    spn_answers *answers = spn_alloc(1, sizeof *answers);
    *out = NULL;
    SPN_NEED(answers, err, "the solutions");
    answers->program = program;
    answers->variables = spn_program_variables(program);
    answers->reads = reads;
    SPN_HAND_OVER(out, answers, spn_answers_free, collect(answers, solver, err));
}

double *spn_answer_violations(const spn_answers *answers, size_t k)
{
    const size_t count = spn_program_constraints(answers->program);
    double *sizes = count > 0 ? spn_alloc(count, sizeof *sizes) : NULL;
    spn_score score;
    if (sizes &&
        !spn_program_score(&score, sizes, answers->program, spn_answer_values(answers, k), NULL))
        return sizes;
    free(sizes);
    return NULL;
}

/* ---- writing ---- */

static const char *name_of(const spn_answers *answers, size_t i)
{
    spn_variable variable;
    spn_program_variable(&variable, answers->program, i);
    return variable.name;
}

static spn_status put_violations(spn_json *json, const spn_answers *answers, size_t k,
                                 spn_error *err)
{
    const size_t count = spn_program_constraints(answers->program);
    double *sizes = spn_answer_violations(answers, k);
    SPN_NEED(sizes || count == 0, err, "the constraints");
    spn_json_open(json, "violations", '{');
    for (size_t c = 0; c < count; c++) {
        spn_constraint constraint;
        if (!(sizes[c] > 0))
            continue;
        spn_program_constraint(&constraint, answers->program, c);
        spn_json_real(json, constraint.name, sizes[c]);
    }
    spn_json_close(json, '}');
    free(sizes);
    return SPN_OK;
}

static void put_figure(spn_json *json, const spn_robust_figure *figure, const spn_robust *robust)
{
    char name[64];
    snprintf(name, sizeof name, "robust_%s", figure->name);
    spn_json_real(json, name, spn_robust_value(robust, figure->mean));
    snprintf(name, sizeof name, "robust_%s_error", figure->name);
    spn_json_real(json, name, spn_robust_value(robust, figure->error));
}

static spn_status put_answer(spn_json *json, const spn_answers *answers, size_t k, spn_error *err)
{
    const spn_answer *a = &answers->answer[k];
    const int32_t *values = spn_answer_values(answers, k);
    spn_json_open(json, NULL, '{');
    spn_json_real(json, "objective", a->score.objective);
    spn_json_flag(json, "feasible", a->score.feasible);
    spn_json_real(json, "violation", a->score.violation);
    spn_json_whole(json, "reads", a->count);
    spn_json_whole(json, "read", a->first + 1);
    spn_json_whole(json, "distance", a->distance);
    for (size_t f = 0; answers->is_shaken && f < SPN_ROBUST_FIGURES; f++)
        put_figure(json, &spn_robust_figures[f], &a->robust);
    SPN_TRY(put_violations(json, answers, k, err));
    spn_json_open(json, "values", '[');
    for (size_t i = 0; i < answers->variables; i++)
        spn_json_real(json, NULL, values[i]);
    spn_json_close(json, ']');
    spn_json_close(json, '}');
    return SPN_OK;
}

spn_status spn_answers_json(spn_json *json, const spn_answers *answers, size_t most, spn_error *err)
{
    spn_json_whole(json, "distinct", answers->count);
    spn_json_open(json, "variables", '[');
    for (size_t i = 0; i < answers->variables; i++)
        spn_json_text(json, NULL, name_of(answers, i));
    spn_json_close(json, ']');
    spn_json_open(json, "solutions", '[');
    for (size_t k = 0; k < answers->count && k < most; k++)
        SPN_TRY(put_answer(json, answers, k, err));
    spn_json_close(json, ']');
    return SPN_OK;
}

static spn_status write_json(FILE *stream, const spn_answers *answers, spn_error *err)
{
    spn_json json = {.stream = stream, .broken = 2};
    spn_json_open(&json, NULL, '{');
    SPN_TRY(spn_answers_json(&json, answers, SIZE_MAX, err));
    spn_json_close(&json, '}');
    fputc('\n', stream);
    if (!json.bad)
        return SPN_OK;
    return spn_refuse(err, "%s is not UTF-8 text; JSON cannot hold it", json.bad);
}

static void write_csv(FILE *stream, const spn_answers *answers)
{
    fputs("objective,feasible,violation,reads,distance", stream);
    for (size_t f = 0; answers->is_shaken && f < SPN_ROBUST_FIGURES; f++)
        fprintf(stream, ",robust_%s,robust_%s_error", spn_robust_figures[f].name,
                spn_robust_figures[f].name);
    for (size_t i = 0; i < answers->variables; i++) {
        fputc(',', stream);
        spn_csv_put(stream, name_of(answers, i));
    }
    for (size_t k = 0; k < answers->count; k++) {
        const spn_answer *a = &answers->answer[k];
        char objective[SPN_NUMBER_TEXT], violation[SPN_NUMBER_TEXT];
        spn_real_text(objective, a->score.objective);
        spn_real_text(violation, a->score.violation);
        fprintf(stream, "\n%s,%d,%s,%" PRIu64 ",%" PRIu64, objective, a->score.feasible, violation,
                a->count, a->distance);
        for (size_t f = 0; answers->is_shaken && f < SPN_ROBUST_FIGURES; f++)
            spn_print(stream, ",%.17g,%.17g",
                      spn_robust_value(&a->robust, spn_robust_figures[f].mean),
                      spn_robust_value(&a->robust, spn_robust_figures[f].error));
        for (size_t i = 0; i < answers->variables; i++)
            fprintf(stream, ",%" PRId32, spn_answer_values(answers, k)[i]);
    }
    fputc('\n', stream);
}

static void write_lines(FILE *stream, const spn_answers *answers)
{
    for (size_t k = 0; k < answers->count; k++) {
        const spn_answer *a = &answers->answer[k];
        spn_print(stream,
                  "# objective %.17g, violation %.17g, found by %" PRIu64 " of %" PRIu64
                  " reads, distance %" PRIu64,
                  a->score.objective, a->score.violation, a->count, answers->reads, a->distance);
        for (size_t f = 0; answers->is_shaken && f < SPN_ROBUST_FIGURES; f++)
            spn_print(stream, ", robust %s %.6g", spn_robust_figures[f].name,
                      spn_robust_value(&a->robust, spn_robust_figures[f].mean));
        fputc('\n', stream);
        for (size_t i = 0; i < answers->variables; i++)
            fprintf(stream, "%s %" PRId32 "\n", name_of(answers, i),
                    spn_answer_values(answers, k)[i]);
    }
}

static bool ends(const char *path, const char *ending)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ending) == 0;
}

spn_status spn_answers_try(const char *path, spn_error *err)
{
    static const char *const others[] = {".npy", ".npz",   ".tsv", ".gz",
                                         ".h5",  ".jsonl", ".lp",  ".parquet"};
    for (size_t k = 0; path && k < sizeof others / sizeof *others; k++)
        SPN_REFUSE_IF(ends(path, others[k]), err,
                      "%s: solutions are written as .csv or .json, and under other names as lines "
                      "of names and values, but not as %s",
                      path, others[k]);
    return spn_file_try(path, err);
}

spn_status spn_answers_write(const spn_answers *answers, const char *path, spn_error *err)
{
    spn_file *file;
    spn_status status = SPN_OK;
    SPN_TRY(spn_file_create(&file, path, err));
    if (ends(path, ".json"))
        status = write_json(spn_file_stream(file), answers, err);
    else
        (ends(path, ".csv") ? write_csv : write_lines)(spn_file_stream(file), answers);
    return spn_file_end(file, status, err);
}

/* ---- robustness, and the order by it ---- */

#define FIGURE(member)                                                                             \
    {                                                                                              \
#member, offsetof(spn_robust, member), offsetof(spn_robust, member##_error)                \
    }
const spn_robust_figure spn_robust_figures[SPN_ROBUST_FIGURES] = {
    FIGURE(objective), FIGURE(feasible), FIGURE(violation)};

/* An answer with its place before, and its objective to be minimised. */
typedef struct ranked {
    spn_answer answer;
    size_t place;
    double mean;
} ranked;

static int by_robustness(const void *one, const void *other)
{
    const ranked *a = one, *b = other;
    const bool feasible = a->answer.score.feasible && b->answer.score.feasible;
    const double of_a = a->answer.robust.feasible, of_b = b->answer.robust.feasible;
    if (feasible && of_a != of_b)
        return of_a > of_b ? -1 : 1;
    if (feasible && a->mean != b->mean)
        return a->mean < b->mean ? -1 : 1;
    return a->place < b->place ? -1 : 1; /* infeasible ones come last, and keep their order */
}

static spn_status sort(spn_answers *answers, spn_error *err)
{
    const size_t row = answers->variables * sizeof *answers->values;
    const double sign = spn_program_maximises(answers->program) ? -1 : 1;
    ranked *all = spn_alloc(answers->count, sizeof *all);
    int32_t *values = spn_alloc(answers->count, row);
    if (!all || !values) {
        SPN_FREE_ALL(all, values);
        return spn_no_memory(err, "the order of solutions");
    }
    for (size_t k = 0; k < answers->count; k++)
        all[k] = (ranked){answers->answer[k], k, sign * answers->answer[k].robust.objective};
    qsort(all, answers->count, sizeof *all, by_robustness);
    for (size_t k = 0; k < answers->count; k++) {
        answers->answer[k] = all[k].answer;
        memcpy(values + k * answers->variables, spn_answer_values(answers, all[k].place), row);
    }
    answers->is_by_robust = true;
    SPN_FREE_ALL(all, answers->values);
    answers->values = values;
    answers_measure(answers);
    return SPN_OK;
}

spn_status spn_answers_shake(spn_answers *answers, const spn_shake *shake, bool rank,
                             spn_error *err)
{
    spn_robust *robust = spn_alloc(answers->count, sizeof *robust);
    SPN_NEED(robust, err, "the robustness of solutions");
    const spn_status status =
        spn_program_robust(robust, answers->program, answers->count, answers->values, shake, err);
    answers->is_shaken = !status && !spn_pause_stopped();
    for (size_t k = 0; k < answers->count && answers->is_shaken; k++)
        answers->answer[k].robust = robust[k];
    free(robust);
    return rank && answers->is_shaken ? sort(answers, err) : status;
}
