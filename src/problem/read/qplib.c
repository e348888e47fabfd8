/* QPLIB's format: a quadratic objective and quadratic constraints,
     1/2 x^T Q0 x + b0 x + q0   with   low_k <= 1/2 x^T Qk x + bk x <= high_k,
   of which the lower triangles are listed. What a line holds depends on the lines before; after its
   words there may be any text. F. Furini et al., QPLIB: a library of quadratic programming
   instances, Math. Prog. Comp. 11 (2019) 237, https://qplib.zib.de/doc.html */
#include "problem/read/reading.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* A term of a constraint. */
typedef struct entry {
    size_t row, order; /* and its place among all */
    size_t degree;
    uint32_t pair[2];
    double value;
} entry;

/* Numbers, one for each variable or constraint. */
typedef struct numbers {
    double *list;
    const char *place; /* of the line with their default */
} numbers;

typedef struct qplib {
    spn_reading *reading;
    spn_span line;                          /* the rest of the current one */
    char objective, variables, constraints; /* the letters of the type */
    size_t n, m;                            /* variables, constraints */
    entry *entries;                         /* of all constraints */
    size_t count, capacity;
    double infinity;
    numbers low, high;           /* limits of the constraints */
    numbers least, most;         /* bounds of the variables; of binary ones there are none */
    numbers kinds;               /* 0 continuous, 1 integer, 2 binary */
    numbers start;               /* read, and not used */
    spn_span *names, *row_names; /* those without text are not given */
} qplib;

/* ---- lines and words ---- */

static bool is_comment(spn_span line)
{
    return line.text[0] == '!' || line.text[0] == '%' || line.text[0] == '#';
}

static spn_status take_line(qplib *q, const char *what, spn_error *err)
{
    do {
        if (!spn_reading_line(&q->line, q->reading))
            return spn_reading_fail(q->reading, q->line.text, err,
                                    "the file ends; expected %s: cut short?", what);
    } while (is_comment(q->line));
    return SPN_OK;
}

static spn_status take_word(spn_span *out, qplib *q, const char *what, spn_error *err)
{
    if (spn_reading_word(out, &q->line))
        return SPN_OK;
    return spn_reading_fail(q->reading, out->text, err, "the line ends; expected %s", what);
}

static spn_status take_real(double *out, qplib *q, const char *what, spn_error *err)
{
    spn_span word;
    SPN_TRY(take_word(&word, q, what, err));
    return spn_reading_number_of(out, q->reading, word, what, err);
}

static spn_status take_whole(size_t *out, qplib *q, size_t least, size_t most, const char *what,
                             spn_error *err)
{
    spn_span word;
    uint64_t value;
    SPN_TRY(take_word(&word, q, what, err));
    SPN_TRY(spn_reading_whole_of(&value, q->reading, word, least, most, what, err));
    *out = (size_t)value;
    return SPN_OK;
}

/* A line with a number; a line with the number of those that follow. */
static spn_status real_line(double *out, qplib *q, const char *what, spn_error *err)
{
    SPN_TRY(take_line(q, what, err));
    return take_real(out, q, what, err);
}

static spn_status count_line(size_t *out, qplib *q, const char *what, spn_error *err)
{
    SPN_TRY(take_line(q, what, err));
    return take_whole(out, q, 0, q->reading->source->size, what, err);
}

/* ---- head ---- */

static spn_status read_type(qplib *q, spn_error *err)
{
    static const char *const letters[] = {"LDCQ", "CBMIG", "NBLDCQ"};
    char *const type[] = {&q->objective, &q->variables, &q->constraints};
    spn_span word;
    SPN_TRY(take_line(q, "the type, such as QBL", err));
    SPN_TRY(take_word(&word, q, "the type, such as QBL", err));
    bool right = word.size == 3;
    for (size_t k = 0; k < 3 && right; k++) {
        *type[k] = (char)(word.text[k] & ~0x20); /* upper case */
        right = *type[k] && strchr(letters[k], *type[k]);
    }
    if (!right)
        return spn_reading_fail(q->reading, word.text, err,
                                "expected the type of the problem: three letters of LDCQ, CBMIG "
                                "and NBLDCQ, such as QBL");
    if (q->variables == 'C')
        return spn_reading_fail(q->reading, word.text, err,
                                "its variables are continuous (type %.3s); spinney finds values of "
                                "binary and integer ones",
                                word.text);
    return SPN_OK;
}

