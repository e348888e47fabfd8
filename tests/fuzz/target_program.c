/* Problems with constraints in every format. What was read is written in every format that can hold
   it, read again, and written again as the same text. */
#include "check.h"
#include "targets.h"

#include "problem/read/reading.h"
#include "problem/write/writing.h"

#include <stdio.h>

/* A text, to be freed; NULL if the format cannot hold the problem. */
static char *put(size_t *size, const spn_program *p, spn_program_format format)
{
    char *text = NULL;
    spn_error err = {0};
    FILE *stream = open_memstream(&text, size);
    require(stream != NULL);
    const spn_status status = spn_program_put(stream, p, format, &err);
    require(fclose(stream) == 0);
    check_error(status, &err, NULL);
    if (status) {
        free(text);
        return NULL;
    }
    return text;
}

static void write_and_read(const spn_program *p, spn_program_format format)
{
    size_t size, size_again;
    spn_program *again;
    spn_error err = {0};
    spn_program_files options = spn_program_files_defaults();
    options.format = format;
    char *text = put(&size, p, format);
    if (!text)
        return;
    const spn_source source = {"again", (const uint8_t *)text, size, NULL};
    const spn_status status = spn_program_parse(&again, &source, &options, &err);
    if (status)
        fprintf(stderr, "%s\n%s\n", err.text, text);
    require(status == SPN_OK);
    require(spn_program_variables(p) == spn_program_variables(again));
    require(spn_program_constraints(p) == spn_program_constraints(again));
    char *text_again = put(&size_again, again, format);
    require(text_again && size_again == size && memcmp(text, text_again, size) == 0);
    free(text_again);
    free(text);
    spn_program_free(again);
}

/* The lowest values have a score. */
static void check_score(const spn_program *p)
{
    const size_t count = spn_program_variables(p);
    int32_t *values = malloc((count + 1) * sizeof *values);
    spn_score score;
    spn_error err = {0};
    require(values != NULL);
    for (size_t i = 0; i < count; i++) {
        spn_variable v;
        spn_program_variable(&v, p, i);
        require(v.name[0] && v.low <= v.high);
        values[i] = v.low;
    }
    require(spn_program_score(&score, NULL, p, values, &err) == SPN_OK);
    require(score.feasible == (score.violation == 0));
    free(values);
}

static void fuzz_program(spn_program_format format, const uint8_t *data, size_t size)
{
    spn_source source = copy_of(data, size);
    spn_program_files options = spn_program_files_defaults();
    spn_program *p;
    spn_error err = {0};
    options.format = format;
    const spn_status status = spn_program_parse(&p, &source, &options, &err);
    require((status == SPN_OK) == (p != NULL));
    check_error(status, &err, INPUT);
    if (p) {
        check_score(p);
        write_and_read(p, SPN_PROGRAM_LP);
        write_and_read(p, SPN_PROGRAM_COO);
        write_and_read(p, SPN_PROGRAM_CNF);
        write_and_read(p, SPN_PROGRAM_WCNF);
    }
    spn_program_free(p);
    spn_source_unload(&source);
}

void spn_fuzz_lp(const uint8_t *data, size_t size)
{
    fuzz_program(SPN_PROGRAM_LP, data, size);
}

void spn_fuzz_qplib(const uint8_t *data, size_t size)
{
    fuzz_program(SPN_PROGRAM_QPLIB, data, size);
}

void spn_fuzz_polynomial(const uint8_t *data, size_t size)
{
    fuzz_program(SPN_PROGRAM_COO, data, size);
}

void spn_fuzz_clauses(const uint8_t *data, size_t size)
{
    static const spn_program_format formats[] = {SPN_PROGRAM_CNF, SPN_PROGRAM_WCNF,
                                                 SPN_PROGRAM_AUTO};
    if (size > 0)
        fuzz_program(formats[data[0] % 3], data + 1, size - 1);
}
