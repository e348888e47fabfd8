/* Rows of CSV files, which may go over several lines, their fields, and what separates them. */
#include "data/read/csv.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Whether a character is the separator; ' ' stands for all blanks, 0 for any. */
static bool separates(char separator, char c)
{
    if (separator == 0)
        return c == ',' || c == ';' || c == '\t' || c == '|' || c == ' ';
    return c == separator || (separator == ' ' && c == '\t');
}

spn_csv_row spn_csv_row_of(const spn_csv *csv, spn_span line, size_t number)
{
    return (spn_csv_row){.rest = line, .line = number, .separator = csv->separator};
}

const char *spn_csv_place(char out[SPN_CSV_PLACE], const spn_csv *csv, size_t line, size_t column)
{
    char shown[SPN_SHOWN];
    const char *name = csv->names ? csv->names[column] : "";
    snprintf(out, SPN_CSV_PLACE, "line %zu, column %zu%s%s%s", line, column + 1, *name ? " ('" : "",
             spn_show(shown, (spn_span){name, strlen(name)}), *name ? "')" : "");
    return out;
}

const char *spn_csv_word(char out[SPN_SHOWN], const spn_csv *csv, size_t column)
{
    const char *name = csv->names ? csv->names[column] : "";
    if (!*name || strpbrk(name, ", '\"$&;()<>|*?`\\") || strlen(name) >= SPN_SHOWN - 4)
        snprintf(out, SPN_SHOWN, "%zu", column + 1);
    else
        snprintf(out, SPN_SHOWN, "%s", name);
    return out;
}

/* ---- fields ---- */

/* Blanks around a field mean nothing, unless they separate. */
static bool is_blank(char separator, char c)
{
    return c == ' ' || (c == '\t' && separator != '\t');
}

/* Whether a field may end here: a separator or the end of the line, perhaps after blanks. */
static bool may_end(spn_span text, size_t k, char separator)
{
    while (separator != ' ' && k < text.size && is_blank(separator, text.text[k]))
        k++;
    return k >= text.size || separates(separator, text.text[k]) || text.text[k] == '\n' ||
           text.text[k] == '\r';
}

/* The place of the quote that closes a field, looked for from a place within; the size of the text
   if there is none. A quote within is doubled, or written \" as R does. As a text may also end with
   a backslash, such a quote closes if the field may end there. */
static size_t quote_end(spn_span text, size_t from, char separator)
{
    for (size_t k = from; k < text.size; k++) {
        if (text.text[k] != '"')
            continue;
        const bool escaped = k > from && text.text[k - 1] == '\\';
        if (k + 1 < text.size && text.text[k + 1] == '"') {
            k++;
            if (escaped && may_end(text, k + 1, separator))
                return k;
        } else if (!escaped || may_end(text, k + 1, separator)) {
            return k;
        }
    }
    return text.size;
}

/* Move past the separator at `size` characters, or end the row. */
static void pass_over(spn_csv_row *row, size_t size)
{
    spn_span *rest = &row->rest;
    row->ended = size == rest->size;
    size += !row->ended;
    rest->text += size;
    rest->size -= size;
}

static void skip_blanks(spn_csv_row *row)
{
    size_t count = 0;
    while (count < row->rest.size && is_blank(row->separator, row->rest.text[count]))
        count++;
    row->rest.text += count;
    row->rest.size -= count;
}

/* The text given keeps the doubled quotes. */
static void take_quoted(spn_csv_row *row, spn_csv_field *out)
{
    size_t end = quote_end(row->rest, 1, row->separator);
    if (end >= row->rest.size) {
        row->fault = "a quote is not closed";
        end = row->rest.size - 1;
    }
    *out = (spn_csv_field){{row->rest.text + 1, end > 0 ? end - 1 : 0}, true};
    size_t next = end + 1;
    while (next < row->rest.size && !separates(row->separator, row->rest.text[next]) &&
           is_blank(row->separator, row->rest.text[next]))
        next++;
    if (next < row->rest.size && !separates(row->separator, row->rest.text[next])) {
        row->fault = "something follows a closing quote";
        next = row->rest.size;
    }
    pass_over(row, next);
}

static size_t plain_size(const spn_csv_row *row)
{
    size_t size = 0;
    if (row->separator != ' ') {
        const char *end =
            row->rest.size > 0 ? memchr(row->rest.text, row->separator, row->rest.size) : NULL;
        return end ? (size_t)(end - row->rest.text) : row->rest.size;
    }
    while (size < row->rest.size && !separates(' ', row->rest.text[size]))
        size++;
    return size;
}

bool spn_csv_next(spn_csv_row *row, spn_csv_field *out)
{
    if (row->ended || row->fault)
        return false;
    row->column++;
    skip_blanks(row);
    if (row->rest.size > 0 && row->rest.text[0] == '"') {
        take_quoted(row, out);
    } else {
        const size_t size = plain_size(row);
        *out = (spn_csv_field){spn_trim((spn_span){row->rest.text, size}), false};
        pass_over(row, size);
    }
    if (row->separator ==
        ' ') { /* several in a row are one, and at the end they separate nothing */
        skip_blanks(row);
        row->ended = row->rest.size == 0;
    }
    return !row->fault;
}

