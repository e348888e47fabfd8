/* Formulas of TeX in labels, as plain text of UTF-8. */
#include "base/tex.h"
#include "base/try.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct word {
    const char *name, *text;
} word;

/* Commands without an argument. */
static const word symbols[] = {
    {"alpha", "α"},      {"beta", "β"},       {"gamma", "γ"},   {"delta", "δ"},
    {"epsilon", "ϵ"},    {"varepsilon", "ε"}, {"zeta", "ζ"},    {"eta", "η"},
    {"theta", "θ"},      {"vartheta", "ϑ"},   {"iota", "ι"},    {"kappa", "κ"},
    {"lambda", "λ"},     {"mu", "μ"},         {"nu", "ν"},      {"xi", "ξ"},
    {"pi", "π"},         {"rho", "ρ"},        {"varrho", "ϱ"},  {"sigma", "σ"},
    {"varsigma", "ς"},   {"tau", "τ"},        {"upsilon", "υ"}, {"phi", "ϕ"},
    {"varphi", "φ"},     {"chi", "χ"},        {"psi", "ψ"},     {"omega", "ω"},
    {"Gamma", "Γ"},      {"Delta", "Δ"},      {"Theta", "Θ"},   {"Lambda", "Λ"},
    {"Xi", "Ξ"},         {"Pi", "Π"},         {"Sigma", "Σ"},   {"Upsilon", "Υ"},
    {"Phi", "Φ"},        {"Psi", "Ψ"},        {"Omega", "Ω"},   {"langle", "⟨"},
    {"rangle", "⟩"},     {"infty", "∞"},      {"cdot", "·"},    {"times", "×"},
    {"pm", "±"},         {"mp", "∓"},         {"le", "≤"},      {"leq", "≤"},
    {"ge", "≥"},         {"geq", "≥"},        {"ne", "≠"},      {"neq", "≠"},
    {"ll", "≪"},         {"gg", "≫"},         {"approx", "≈"},  {"sim", "∼"},
    {"simeq", "≃"},      {"equiv", "≡"},      {"propto", "∝"},  {"to", "→"},
    {"rightarrow", "→"}, {"leftarrow", "←"},  {"in", "∈"},      {"partial", "∂"},
    {"nabla", "∇"},      {"sum", "∑"},        {"prod", "∏"},    {"int", "∫"},
    {"ell", "ℓ"},        {"hbar", "ℏ"},       {"dagger", "†"},  {"star", "⋆"},
    {"circ", "∘"},       {"prime", "′"},      {"ldots", "…"},   {"dots", "…"},
    {"cdots", "⋯"},      {"mid", "|"},        {"Vert", "‖"},    {"log", "log"},
    {"ln", "ln"},        {"exp", "exp"},      {"min", "min"},   {"max", "max"},
    {"tanh", "tanh"},    {"cosh", "cosh"},    {"sinh", "sinh"}, {"Pr", "Pr"},
    {"quad", " "},       {"left", ""},        {"right", ""},    {"displaystyle", ""},
    {"percent", "%"},    {NULL, NULL}};

/* Commands with an argument: what stands before and after it. */
static const struct {
    const char *name, *before, *after;
} marks[] = {{"mathrm", "", ""},    {"text", "", ""},        {"mathbf", "", ""},
             {"mathcal", "", ""},   {"mathit", "", ""},      {"operatorname", "", ""},
             {"sqrt", "√(", ")"},   {"bar", "", "\u0304"},   {"overline", "", "\u0304"},
             {"hat", "", "\u0302"}, {"tilde", "", "\u0303"}, {"vec", "", "\u20d7"},
             {"dot", "", "\u0307"}};

