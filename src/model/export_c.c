/* A linear classifier as a C99 header without dependencies, and what networks share with it. There
   are three arithmetics: whole numbers, floats and doubles. Each class has a "score" of type
   NAME_score. */
#include "model/export.h"

#include "base/memory.h"
#include "base/number.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <spinney/version.h>

void spn_c_code(const spn_c_header *h, const spn_c_variant *v, const char *text)
{
    for (const char *c = text; *c; c++)
        switch (*c) {
        case '@':
            fputs(h->name, h->stream);
            break;
        case '~':
            fputs(v->suffix, h->stream);
            break;
        case '$':
            fputs(v->type, h->stream);
            break;
        case '`':
            spn_c_code(h, v, v->threshold);
            break;
        default:
            fputc(*c, h->stream);
        }
}

void spn_c_about(const spn_c_header *h, bool wholes, bool reals)
{
    fprintf(h->stream,
            "   C99, no dependencies, no state, no memory taken but the stack. Preprocessing (%s) "
            "is part of the functions:\n",
            spn_export_thermometer(h->model) ? "thresholds"
                                             : spn_preprocess_kind_name(h->model->preprocess.kind));
    spn_c_code(h, NULL, "     @_predict_bytes   features that are bytes, 0 to 255\n");
    if (wholes)
        spn_c_code(h, NULL, "     @_predict_whole   features that are whole numbers\n");
    if (reals)
        spn_c_code(h, NULL, "     @_predict         real features\n");
    if (reals && spn_c_has_table(h))
        spn_c_code(h, NULL, "     @_predict_row     a struct of the table's columns, @_row\n");
}

/* ---- constants ---- */

/* A C string: unusual bytes in octal, which ends after three digits; question marks escaped,
   against trigraphs. */
void spn_c_string(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const char *c = text; *c; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (byte == '"' || byte == '\\' || byte == '?')
            fprintf(stream, "\\%c", byte);
        else if (byte >= 128 || !isprint(byte))
            fprintf(stream, "\\%03o", byte);
        else
            fputc(byte, stream);
    }
    fputc('"', stream);
}

static void write_reals(const spn_c_header *h, const char *what, const double *values, size_t count)
{
    const bool single = h->arithmetic == SPN_ARITHMETIC_FLOAT;
    fprintf(h->stream, "static const %s %s_%s[%zu] = {", single ? "float" : "double", h->name, what,
            count);
    for (size_t j = 0; j < count; j++)
        spn_print(h->stream, single ? "%s%.9e%s%s" : "%s%.17g%s%s", j % 4 ? " " : "\n    ",
                  values[j], single ? "f" : "", j + 1 < count ? "," : "");
    fprintf(h->stream, "};\n\n");
}

void spn_c_wholes(const spn_c_header *h, const char *type, const char *what,
                  const long long *values, size_t count)
{
    fprintf(h->stream, "static const %s %s_%s[%zu] = {", type, h->name, what, count);
    for (size_t j = 0; j < count; j++)
        fprintf(h->stream, "%s%lld%s", j % 8 ? " " : "\n    ", values[j], j + 1 < count ? "," : "");
    fprintf(h->stream, "};\n\n");
}

/* Number i of the row of class k: a byte of bits, or the weight of a feature with copies. */
static int number_at(const spn_c_header *h, size_t k, size_t i)
{
    const size_t inputs = h->model->scaling->features;
    const int8_t *row = h->weights + k * spn_model_row(h->model);
    unsigned byte = 0;
    if (h->numbers->added)
        return h->numbers->added[k * h->model->features + i];
    for (size_t j = 8 * i; j < 8 * i + 8 && j < inputs; j++)
        byte |= (unsigned)(row[j] > 0) << j % 8;
    return (int)byte;
}

static void write_weights(const spn_c_header *h)
{
    const spn_model *model = h->model;
    const bool added = h->numbers->added;
    const size_t columns = added ? model->features : (model->scaling->features + 7) / 8;
    if (added)
        fprintf(h->stream,
                "/* Weight i of class k: the sum of the one-bit weights of the %zu copies of "
                "feature i. */\n",
                model->encoding->copies);
    else
        fprintf(h->stream,
                "/* Weight i of class k is +1 where bit i %% 8 of byte i / 8 of row k is "
                "set, else -1. */\n");
    fprintf(h->stream, "static const %s %s_%s[%u][%zu] = {\n", added ? "short" : "unsigned char",
            h->name, added ? "weights" : "bits", (unsigned)model->classes, columns);
    for (uint32_t k = 0; k < model->classes; k++) {
        fprintf(h->stream, "    {");
        for (size_t i = 0; i < columns; i++)
            fprintf(h->stream, "%s%d%s", i > 0 && i % 16 == 0 ? "\n     " : "", number_at(h, k, i),
                    i + 1 < columns ? "," : "");
        fprintf(h->stream, "}%s\n", k + 1 < model->classes ? "," : "");
    }
    fprintf(h->stream, "};\n\n");
}