static spn_status read_sense(qplib *q, spn_error *err)
{
    spn_span word;
    SPN_TRY(take_line(q, "minimize or maximize", err));
    SPN_TRY(take_word(&word, q, "minimize or maximize", err));
    q->reading->maximise = spn_span_is_word(word, "maximize");
    if (!q->reading->maximise && !spn_span_is_word(word, "minimize"))
        return spn_reading_fail(q->reading, word.text, err, "expected minimize or maximize");
    return SPN_OK;
}

static bool has_rows(const qplib *q)
{
    return q->constraints != 'N' && q->constraints != 'B';
}

static spn_status read_head(qplib *q, spn_error *err)
{
    const size_t most = spn_reading_most(q->reading);
    SPN_TRY(take_line(q, "the name of the problem", err));
    SPN_TRY(read_type(q, err));
    SPN_TRY(read_sense(q, err));
    SPN_TRY(take_line(q, "the number of variables", err));
    SPN_TRY(take_whole(&q->n, q, 1, most, "the number of variables", err));
    if (!has_rows(q))
        return SPN_OK;
    SPN_TRY(take_line(q, "the number of constraints", err));
    return take_whole(&q->m, q, 0, most, "the number of constraints", err);
}

/* ---- terms ---- */

/* `i value`, or of a lower triangle `i j value` with j <= i: as a coefficient of x_i x_j. */
static spn_status take_entry(entry *out, qplib *q, bool square, spn_error *err)
{
    size_t k, most = q->n;
    out->degree = square ? 2 : 1;
    for (size_t f = 0; f < out->degree; f++) {
        SPN_TRY(take_whole(&k, q, 1, most,
                           f == 0 ? "the number of a variable"
                                  : "the number of a second variable, not above the first",
                           err));
        out->pair[f] = (uint32_t)(k - 1);
        most = k;
    }
    SPN_TRY(take_real(&out->value, q, "a coefficient", err));
    if (square && out->pair[0] == out->pair[1])
        out->value /= 2;
    return SPN_OK;
}

static spn_status read_square_objective(qplib *q, spn_error *err)
{
    size_t count;
    SPN_TRY(count_line(&count, q, "the number of quadratic terms", err));
    for (size_t t = 0; t < count; t++) {
        entry e = {.row = 0};
        SPN_TRY(take_line(q, "a quadratic term", err));
        SPN_TRY(take_entry(&e, q, true, err));
        SPN_TRY(spn_sum_add(&q->reading->objective, e.value, e.pair, 2, err));
    }
    return SPN_OK;
}

/* `constraint i value` or `constraint i j value`, as many as the first line says. */
static spn_status read_entries(qplib *q, bool square, spn_error *err)
{
    size_t count;
    SPN_TRY(count_line(&count, q, "the number of terms in the constraints", err));
    SPN_NEED(spn_grow(&q->entries, &q->capacity, q->count + count, sizeof *q->entries), err, "%s",
             q->reading->source->name);
    for (size_t t = 0; t < count; t++) {
        entry *e = &q->entries[q->count];
        SPN_TRY(take_line(q, "a term of a constraint", err));
        SPN_TRY(take_whole(&e->row, q, 1, q->m, "the number of a constraint", err));
        SPN_TRY(take_entry(e, q, square, err));
        e->order = q->count++;
    }
    return SPN_OK;
}

/* ---- numbers with a default ---- */