static const word raised[] = {
    {"0", "⁰"}, {"1", "¹"}, {"2", "²"}, {"3", "³"}, {"4", "⁴"},  {"5", "⁵"}, {"6", "⁶"}, {"7", "⁷"},
    {"8", "⁸"}, {"9", "⁹"}, {"+", "⁺"}, {"−", "⁻"}, {"=", "⁼"},  {"(", "⁽"}, {")", "⁾"}, {"a", "ᵃ"},
    {"b", "ᵇ"}, {"c", "ᶜ"}, {"d", "ᵈ"}, {"e", "ᵉ"}, {"f", "ᶠ"},  {"g", "ᵍ"}, {"h", "ʰ"}, {"i", "ⁱ"},
    {"j", "ʲ"}, {"k", "ᵏ"}, {"l", "ˡ"}, {"m", "ᵐ"}, {"n", "ⁿ"},  {"o", "ᵒ"}, {"p", "ᵖ"}, {"r", "ʳ"},
    {"s", "ˢ"}, {"t", "ᵗ"}, {"u", "ᵘ"}, {"v", "ᵛ"}, {"w", "ʷ"},  {"x", "ˣ"}, {"y", "ʸ"}, {"z", "ᶻ"},
    {"′", "′"}, {"†", "†"}, {"β", "ᵝ"}, {"γ", "ᵞ"}, {NULL, NULL}};
static const word lowered[] = {
    {"0", "₀"}, {"1", "₁"}, {"2", "₂"}, {"3", "₃"}, {"4", "₄"},  {"5", "₅"}, {"6", "₆"}, {"7", "₇"},
    {"8", "₈"}, {"9", "₉"}, {"+", "₊"}, {"−", "₋"}, {"=", "₌"},  {"(", "₍"}, {")", "₎"}, {"a", "ₐ"},
    {"e", "ₑ"}, {"h", "ₕ"}, {"i", "ᵢ"}, {"j", "ⱼ"}, {"k", "ₖ"},  {"l", "ₗ"}, {"m", "ₘ"}, {"n", "ₙ"},
    {"o", "ₒ"}, {"p", "ₚ"}, {"r", "ᵣ"}, {"s", "ₛ"}, {"t", "ₜ"},  {"u", "ᵤ"}, {"v", "ᵥ"}, {"x", "ₓ"},
    {"β", "ᵦ"}, {"γ", "ᵧ"}, {"ρ", "ᵨ"}, {"χ", "ᵪ"}, {NULL, NULL}};

typedef struct reader {
    const char *at, *end; /* of the formula */
    spn_error *err;
} reader;

enum { ROOM = 512, DEPTH = 8 };

static const char *find(const word *list, const char *name, size_t length)
{
    for (; list->name; list++)
        if (strlen(list->name) == length && memcmp(list->name, name, length) == 0)
            return list->text;
    return NULL;
}

static spn_status put(char out[ROOM], const char *text, size_t length, reader *r)
{
    const size_t used = strlen(out);
    if (used + length >= ROOM)
        return spn_refuse(r->err, "the formula is too long");
    memcpy(out + used, text, length);
    out[used + length] = '\0';
    return SPN_OK;
}

static size_t letter_size(const char *at)
{
    size_t size = 1;
    while (((unsigned char)at[size] & 0xC0) == 0x80)
        size++;
    return size;
}

/* Raise or lower every letter, or none: then ^(...) or _(...), without brackets for one letter. */
static spn_status put_script(char out[ROOM], const char *text, const word *list, reader *r)
{
    char small[ROOM] = "";
    const char *sign = list == raised ? "^" : "_";
    for (const char *c = text; *c; c += letter_size(c)) {
        const char *found = find(list, c, letter_size(c));
        if (found) {
            SPN_TRY(put(small, found, strlen(found), r));
            continue;
        }
        const bool one = !text[letter_size(text)];
        SPN_TRY(put(out, sign, 1, r));
        SPN_TRY(put(out, "(", !one, r));
        SPN_TRY(put(out, text, strlen(text), r));
        return put(out, ")", !one, r);
    }
    return put(out, small, strlen(small), r);
}

static spn_status take_one(char out[ROOM], reader *r, size_t depth);

/* Up to the end, or the brace that closes a group. */
static spn_status take_all(char out[ROOM], reader *r, bool group, size_t depth)
{
    while (r->at < r->end && *r->at != '}')
        SPN_TRY(take_one(out, r, depth));
    if (group != (r->at < r->end))
        return spn_refuse(r->err, "a formula has { and } that do not match");
    r->at += group;
    return SPN_OK;
}