void spn_c_classes(const spn_c_header *h)
{
    const spn_model *model = h->model;
    fprintf(h->stream,
            "/* The name of class k, 0 to %u. */\n"
            "static inline const char *%s_class(int k)\n{\n"
            "    static const char *const names[%u] = {\n",
            (unsigned)model->classes - 1, h->name, (unsigned)model->classes);
    for (uint32_t k = 0; k < model->classes; k++) {
        fprintf(h->stream, "        ");
        spn_c_string(h->stream, model->class_names[k]);
        fprintf(h->stream, "%s\n", k + 1 < model->classes ? "," : "");
    }
    fprintf(h->stream, "    };\n    return names[k];\n}\n\n");
}

long long spn_c_whole(double threshold)
{
    return (long long)fmax(-2147483647.0, fmin(floor(threshold), 2147483647.0));
}

/* The largest float not above a number: a float exceeds the one exactly if it exceeds the other. */
static double float_below(double x)
{
    const float nearest = (float)x;
    return (double)nearest > x ? (double)nextafterf(nearest, -INFINITY) : (double)nearest;
}

spn_status spn_c_thresholds(const spn_c_header *h, spn_error *err)
{
    const spn_encoding *e = spn_export_thermometer(h->model);
    const size_t features = e->features, inputs = e->inputs;
    const size_t *start = e->start;
    long long *wholes = spn_alloc(inputs + features + 1, sizeof *wholes);
    double *reals = spn_alloc(inputs, sizeof *reals);
    if (!wholes || !reals) {
        SPN_FREE_ALL(wholes, reals);
        return spn_no_memory(err, "an export");
    }
    for (size_t i = 0; i <= features; i++)
        wholes[i] = (long long)start[i];
    fprintf(h->stream,
            "/* The thresholds of feature i are those from start[i] to start[i + 1] - 1: "
            "each gives an input, %s above it. */\n",
            h->model->hidden ? "1" : "+1");
    spn_c_wholes(h, "long", "start", wholes, features + 1);
    for (size_t j = 0; j < inputs; j++) {
        const double t = e->thresholds[j];
        wholes[j] = spn_c_whole(t);
        reals[j] = h->arithmetic == SPN_ARITHMETIC_FLOAT ? float_below(t) : t;
    }
    if (h->reals)
        write_reals(h, "threshold", reals, inputs);
    spn_c_wholes(h, "long", "whole", wholes, inputs);
    SPN_FREE_ALL(wholes, reals);
    return SPN_OK;
}

/* ---- inference ---- */

static void write_sum(const spn_c_header *h, const spn_c_variant *v, bool wholes)
{
    const bool binary = h->model->preprocess.kind == SPN_PREPROCESS_BINARY;
    const char *sum = wholes ? (h->numbers->wide ? "long long" : "long") : h->score;
    char value[64] = "x[i]", step[160] = "";
    if (binary)
        spn_print_text(value, sizeof value, "(x[i] > %.17g)", h->model->preprocess.threshold);
    if (!wholes && h->numbers->integers)
        snprintf(step, sizeof step, "%s_unit * ", h->name);
    else if (!wholes)
        snprintf(step, sizeof step, "%s_step[i] * ", h->name);
    fprintf(h->stream, "        %s sum = 0;\n", sum);
    fprintf(h->stream, "        for (long i = 0; i < %zu; i++)", h->model->features);
    if (spn_export_thermometer(h->model)) {
        spn_c_code(h, v,
                   "\n            for (long j = @_start[i]; j < @_start[i + 1]; j++)\n"
                   "                sum += (x[i] > `[j]) == ((@_bits[k][j / 8] >> (j % 8)) & 1) "
                   "? 1 : -1;\n");
        return;
    }
    fprintf(h->stream, " {\n            const %s term = %s%s;\n", sum, step, value);
    spn_c_code(h, NULL,
               h->numbers->added
                   ? "            sum += @_weights[k][i] * term;\n        }\n"
                   : "            sum += ((@_bits[k][i / 8] >> (i % 8)) & 1) ? term : -term;\n"
                     "        }\n");
}