/* A default, how many others there are, and lines `number value`. what: one of them. */
static spn_status read_numbers(numbers *out, qplib *q, size_t count, const char *what,
                               spn_error *err)
{
    double usual, value;
    size_t others, k;
    SPN_TRY(take_line(q, what, err));
    out->place = q->line.text;
    SPN_TRY(take_real(&usual, q, what, err));
    SPN_TRY(count_line(&others, q, "how many others there are", err));
    free(out->list);
    SPN_NEED(out->list = spn_alloc(count, sizeof *out->list), err, "%s", q->reading->source->name);
    for (size_t i = 0; i < count; i++)
        out->list[i] = NAN;
    for (size_t t = 0; t < others; t++) {
        SPN_TRY(take_line(q, what, err));
        const char *place = q->line.text;
        SPN_TRY(take_whole(&k, q, 1, count, "a number of a variable or constraint", err));
        SPN_TRY(take_real(&value, q, what, err));
        if (!isnan(out->list[k - 1]))
            return spn_reading_fail(q->reading, place, err, "%zu is listed twice", k);
        out->list[k - 1] = value;
    }
    for (size_t i = 0; i < count; i++)
        if (isnan(out->list[i]))
            out->list[i] = usual;
    return SPN_OK;
}

static spn_status read_linear_objective(qplib *q, spn_error *err)
{
    SPN_TRY(read_numbers(&q->start, q, q->n, "a linear coefficient", err));
    for (size_t i = 0; i < q->n; i++)
        if (q->start.list[i] != 0)
            SPN_TRY(spn_sum_add(&q->reading->objective, q->start.list[i], &(uint32_t){(uint32_t)i},
                                1, err));
    return real_line(&q->reading->constant, q, "the constant of the objective", err);
}

static spn_status read_terms(qplib *q, spn_error *err)
{
    if (q->objective != 'L')
        SPN_TRY(read_square_objective(q, err));
    SPN_TRY(read_linear_objective(q, err));
    if (has_rows(q) && q->constraints != 'L')
        SPN_TRY(read_entries(q, true, err));
    return has_rows(q) ? read_entries(q, false, err) : SPN_OK;
}

static spn_status read_limits(qplib *q, spn_error *err)
{
    SPN_TRY(real_line(&q->infinity, q, "the number that stands for infinity", err));
    if (has_rows(q)) {
        SPN_TRY(read_numbers(&q->low, q, q->m, "a lower limit", err));
        SPN_TRY(read_numbers(&q->high, q, q->m, "an upper limit", err));
    }
    if (q->variables == 'B')
        return SPN_OK;
    SPN_TRY(read_numbers(&q->least, q, q->n, "a lower bound", err));
    SPN_TRY(read_numbers(&q->most, q, q->n, "an upper bound", err));
    if (q->variables == 'I')
        return SPN_OK;
    return read_numbers(&q->kinds, q, q->n, "a kind of variable: 0, 1 or 2", err);
}

/* ---- names ---- */

static spn_status read_names(spn_span **out, qplib *q, size_t count, spn_error *err)
{
    size_t given, k;
    SPN_NEED(*out = spn_alloc(count, sizeof **out), err, "%s", q->reading->source->name);
    SPN_TRY(count_line(&given, q, "the number of names", err));
    for (size_t t = 0; t < given; t++) {
        SPN_TRY(take_line(q, "a name", err));
        SPN_TRY(take_whole(&k, q, 1, count, "the number of what has a name", err));
        SPN_TRY(take_word(&(*out)[k - 1], q, "a name", err));
    }
    return SPN_OK;
}

static spn_status read_rest(qplib *q, spn_error *err)
{
    SPN_TRY(read_numbers(&q->start, q, q->n, "a starting value", err));
    if (has_rows(q))
        SPN_TRY(read_numbers(&q->start, q, q->m, "a starting value", err));
    SPN_TRY(read_numbers(&q->start, q, q->n, "a starting value", err));
    SPN_TRY(read_names(&q->names, q, q->n, err));
    if (!has_rows(q) && q->reading->at == q->reading->end) /* some files end here */
        return SPN_OK;
    SPN_TRY(read_names(&q->row_names, q, q->m, err));
    while (spn_reading_line(&q->line, q->reading))
        if (!is_comment(q->line))
            return spn_reading_fail(q->reading, q->line.text, err,
                                    "more lines than the file announces");
    return SPN_OK;
}

