/* A classifier as a C99 header without dependencies. */
#include "base/number.h"
#include "model/export.h"

#include <ctype.h>
#include <spinney/version.h>

/* A text as a string of C: everything unusual in octal, which ends after three digits, and the
   question mark escaped, for trigraphs. */
static void write_string(FILE *stream, const char *text)
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

static void write_reals(FILE *stream, const char *name, const char *what, const double *values,
                        size_t count)
{
    fprintf(stream, "static const double %s_%s[%zu] = {", name, what, count);
    for (size_t j = 0; j < count; j++)
        spn_print(stream, "%s%.17g%s", j % 4 ? " " : "\n    ", values[j], j + 1 < count ? "," : "");
    fprintf(stream, "};\n\n");
}

static void write_bits(FILE *stream, const char *name, const spn_model *model,
                       const int8_t *weights)
{
    const size_t bytes = (model->features + 7) / 8;
    fprintf(stream,
            "/* Weight i of class k is +1 where bit i %% 8 of byte i / 8 of row k is set, "
            "else -1. */\n"
            "static const unsigned char %s_bits[%u][%zu] = {\n",
            name, (unsigned)model->classes, bytes);
    for (uint32_t k = 0; k < model->classes; k++) {
        fprintf(stream, "    {");
        for (size_t b = 0; b < bytes; b++) {
            unsigned byte = 0;
            for (size_t i = 8 * b; i < 8 * b + 8 && i < model->features; i++)
                byte |= (unsigned)(weights[k * spn_model_row(model) + i] > 0) << i % 8;
            fprintf(stream, "%s%u%s", b > 0 && b % 16 == 0 ? "\n     " : "", byte,
                    b + 1 < bytes ? "," : "");
        }
        fprintf(stream, "}%s\n", k + 1 < model->classes ? "," : "");
    }
    fprintf(stream, "};\n\n");
}

static void write_added(FILE *stream, const char *name, const spn_model *model,
                        const int16_t *added)
{
    fprintf(stream,
            "/* Weight i of class k: the sum of the one-bit weights of the %zu copies of feature "
            "i. */\n"
            "static const short %s_weights[%u][%zu] = {\n",
            spn_encoding_copy_count(model->encoding), name, (unsigned)model->classes,
            model->features);
    for (uint32_t k = 0; k < model->classes; k++) {
        fprintf(stream, "    {");
        for (size_t i = 0; i < model->features; i++)
            fprintf(stream, "%s%d%s", i > 0 && i % 16 == 0 ? "\n     " : "",
                    added[k * model->features + i], i + 1 < model->features ? "," : "");
        fprintf(stream, "}%s\n", k + 1 < model->classes ? "," : "");
    }
    fprintf(stream, "};\n\n");
}

static void write_classes(FILE *stream, const char *name, const spn_model *model)
{
    fprintf(stream,
            "/* The name of class k, 0 to %u. */\n"
            "static inline const char *%s_class(int k)\n{\n"
            "    static const char *const names[%u] = {\n",
            (unsigned)model->classes - 1, name, (unsigned)model->classes);
    for (uint32_t k = 0; k < model->classes; k++) {
        fprintf(stream, "        ");
        write_string(stream, model->class_names[k]);
        fprintf(stream, "%s\n", k + 1 < model->classes ? "," : "");
    }
    fprintf(stream, "    };\n    return names[k];\n}\n\n");
}

/* One inference function, for features of the given type of C. */
static void write_predict(FILE *stream, const char *name, const spn_model *model,
                          const spn_export_numbers *numbers, const char *type, const char *suffix,
                          bool bytes)
{
    const bool binary = model->preprocess.kind == SPN_PREPROCESS_BINARY;
    const bool integers = numbers->integers && (binary || bytes);
    const bool uniform = numbers->integers;
    char value[64] = "x[i]", step[160] = "";
    if (binary)
        spn_print_text(value, sizeof value, "(x[i] > %.17g)", model->preprocess.threshold);
    if (!integers && uniform)
        snprintf(step, sizeof step, "%s_unit * ", name);
    else if (!integers)
        snprintf(step, sizeof step, "%s_step[i] * ", name);
    fprintf(stream,
            "/* The class of a sample of %zu features, as stored in the data; logits may be NULL, "
            "else it\n   takes the %u logits. Of classes with equal logits the first is taken. "
            "*/\n"
            "static inline int %s_predict%s(const %s *x, double *logits)\n{\n"
            "    int best = 0;\n    double highest = 0;\n"
            "    for (int k = 0; k < %u; k++) {\n"
            "        %s sum = 0;\n",
            model->features, (unsigned)model->classes, name, suffix, type, (unsigned)model->classes,
            integers ? "long" : "double");
    fprintf(stream,
            "        for (long i = 0; i < %zu; i++) {\n"
            "            const %s term = %s%s;\n",
            model->features, integers ? "long" : "double", step, value);
    fprintf(stream,
            numbers->added ? "            sum += %s_weights[k][i] * term;\n        }\n"
                           : "            sum += ((%s_bits[k][i / 8] >> (i %% 8)) & 1) ? term : "
                             "-term;\n        }\n",
            name);
    if (integers)
        fprintf(stream, "        const double product = %s_unit * (double)sum;\n", name);
    fprintf(stream,
            "        const double logit = %s - %s_offset[k];\n"
            "        if (logits)\n            logits[k] = logit;\n"
            "        if (k == 0 || logit > highest) {\n"
            "            highest = logit;\n            best = k;\n        }\n    }\n"
            "    return best;\n}\n\n",
            integers ? "product" : "sum", name);
}

static void write_head(FILE *stream, const char *name, const spn_model *model)
{
    fprintf(stream,
            "/* A classifier of %u classes with %zu one-bit weights, written by spinney %s.\n"
            "   C99, no dependencies, no state. Preprocessing (%s) is part of the functions:\n"
            "     %s_predict_bytes   features that are bytes, 0 to 255\n"
            "     %s_predict         real features\n"
            "     %s_class           the name of a class */\n"
            "#ifndef %s_H_INCLUDED\n#define %s_H_INCLUDED\n\n"
            "enum { %s_features = %zu, %s_classes = %u };\n\n",
            (unsigned)model->classes, model->classes * spn_model_row(model), SPN_VERSION,
            spn_preprocess_kind_name(model->preprocess.kind), name, name, name, name, name, name,
            model->features, name, (unsigned)model->classes);
}

spn_status spn_export_c(FILE *stream, const spn_model *model, const int8_t *weights,
                        const char *name, spn_error *err)
{
    spn_export_numbers numbers;
    if (!spn_export_numbers_make(&numbers, model, weights)) {
        spn_export_numbers_free(&numbers);
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for an export");
    }
    write_head(stream, name, model);
    if (numbers.added)
        write_added(stream, name, model, numbers.added);
    else
        write_bits(stream, name, model, weights);
    write_reals(stream, name, "offset", numbers.offset, model->classes);
    if (numbers.integers)
        spn_print(stream, "static const double %s_unit = %.17g;\n\n", name, numbers.unit);
    else
        write_reals(stream, name, "step", numbers.step, model->features);
    write_classes(stream, name, model);
    write_predict(stream, name, model, &numbers, "unsigned char", "_bytes", true);
    write_predict(stream, name, model, &numbers, "double", "", false);
    fprintf(stream, "#endif\n");
    spn_export_numbers_free(&numbers);
    return SPN_OK;
}
