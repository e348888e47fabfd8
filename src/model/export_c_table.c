/* The table of a model in its C99 header: the names of the features, and a struct of the user's
   columns, which the header encodes as spinney predict does. */
#include "model/export.h"

#include "base/memory.h"
#include "base/number.h"
#include "data/columns.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_field(const spn_column *column)
{
    return column->kind == SPN_COLUMN_NUMBER || column->kind == SPN_COLUMN_CATEGORY;
}

static bool is_reserved(const char *name)
{
    static const char *const words[] = {
        "alignas",  "alignof",  "and",      "asm",      "auto",    "bool",      "break",
        "case",     "catch",    "char",     "class",    "const",   "constexpr", "continue",
        "default",  "delete",   "do",       "double",   "else",    "enum",      "explicit",
        "export",   "extern",   "false",    "float",    "for",     "friend",    "goto",
        "if",       "inline",   "int",      "long",     "mutable", "namespace", "new",
        "noexcept", "not",      "nullptr",  "operator", "or",      "private",   "protected",
        "public",   "register", "restrict", "return",   "short",   "signed",    "sizeof",
        "static",   "struct",   "switch",   "template", "this",    "throw",     "true",
        "try",      "typedef",  "typeid",   "typename", "union",   "unsigned",  "using",
        "virtual",  "void",     "volatile", "while",    "xor",     "linux",     "unix",
        NULL};
    for (size_t k = 0; words[k]; k++)
        if (strcmp(words[k], name) == 0)
            return true;
    return false;
}

enum { NAME = 80 };

/* An identifier of C and C++ like the name of column c. */
static void plain_name(char out[NAME], const spn_columns *columns, size_t c)
{
    const char *name = columns->list[c].name;
    size_t used = 0;
    if (!name || !*name) {
        snprintf(out, NAME, "column_%zu", c + 1);
        return;
    }
    if (!isalpha((unsigned char)*name) || (unsigned char)*name >= 128)
        used = (size_t)snprintf(out, NAME, "x_");
    for (; *name && used < NAME - 20; name++)
        out[used++] = isalnum((unsigned char)*name) && (unsigned char)*name < 128 ? *name : '_';
    out[used] = '\0';
    if (is_reserved(out))
        strcat(out, "_");
}

/* The field of column c; its number makes it unlike those of other columns. */
static void field_name(char out[NAME], const spn_columns *columns, size_t c)
{
    char other[NAME];
    plain_name(out, columns, c);
    for (size_t k = 0; k < columns->count; k++) {
        plain_name(other, columns, k);
        if (k != c && is_field(&columns->list[k]) && strcmp(other, out) == 0) {
            snprintf(out + strlen(out), NAME - strlen(out), "_%zu", c + 1);
            return;
        }
    }
}

bool spn_c_has_table(const spn_c_header *h)
{
    const spn_columns *columns = h->model->columns;
    return columns && columns->features > 0 && h->model->width == 0;
}

void spn_c_features(const spn_c_header *h)
{
    const spn_columns *columns = h->model->columns;
    if (!spn_c_has_table(h) || !columns->header)
        return;
    spn_c_code(h, NULL,
               "/* The name of feature i of x. */\nstatic inline const char *@_feature(int i)\n{\n"
               "    static const char *const names[@_features] = {\n");
    for (size_t i = 0; i < columns->features; i++) {
        fprintf(h->stream, "        ");
        spn_c_string(h->stream, columns->feature_names[i] ? columns->feature_names[i] : "");
        fprintf(h->stream, "%s\n", i + 1 < columns->features ? "," : "");
    }
    spn_c_code(h, NULL, "    };\n    return names[i];\n}\n\n");
}

static void write_struct(const spn_c_header *h, const char *type)
{
    const spn_columns *columns = h->model->columns;
    char field[NAME];
    spn_c_code(h, NULL,
               "/* A row of the table. Missing: a number that is NaN (so do not compile with\n   "
               "-ffast-math), a text that is NULL or empty. "
               "Percents are fractions. */\ntypedef struct @_row {\n");
    for (size_t c = 0; c < columns->count; c++) {
        const spn_column *column = &columns->list[c];
        if (!is_field(column))
            continue;
        field_name(field, columns, c);
        fprintf(h->stream, "    %s%s;", column->kind == SPN_COLUMN_NUMBER ? type : "const char *",
                field);
        if (column->kind == SPN_COLUMN_CATEGORY)
            fprintf(h->stream, " /* one of %zu texts, see below */",
                    (size_t)column->categories.count);
        fputc('\n', h->stream);
    }
    spn_c_code(h, NULL, "} @_row;\n\n");
}