static void write_score(const spn_c_header *h, bool wholes)
{
    const bool whole = h->arithmetic == SPN_ARITHMETIC_INT;
    if (whole && h->numbers->factor > 1)
        fprintf(h->stream, "        const %s score = sum * %lld - %s_offset[k];\n", h->score,
                h->numbers->factor, h->name);
    else if (!whole && spn_export_thermometer(h->model))
        fprintf(h->stream, "        const %s score = %s_unit * (%s)(sum - %s_offset[k]);\n",
                h->score, h->name, h->score, h->name);
    else if (!whole && wholes)
        fprintf(h->stream,
                "        const %s product = %s_unit * (%s)sum;\n"
                "        const %s score = product - %s_offset[k];\n",
                h->score, h->name, h->score, h->score, h->name);
    else
        fprintf(h->stream, "        const %s score = sum - %s_offset[k];\n", h->score, h->name);
}

static void write_predict(const spn_c_header *h, const spn_c_variant *v)
{
    const spn_model *model = h->model;
    const bool binary = model->preprocess.kind == SPN_PREPROCESS_BINARY;
    const bool wholes = spn_export_thermometer(model) ||
                        (h->numbers->integers && (binary || v != &h->variants[SPN_C_REALS]));
    fprintf(h->stream,
            "/* The class of a sample of %zu features, %s, as stored in the data; scores may be "
            "NULL, else it\n   takes the %u scores. Of classes with equal scores the first is "
            "taken. */\n"
            "static inline int %s_predict%s(const %s *x, %s_score *scores)\n{\n"
            "    int best = 0;\n    %s_score highest = 0;\n"
            "    for (int k = 0; k < %u; k++) {\n",
            model->features, v->what, (unsigned)model->classes, h->name, v->suffix, v->type,
            h->name, h->name, (unsigned)model->classes);
    write_sum(h, v, wholes);
    write_score(h, wholes);
    fprintf(h->stream, "        if (scores)\n            scores[k] = score;\n"
                       "        if (k == 0 || score > highest) {\n"
                       "            highest = score;\n            best = k;\n        }\n    }\n"
                       "    return best;\n}\n\n");
}

/* ---- the whole ---- */

static const char *const arithmetic_notes[] = {
    [SPN_ARITHMETIC_INT] =
        "Whole numbers alone are computed with, and classes are those of spinney predict.\n"
        "   A logit is its score times ",
    [SPN_ARITHMETIC_FLOAT] = "Scores are the logits, in single precision",
    [SPN_ARITHMETIC_DOUBLE] = "Scores are the logits, in double precision"};

/* Whether sums are rounded differently from predict, which adds copies of features one by one. */
static bool rounds_otherwise(const spn_c_header *h)
{
    if (h->arithmetic == SPN_ARITHMETIC_FLOAT)
        return !spn_export_thermometer(h->model);
    return h->arithmetic == SPN_ARITHMETIC_DOUBLE && h->numbers->added;
}

static void write_head(const spn_c_header *h)
{
    const spn_model *model = h->model;
    const size_t inputs = model->scaling->features;
    const char *name = h->name;
    fprintf(
        h->stream,
        "/* A classifier of %u classes with %zu one-bit weights (%zu bytes), written by spinney "
        "%s.\n",
        (unsigned)model->classes, model->classes * spn_model_row(model),
        model->classes * ((inputs + 7) / 8), SPN_VERSION);
    spn_c_about(h, spn_export_thermometer(model),
                spn_export_thermometer(model) || h->arithmetic != SPN_ARITHMETIC_INT);
    fprintf(h->stream, "     %s_class           the name of a class\n   %s", name,
            arithmetic_notes[h->arithmetic]);
    if (h->arithmetic == SPN_ARITHMETIC_INT)
        spn_print(h->stream, "%.17g", h->numbers->unit / (double)h->numbers->factor);
    else if (rounds_otherwise(h))
        fprintf(h->stream, "; where two of them are equal but for rounding,\n   the class may "
                           "differ from that of spinney predict");
    else if (h->arithmetic == SPN_ARITHMETIC_DOUBLE)
        fprintf(h->stream, ", and classes are those of spinney predict");
    fprintf(h->stream,
            ".\n   To use it: %s_score scores[%s_classes]; int k = %s_predict%s(x, scores); */\n"
            "#ifndef %s_H_INCLUDED\n#define %s_H_INCLUDED\n\n"
            "enum { %s_features = %zu, %s_classes = %u };\n\n"
            "typedef %s %s_score;\n\n",
            name, name, name,
            h->arithmetic == SPN_ARITHMETIC_INT && !spn_export_thermometer(model) ? "_bytes" : "",
            name, name, name, model->features, name, (unsigned)model->classes, h->score, name);
}

