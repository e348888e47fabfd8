/* Planted landscapes: the energies of the settings code and ball. */
#include "job/planted_energy.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A planted landscape and its energy. */
typedef struct planted_energy {
    spn_planted *planted;
    spn_energy *energy;
} planted_energy;

typedef struct planted_request {
    const char *list; /* generators such as 0111100,1011010 */
    size_t radius;
} planted_request;

static void release_planted(void *object)
{
    planted_energy *p = object;
    spn_planted_free(p->planted);
    spn_energy_free(p->energy);
    free(p);
}

/* Cut a list up in place; rows has room for all. */
static size_t cut_list(const char **rows, char *list)
{
    size_t count = 0;
    for (char *row; (row = strsep(&list, ","));)
        rows[count++] = row;
    return count;
}

static spn_status plant(planted_energy *out, const planted_request *r, spn_error *err)
{
    char *list = strdup(r->list);
    const char **rows = calloc(strlen(r->list) + 1, sizeof *rows);
    spn_status status =
        list && rows ? spn_planted_create(&out->planted, rows, cut_list(rows, list), r->radius, err)
                     : spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a code");
    free(rows);
    free(list);
    if (status)
        return status;
    assert(out->planted);
    spn_problem *table = NULL;
    status = spn_problem_table_create(&table, out->planted->sites, out->planted->energy, err);
    if (!status)
        status = spn_energy_create(&out->energy, "table", table, err);
    spn_problem_free(table);
    return status;
}

static spn_status make_planted(void **out, const void *context, spn_error *err)
{
    planted_energy *p = *out = calloc(1, sizeof *p);
    if (!p)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a code");
    return plant(p, context, err);
}

/* The states of a file as a list: + is 1, - is 0. */
static char *list_of(const spn_problem *states)
{
    const size_t width = states->sites + 1;
    char *list = malloc(states->count * width + 1);
    if (!list)
        return NULL;
    for (size_t m = 0; m < states->count; m++) {
        for (size_t i = 0; i < states->sites; i++)
            list[m * width + i] = states->rows[m * states->sites + i] > 0 ? '1' : '0';
        list[m * width + states->sites] = ',';
    }
    list[states->count * width - 1] = 0;
    return list;
}

/* The generators of a code, as a list to be freed. */
static spn_status read_code(char **out, const char *code, spn_inputs *inputs, spn_error *err)
{
    const spn_problem *states = NULL;
    spn_status status = SPN_OK;
    *out = NULL;
    if (strspn(code, "0123456789,") == strlen(code))
        *out = strdup(code);
    else if ((status = spn_inputs_problem(&states, inputs, SPN_PROBLEM_STATES, "code", code, err)))
        return status;
    else
        *out = list_of(states);
    return *out ? SPN_OK : spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a code");
}

static spn_status share(const planted_energy **out, const char *list, size_t radius,
                        spn_inputs *inputs, spn_error *err)
{
    const planted_request request = {list, radius};
    const void *object = NULL;
    spn_error why = {0};
    char *key = NULL;
    if (asprintf(&key, "planted\n%zu\n%s", radius, list) < 0)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a code");
    const spn_status status =
        spn_inputs_share(&object, inputs, key, make_planted, release_planted, &request, &why);
    free(key);
    *out = object;
    return status ? spn_setting_blame("code", &why, err) : SPN_OK;
}

spn_status spn_inputs_planted(const spn_planted **planted, const spn_energy **energy,
                              spn_inputs *inputs, const char *code, size_t radius, spn_error *err)
{
    const planted_energy *made = NULL;
    char *list = NULL;
    spn_status status = read_code(&list, code, inputs, err);
    if (!status)
        status = share(&made, list, radius, inputs, err);
    free(list);
    *planted = made ? made->planted : NULL;
    *energy = made ? made->energy : NULL;
    return status;
}