/* Both return 0 if the row is refused. */
static const char put_code[] =
    "static inline int @_put_number($ value, $ missing, int refused, $ *x)\n{\n"
    "    *x = value == value ? value : missing;\n"
    "    return value == value ? value - value == 0 : !refused; /* no infinity */\n}\n\n";
static const char put_text_code[] =
    "static inline int @_put_text(const char *value, const char *const *texts, int count, "
    "int refused,\n"
    "                             $ *x)\n{\n"
    "    int found = 0;\n"
    "    for (int k = 0; k < count; k++) {\n"
    "        const char *a = texts[k], *b = value ? value : \"\";\n"
    "        for (; *a && *a == *b; a++)\n            b++;\n"
    "        x[k] = *a == *b ? 1 : 0;\n"
    "        found = found || *a == *b;\n    }\n"
    "    return found || !refused; /* neither missing nor unknown */\n}\n\n";

static void write_texts(const spn_c_header *h, size_t c)
{
    const spn_texts *texts = &h->model->columns->list[c].categories;
    fprintf(h->stream, "    static const char *const texts_%zu[%zu] = {", c + 1,
            (size_t)texts->count);
    for (uint32_t k = 0; k < texts->count; k++) {
        fprintf(h->stream, "%s\n        ", k ? "," : "");
        spn_c_string(h->stream, texts->texts[k]);
    }
    fprintf(h->stream, "};\n");
}

static void write_encode(const spn_c_header *h, const spn_c_variant *v, bool refused)
{
    const spn_columns *columns = h->model->columns;
    const char *sum = "    return ";
    char field[NAME];
    spn_c_code(h, v,
               "/* The features of a row; 0 if it is refused. */\n"
               "static inline int @_encode(const @_row *row, $ *x)\n{\n");
    for (size_t c = 0; c < columns->count; c++)
        if (columns->list[c].kind == SPN_COLUMN_CATEGORY)
            write_texts(h, c);
    for (size_t c = 0; c < columns->count; c++) {
        const spn_column *column = &columns->list[c];
        if (!is_field(column))
            continue;
        field_name(field, columns, c);
        fputs(sum, h->stream);
        if (column->kind == SPN_COLUMN_CATEGORY) {
            spn_c_code(h, NULL, "@_put_text(");
            fprintf(h->stream, "row->%s, texts_%zu, %zu, ", field, c + 1,
                    (size_t)column->categories.count);
        } else {
            spn_c_code(h, NULL, "@_put_number(");
            spn_print(h->stream, "row->%s, (%s)%.17g, ", field, v->type,
                      columns->missing == SPN_MISSING_MEAN && columns->fills
                          ? columns->fills[column->feature]
                          : 0.0);
        }
        fprintf(h->stream, "%d, x + %zu)", refused, column->feature);
        sum = " &&\n           ";
    }
    fprintf(h->stream, ";\n}\n\n");
}

void spn_c_table(const spn_c_header *h, const spn_c_variant *v)
{
    const spn_columns *columns = h->model->columns;
    bool texts = false;
    char type[32];
    if (!spn_c_has_table(h))
        return;
    const bool refused = columns->missing == SPN_MISSING_REFUSE ||
                         (columns->missing == SPN_MISSING_MEAN && !columns->fills);
    for (size_t c = 0; c < columns->count; c++)
        texts = texts || columns->list[c].kind == SPN_COLUMN_CATEGORY;
    snprintf(type, sizeof type, "%s ", v->type);
    write_struct(h, type);
    spn_c_code(h, v, put_code);
    if (texts)
        spn_c_code(h, v, put_text_code);
    write_encode(h, v, refused);
    fprintf(h->stream, "/* The class of a row; -1 if a number is infinite%s. */\n",
            refused ? ", a value is missing, or a text is\n   none of the texts in training" : "");
    spn_c_code(h, v,
               "static inline int @_predict_row(const @_row *row, @_score *scores)\n{\n"
               "    $ x[@_features];\n"
               "    return @_encode(row, x) ? @_predict~(x, scores) : -1;\n}\n\n");
}