spn_span spn_csv_plain(char out[SPN_CSV_PLAIN], const spn_csv_field *field)
{
    const spn_span text = field->text;
    size_t size = 0;
    if (!field->quoted ||
        (!memchr(text.text, '"', text.size) && !memchr(text.text, '\n', text.size)))
        return text;
    for (size_t k = 0; k < text.size && size < SPN_CSV_PLAIN; k++) {
        const char c = text.text[k], next = k + 1 < text.size ? text.text[k + 1] : 0;
        if (c == '\r' && next == '\n')
            continue;
        if (c == '"' && next == '"')
            k++; /* doubled */
        else if (c == '"' && size > 0 && out[size - 1] == '\\')
            size--; /* escaped */
        out[size++] = c == '\n' ? ' ' : c;
    }
    return (spn_span){out, size};
}

spn_status spn_csv_count(size_t *out, const spn_csv *csv, spn_span line, size_t number,
                         spn_error *err)
{
    size_t count = 1;
    if (csv->separator != ' ' && !memchr(line.text, '"', line.size)) {
        for (size_t k = 0; k < line.size; k++)
            count += line.text[k] == csv->separator;
        *out = count;
        return SPN_OK;
    }
    spn_csv_row row = spn_csv_row_of(csv, line, number);
    spn_csv_field field;
    while (spn_csv_next(&row, &field))
        ;
    *out = row.column;
    return row.fault ? spn_source_fail(csv->source, err,
                                       "line %zu, column %zu: %s; double it or remove it", row.line,
                                       row.column, row.fault)
                     : SPN_OK;
}

/* ---- records ---- */

static const char separators[] = {',', ';', '\t', '|', ' '};
enum { COMMA, TAB = 2, BLANK = 4, SEPARATORS };

/* Excel's first line, such as sep=; or "sep=;". out: the separator. */
static bool is_sep_line(char *out, spn_span line)
{
    if (line.size == 7 && line.text[0] == '"' && line.text[6] == '"')
        line = (spn_span){line.text + 1, 5};
    if (line.size != 5 || strncasecmp(line.text, "sep=", 4) != 0)
        return false;
    *out = line.text[4];
    return memchr(separators, *out, SEPARATORS) != NULL;
}

spn_csv_records spn_csv_records_of(const spn_source *source, char separator)
{
    spn_csv_records records = {.lines = spn_lines_of(source), .separator = separator};
    spn_lines after = records.lines;
    spn_span line;
    char said;
    if (spn_lines_next_whole(&after, &line) && is_sep_line(&said, line))
        records.lines = after;
    return records;
}

/* A comment; but # alone in a cell is the name or the value of a column. */
static bool is_comment(spn_span line, char separator)
{
    line = spn_trim(line);
    return line.text[0] == '#' && (line.size == 1 || line.text[1] != separator || separator == ' ');
}

/* Where a quote opens that is not closed; the size if there is none. */
static size_t open_quote(spn_span line, char separator)
{
    size_t k = 0;
    while (k < line.size) {
        while (k < line.size && (line.text[k] == ' ' || line.text[k] == '\t') &&
               line.text[k] != separator)
            k++;
        if (k < line.size && line.text[k] == '"') {
            const size_t end = quote_end(line, k + 1, separator);
            if (end >= line.size)
                return k;
            k = end;
        }
        while (k < line.size && !separates(separator, line.text[k]))
            k++;
        k++;
    }
    return line.size;
}

/* Append the next line of the file. */
static bool lengthen(spn_lines *lines, spn_span *line)
{
    if (lines->rest.size == 0)
        return false;
    const char *start = lines->rest.text;
    const char *end = memchr(start, '\n', lines->rest.size);
    const size_t step = end ? (size_t)(end - start) + 1 : lines->rest.size;
    lines->rest.text += step;
    lines->rest.size -= step;
    lines->number++;
    line->size = (size_t)(start - line->text) + (end ? step - 1 : step);
    line->size -= line->text[line->size - 1] == '\r';
    return true;
}

/* Lines are added as long as a quote is open. What comes after it on the last line may open
   another. */
static void join(spn_csv_records *records, spn_span *line)
{
    spn_span longer = *line;
    spn_lines lines = records->lines;
    size_t opened = open_quote(longer, records->separator);
    while (opened < longer.size) {
        size_t from = opened + 1;
        while (quote_end(longer, from, records->separator) >= longer.size) {
            from = longer.size;
            if (!lengthen(&lines, &longer)) {
                records->broken = true; /* the error comes when the fields are read */
                return;
            }
        }
        const spn_span rest = {longer.text + opened, longer.size - opened};
        opened += open_quote(rest, records->separator);
    }
    *line = longer;
    records->lines = lines;
}

