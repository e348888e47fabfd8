/* The robustness of solutions, and their order by it. */
#include "job/answers.h"

#include "base/memory.h"

#include <spinney/pause.h>
#include <stdlib.h>
#include <string.h>

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
    spn_answers_measure(answers);
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