/* ---- what was read ---- */

static spn_status add_variable(qplib *q, size_t i, spn_error *err)
{
    char own[32];
    uint32_t got;
    spn_span name = {own, (size_t)spn_print_text(own, sizeof own, "x%zu", i + 1)};
    const char *place = q->kinds.list   ? q->kinds.place
                        : q->least.list ? q->least.place
                                        : q->reading->start;
    if (q->names[i].text)
        name = q->names[i];
    SPN_TRY(spn_reading_variable(&got, q->reading, name, err));
    if (got != i)
        return spn_reading_fail(q->reading,
                                name.text == own ? q->reading->variables[got].place : name.text,
                                err, "two variables have the name %.*s", (int)name.size, name.text);
    spn_read_variable *v = &q->reading->variables[i];
    *v = (spn_read_variable){name.text == own ? place : name.text, SPN_VARIABLE_BINARY, true, 0, 1};
    if (!q->least.list)
        return SPN_OK;
    v->low = q->least.list[i] <= -q->infinity ? -INFINITY : q->least.list[i];
    v->high = q->most.list[i] >= q->infinity ? INFINITY : q->most.list[i];
    const double kind = q->kinds.list ? q->kinds.list[i] : 1;
    v->kind = kind == 2 ? SPN_VARIABLE_BINARY : SPN_VARIABLE_INTEGER;
    v->is_known = kind != 0;
    return kind == 0 || kind == 1 || kind == 2
               ? SPN_OK
               : spn_reading_fail(
                     q->reading, place, err,
                     "a kind of variable is 0 (continuous), 1 (integer) or 2 (binary)");
}

static int compare(const void *a, const void *b)
{
    const entry *left = a, *right = b;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

static spn_status add_row(qplib *q, size_t k, size_t *next, spn_error *err)
{
    char own[32];
    spn_span name = {own, (size_t)spn_print_text(own, sizeof own, "c%zu", k + 1)};
    const double low = q->low.list[k] <= -q->infinity ? -INFINITY : q->low.list[k];
    const double high = q->high.list[k] >= q->infinity ? INFINITY : q->high.list[k];
    if (q->row_names[k].text)
        name = q->row_names[k];
    for (; *next < q->count && q->entries[*next].row == k + 1; (*next)++) {
        const entry *e = &q->entries[*next];
        SPN_TRY(spn_sum_add(&q->reading->row_terms, e->value, e->pair, e->degree, err));
    }
    return spn_reading_range(q->reading, name, low, high,
                             name.text == own ? q->low.place : name.text, err);
}

static spn_status read_all(qplib *q, spn_error *err)
{
    size_t next = 0;
    SPN_TRY(read_head(q, err));
    SPN_TRY(read_terms(q, err));
    SPN_TRY(read_limits(q, err));
    SPN_TRY(read_rest(q, err));
    for (size_t i = 0; i < q->n; i++)
        SPN_TRY(add_variable(q, i, err));
    if (q->count > 0)
        qsort(q->entries, q->count, sizeof *q->entries, compare);
    for (size_t k = 0; k < q->m; k++)
        SPN_TRY(add_row(q, k, &next, err));
    return SPN_OK;
}

spn_status spn_read_qplib(spn_reading *reading, spn_error *err)
{
    qplib q = {.reading = reading, .line = {reading->at, 0}};
    const spn_status status = read_all(&q, err);
    SPN_FREE_ALL(q.entries, q.low.list, q.high.list, q.least.list, q.most.list, q.kinds.list,
                 q.start.list, q.names, q.row_names);
    return status;
}