static size_t count_columns(spn_span line, char separator)
{
    size_t count = 1;
    for (size_t k = 0; k < line.size; k++)
        count += line.text[k] == separator;
    return count;
}

bool spn_csv_records_next(spn_csv_records *records, spn_span *out)
{
    for (;;) {
        if (!spn_lines_next_whole(&records->lines, out))
            return false;
        if (!is_comment(*out, records->separator))
            break;
        records->like_rows += count_columns(*out, records->separator) == records->columns;
    }
    records->line = records->lines.number;
    if (!records->broken && memchr(out->text, '"', out->size))
        join(records, out);
    return true;
}

/* ---- separators ---- */

/* How many lines are looked at. */
enum { LOOK = 20 };

static bool is_digit(spn_span line, size_t k)
{
    return k < line.size && line.text[k] >= '0' && line.text[k] <= '9';
}

typedef struct guess {
    size_t count[SEPARATORS]; /* in each line but perhaps the first */
    bool same[SEPARATORS];    /* as often in all */
    bool commas, decimal;     /* there are some; all of them can be decimal */
} guess;

/* Count separators outside of quotes; several blanks are one. A comma can be decimal if it stands
   between digits, at most one between other separators. */
static void count_separators(guess *out, spn_span line)
{
    bool quoted = false;
    size_t commas = 0;
    const spn_span core = spn_trim(line);
    const size_t start = (size_t)(core.text - line.text), end = start + core.size;
    for (size_t k = 0; k < line.size; k++) {
        const char c = line.text[k];
        quoted = c == '"' ? !quoted : quoted;
        for (size_t s = 0; !quoted && s < BLANK; s++)
            out->count[s] += c == separators[s];
        if (quoted)
            continue;
        const bool blank = c == ' ' || c == '\t';
        out->count[BLANK] +=
            blank && k > start && k < end && line.text[k - 1] != ' ' && line.text[k - 1] != '\t';
        if (blank || c == ';' || c == '|')
            commas = 0;
        if (c == ',') {
            out->commas = true;
            out->decimal = out->decimal && commas++ == 0 && k > 0 && is_digit(line, k - 1) &&
                           is_digit(line, k + 1);
        }
    }
}

/* What is as often in every line separates; of several the most frequent, and of these the comma
   first. Others than commas win where these can be decimal, and blanks separate only where nothing
   else does. */
static char choose(const guess *g, const size_t first[SEPARATORS], bool decimal_commas)
{
    size_t best = SEPARATORS;
    const bool not_commas = g->commas && (g->decimal || decimal_commas);
    for (size_t s = not_commas; s < BLANK; s++)
        if (g->same[s] && (best == SEPARATORS || g->count[s] > g->count[best]))
            best = s;
    if (best < SEPARATORS)
        return separators[best];
    bool others = false;
    for (size_t s = not_commas; s < BLANK; s++)
        others = others || (s != TAB && (first[s] > 0 || g->count[s] > 0));
    if (!others && (g->same[BLANK] || (first[BLANK] > 0 && !g->commas)))
        return ' ';
    for (size_t s = best = COMMA; s < BLANK; s++)
        if (first[s] > first[best])
            best = s;
    return first[COMMA] > 0 ? ',' : separators[best];
}

/* The first line may have one column fewer, as R writes a table with names of rows. */
static char detect_separator(const spn_csv *csv)
{
    spn_csv_records records = spn_csv_records_of(csv->source, 0);
    spn_span line;
    size_t first[SEPARATORS] = {0};
    guess g = {.decimal = true};
    for (size_t n = 0; n < LOOK && spn_csv_records_next(&records, &line); n++) {
        guess now = {.commas = g.commas, .decimal = g.decimal};
        count_separators(&now, line);
        for (size_t s = 0; s < SEPARATORS; s++) {
            const bool fewer = n == 1 && now.count[s] == first[s] + 1;
            now.same[s] =
                now.count[s] > 0 && (n == 0 || fewer || (g.same[s] && now.count[s] == g.count[s]));
        }
        g = now;
        if (n == 0)
            memcpy(first, now.count, sizeof first);
    }
    return choose(&g, first, csv->options->decimal == SPN_DECIMAL_COMMA);
}

char spn_csv_separator(const spn_csv *csv)
{
    static const char chosen[] = {[SPN_SEPARATOR_COMMA] = ',',
                                  [SPN_SEPARATOR_TAB] = '\t',
                                  [SPN_SEPARATOR_SEMICOLON] = ';',
                                  [SPN_SEPARATOR_PIPE] = '|',
                                  [SPN_SEPARATOR_BLANK] = ' '};
    spn_lines lines = spn_lines_of(csv->source);
    spn_span line;
    char said;
    if (csv->options->separator != SPN_SEPARATOR_AUTO)
        return chosen[csv->options->separator];
    if (spn_lines_next_whole(&lines, &line) && is_sep_line(&said, line))
        return said;
    return detect_separator(csv);
}