static void write_numbers(const spn_c_header *h)
{
    const spn_export_numbers *n = h->numbers;
    const size_t classes = h->model->classes;
    if (h->arithmetic == SPN_ARITHMETIC_INT || spn_export_thermometer(h->model))
        spn_c_wholes(h, h->arithmetic == SPN_ARITHMETIC_INT ? h->score : "long", "offset",
                     n->whole_offset, classes);
    else
        write_reals(h, "offset", n->offset, classes);
    if (h->arithmetic == SPN_ARITHMETIC_INT)
        return;
    if (n->integers || spn_export_thermometer(h->model))
        spn_print(h->stream, "static const %s %s_unit = (%s)%.17g;\n\n", h->score, h->name,
                  h->score, n->unit);
    else
        write_reals(h, "step", n->step, h->model->features);
}

static spn_status write_all(const spn_c_header *h, spn_error *err)
{
    const bool thermometer = spn_export_thermometer(h->model);
    write_head(h);
    write_weights(h);
    write_numbers(h);
    if (thermometer)
        SPN_TRY(spn_c_thresholds(h, err));
    spn_c_classes(h);
    spn_c_features(h);
    write_predict(h, &h->variants[SPN_C_BYTES]);
    if (thermometer)
        write_predict(h, &h->variants[SPN_C_WHOLES]);
    if (thermometer || h->arithmetic != SPN_ARITHMETIC_INT) {
        write_predict(h, &h->variants[SPN_C_REALS]);
        spn_c_table(h, &h->variants[SPN_C_REALS]);
    }
    fprintf(h->stream, "#endif\n");
    return SPN_OK;
}

static bool fits(double x, bool single)
{
    return isfinite(x) &&
           (!single || (fabs(x) <= (double)FLT_MAX && (x == 0 || fabs(x) >= (double)FLT_MIN)));
}

/* Numbers beyond the type would be written as infinity, or as 0. */
static spn_status check_range(const spn_c_header *h, spn_error *err)
{
    const spn_encoding *e = spn_export_thermometer(h->model);
    const spn_export_numbers *n = h->numbers;
    const bool single = h->arithmetic == SPN_ARITHMETIC_FLOAT;
    bool all = true;
    if (h->arithmetic == SPN_ARITHMETIC_INT)
        return SPN_OK;
    for (size_t j = 0; e && j < e->inputs; j++)
        all = all && fabs(e->thresholds[j]) <= (single ? (double)FLT_MAX : DBL_MAX);
    for (size_t i = 0; !e && i < h->model->features; i++)
        all = all && fits(n->step[i], single);
    for (size_t k = 0; !e && k < h->model->classes; k++)
        all = all && fabs(n->offset[k]) <= (single ? (double)FLT_MAX : DBL_MAX);
    return all ? SPN_OK
               : spn_refuse(err,
                            "the arithmetic %s is not possible: features are beyond its range%s",
                            spn_export_arithmetic_name(h->arithmetic), single ? "; double is" : "");
}

static spn_status write_linear(spn_c_header *h, spn_export_arithmetic wanted, spn_error *err)
{
    spn_export_numbers numbers;
    spn_status status;
    SPN_TRY_OR(cleanup, spn_export_numbers_make(&numbers, h->model, h->weights, err));
    h->numbers = &numbers;
    h->arithmetic = wanted;
    if (wanted == SPN_ARITHMETIC_AUTO)
        h->arithmetic =
            spn_export_thermometer(h->model) ? SPN_ARITHMETIC_INT : SPN_ARITHMETIC_DOUBLE;
    h->score = h->arithmetic == SPN_ARITHMETIC_FLOAT    ? "float"
               : h->arithmetic == SPN_ARITHMETIC_DOUBLE ? "double"
               : numbers.wide                           ? "long long"
                                                        : "long";
    if (h->arithmetic == SPN_ARITHMETIC_FLOAT)
        h->variants[SPN_C_REALS].type = "float";
    if (h->arithmetic == SPN_ARITHMETIC_INT && numbers.not_whole)
        status = spn_refuse(err, "the arithmetic int is not possible: %s; float and double are",
                            numbers.not_whole);
    else if (!(status = check_range(h, err)))
        status = write_all(h, err);
    h->numbers = NULL;
cleanup:
    spn_export_numbers_free(&numbers);
    return status;
}

spn_status spn_export_c(FILE *stream, const spn_model *model, const int8_t *weights, size_t count,
                        const char *name, spn_export_arithmetic wanted, spn_error *err)
{
    spn_c_header h = {.stream = stream,
                      .name = name,
                      .model = model,
                      .weights = weights,
                      .reals = true,
                      .variants = {{"_bytes", "unsigned char", "bytes", "@_whole"},
                                   {"_whole", "long", "whole numbers", "@_whole"},
                                   {"", "double", "real numbers", "@_threshold"}}};
    return model->hidden ? spn_export_c_network(&h, count, wanted, err)
                         : write_linear(&h, wanted, err);
}