/* A group, or one letter or command. */
static spn_status take_argument(char out[ROOM], reader *r, size_t depth)
{
    *out = '\0';
    while (r->at < r->end && *r->at == ' ')
        r->at++;
    if (r->at == r->end || depth > DEPTH)
        return spn_refuse(r->err, "a formula ends where ^, _ or a command needs something");
    return take_one(out, r, depth + 1);
}

static spn_status take_fraction(char out[ROOM], reader *r, size_t depth)
{
    char part[ROOM];
    for (size_t k = 0; k < 2; k++) {
        SPN_TRY(take_argument(part, r, depth));
        const bool one = !part[letter_size(part)];
        SPN_TRY(put(out, k ? "/(" : "(", k + !one, r));
        SPN_TRY(put(out, part, strlen(part), r));
        SPN_TRY(put(out, ")", !one, r));
    }
    return SPN_OK;
}

static spn_status take_command(char out[ROOM], reader *r, size_t depth)
{
    const char *name = ++r->at;
    char part[ROOM];
    while (r->at < r->end && isalpha((unsigned char)*r->at))
        r->at++;
    const size_t length = (size_t)(r->at - name);
    if (length == 0 && r->at < r->end) { /* \, \; \% \$ \{ and the like */
        const char sign = *r->at++;
        return strchr(",;:! ", sign) ? put(out, " ", sign != '!', r) : put(out, &sign, 1, r);
    }
    if (length == 4 && memcmp(name, "frac", 4) == 0)
        return take_fraction(out, r, depth);
    const char *text = find(symbols, name, length);
    if (text)
        return put(out, text, strlen(text), r);
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (strlen(marks[k].name) == length && memcmp(name, marks[k].name, length) == 0) {
            SPN_TRY(take_argument(part, r, depth));
            SPN_TRY(put(out, marks[k].before, strlen(marks[k].before), r));
            SPN_TRY(put(out, part, strlen(part), r));
            return put(out, marks[k].after, strlen(marks[k].after), r);
        }
    return spn_refuse(r->err, "the formula's command \\%.*s is not known here", (int)length, name);
}

static spn_status take_one(char out[ROOM], reader *r, size_t depth)
{
    char part[ROOM];
    const char c = *r->at;
    if (depth > DEPTH)
        return spn_refuse(r->err, "a formula has groups deeper than %d", DEPTH);
    if (c == '\\')
        return take_command(out, r, depth);
    if (c == '^' || c == '_') {
        r->at++;
        SPN_TRY(take_argument(part, r, depth));
        return put_script(out, part, c == '^' ? raised : lowered, r);
    }
    if (c == '{') {
        r->at++;
        return take_all(out, r, true, depth + 1);
    }
    const size_t size = letter_size(r->at);
    const char *text = c == '-' ? "−" : c == '\'' ? "′" : c == '~' ? " " : NULL;
    const char *from = text ? text : r->at;
    r->at += size;
    return put(out, from, text ? strlen(text) : size, r);
}

const char *spn_tex_formula(const char **end, const char *text)
{
    for (const char *start = text; (start = strchr(start, '$')); start++) {
        if (start > text && start[-1] == '\\')
            continue;
        for (*end = start; (*end = strchr(*end + 1, '$'));)
            if ((*end)[-1] != '\\')
                return start;
        return NULL;
    }
    return NULL;
}

spn_status spn_tex_plain(char *out, size_t size, const char *text, spn_error *err)
{
    size_t used = 0;
    const char *end, *start;
    *out = '\0';
    while ((start = spn_tex_formula(&end, text))) {
        char formula[ROOM] = "";
        reader r = {.at = start + 1, .end = end, .err = err};
        SPN_TRY(take_all(formula, &r, false, 0));
        const int length =
            snprintf(out + used, size - used, "%.*s%s", (int)(start - text), text, formula);
        used = (size_t)length < size - used ? used + (size_t)length : size - 1;
        text = end + 1;
    }
    snprintf(out + used, size - used, "%s", text);
    return SPN_OK;
}
