/* A network as a C99 header without dependencies: weights packed into 64-bit words, sums by AND
   and popcount, in whole numbers. Units are in blocks of four, word by word, so that compilers can
   process four units in one vector. Inputs that are bytes are split into bit planes, so that they
   cost one popcount per bit. */
#include "model/export.h"

#include "base/number.h"
#include "base/try.h"

#include <spinney/version.h>

enum { WORD = 64, BLOCK = SPN_EXPORT_BLOCK };

/* ---- weights ---- */

static void write_word(FILE *stream, const int8_t *weights, size_t count, bool last)
{
    uint64_t word = 0;
    for (size_t b = 0; b < count; b++)
        word |= (uint64_t)(weights[b] > 0) << b;
    fprintf(stream, "0x%016llxULL%s", (unsigned long long)word, last ? "" : ",");
}

static void write_block(const spn_c_header *h, size_t block)
{
    const spn_export_network *n = h->network;
    FILE *stream = h->stream;
    fprintf(stream, "    {");
    for (size_t w = 0; w < h->words; w++) {
        const size_t from = w * WORD, left = n->inputs - from;
        fprintf(stream, "%s{", w ? ",\n     " : "");
        for (size_t j = block * BLOCK; j < (block + 1) * BLOCK; j++)
            write_word(stream, j < n->units ? n->hidden + j * n->inputs + from : n->hidden,
                       j >= n->units ? 0
                       : left < WORD ? left
                                     : WORD,
                       j + 1 == (block + 1) * BLOCK);
        fprintf(stream, "}");
    }
    fprintf(stream, "}%s\n", block + 1 < h->blocks ? "," : "");
}

static void write_weights(const spn_c_header *h)
{
    const spn_export_network *n = h->network;
    FILE *stream = h->stream;
    spn_c_code(h, NULL,
               "/* Weight i of unit j is +1 where bit i % 64 of hidden[j / 4][i / 64][j % 4] is "
               "set, else -1;\n   weight j of class k where bit j % 64 of outputs[k][j / 64] is. "
               "*/\n"
               "static const @_word @_hidden[@_blocks][@_words][4] = {\n");
    for (size_t block = 0; block < h->blocks; block++)
        write_block(h, block);
    spn_c_code(h, NULL, "};\n\nstatic const @_word @_outputs[@_classes][@_unit_words] = {\n");
    for (size_t k = 0; k < n->classes; k++) {
        fprintf(stream, "    {");
        for (size_t from = 0; from < n->units; from += WORD) {
            const size_t left = n->units - from;
            fputs(from ? "\n     " : "", stream);
            write_word(stream, n->outputs + k * n->units + from, left < WORD ? left : WORD,
                       left <= WORD);
        }
        fprintf(stream, "}%s\n", k + 1 < n->classes ? "," : "");
    }
    fprintf(stream, "};\n\n");
}

static void write_biases(const spn_c_header *h)
{
    const spn_model *model = h->model;
    if (model->hidden_bias || model->bias)
        fprintf(h->stream, "/* Sums of the weights on a constant input of 1. */\n");
    if (model->hidden_bias)
        spn_c_wholes(h, model->hidden_bias < INT16_MAX ? "short" : "long", "unit_bias",
                     h->network->unit_bias, h->blocks * BLOCK);
    if (model->bias)
        spn_c_wholes(h, "long", "class_bias", h->network->class_bias, h->network->classes);
}

/* ---- inference ---- */

static const char popcount_code[] =
    "/* The number of bits that are set in x is fold(part(x)), and parts of up to 31 words may be "
    "added\n   before they are folded: where no instruction counts bits, they are counted in each "
    "byte. */\n"
    "#if defined(__GNUC__) && (defined(__POPCNT__) || defined(__aarch64__) || "
    "defined(__riscv_zbb))\n"
    "static inline @_word @_part(@_word x)\n{\n"
    "    return (@_word)__builtin_popcountll(x);\n}\n\n"
    "static inline @_word @_fold(@_word counts)\n{\n    return counts;\n}\n"
    "#else\n"
    "static inline @_word @_part(@_word x)\n{\n"
    "    x -= (x >> 1) & 0x5555555555555555ULL;\n"
    "    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);\n"
    "    return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;\n}\n\n"
    "static inline @_word @_fold(@_word counts)\n{\n"
    "    const @_word pairs = (counts & 0x00ff00ff00ff00ffULL) + ((counts >> 8) & "
    "0x00ff00ff00ff00ffULL);\n"
    "    return ((pairs * 0x0001000100010001ULL) >> 48) & 0xffff;\n}\n"
    "#endif\n\n";

static const char count_code[] =
    "/* Of each unit of a block the number of inputs that are 1 and have the weight +1. */\n"
    "static inline void @_count(const @_word *bits, int block, @_word *counts)\n{\n"
    "    for (int u = 0; u < 4; u++)\n        counts[u] = 0;\n"
    "    for (int from = 0; from < @_words; from += 31) {\n"
    "        const int to = @_words - from < 31 ? @_words : from + 31;\n"
    "        @_word parts[4] = {0, 0, 0, 0};\n"
    "        for (int w = from; w < to; w++)\n"
    "            for (int u = 0; u < 4; u++)\n"
    "                parts[u] += @_part(@_hidden[block][w][u] & bits[w]);\n"
    "        for (int u = 0; u < 4; u++)\n            counts[u] += @_fold(parts[u]);\n"
    "    }\n}\n\n";

/* Up to the score of a class. */
static const char decide_code[] =
    "/* The class from the signs of the units. */\n"
    "static inline int @_decide(const @_word *signs, @_score *scores)\n{\n"
    "    int best = 0;\n    @_score highest = 0;\n"
    "    for (int k = 0; k < @_classes; k++) {\n"
    "        @_word differ = 0;\n"
    "        for (int w = 0; w < @_unit_words; w++)\n"
    "            differ += @_fold(@_part(@_outputs[k][w] ^ signs[w]));\n"
    "        const @_score score = @_units - 2 * (@_score)differ";

static const char decide_rest_code[] =
    ";\n        if (scores)\n            scores[k] = score;\n"
    "        if (k == 0 || score > highest) {\n"
    "            highest = score;\n            best = k;\n        }\n    }\n"
    "    return best;\n}\n\n";

/* Up to the sum of a unit. If the inputs of weight +1 sum to p, and all inputs to a, the sum of
   the unit is 2 p - a. */
static const char run_code[] =
    "/* The class of inputs in bit planes: input i is the sum over p of 2^p times bit i % 64 of\n"
    "   planes[p * words + i / 64]; all is the sum of the inputs. */\n"
    "static inline int @_run(const @_word *planes, int used, long all, @_score *scores)\n{\n"
    "    @_word signs[@_unit_words] = {0};\n"
    "    for (int block = 0; block < @_blocks; block++) {\n"
    "        @_word counts[4], sums[4] = {0, 0, 0, 0}, four = 0;\n"
    "        for (int p = 0; p < used; p++) {\n"
    "            @_count(planes + p * @_words, block, counts);\n"
    "            for (int u = 0; u < 4; u++)\n                sums[u] += counts[u] << p;\n"
    "        }\n"
    "        for (int u = 0; u < 4; u++)\n"
    "            four |= (@_word)(2 * (long)sums[u]";

static const char run_rest_code[] = " >= all) << u;\n"
                                    "        signs[block / 16] |= four << (block % 16 * 4);\n"
                                    "    }\n";

static void write_network(const spn_c_header *h)
{
    const size_t rest = h->network->units % WORD;
    spn_c_code(h, NULL, popcount_code);
    spn_c_code(h, NULL, count_code);
    spn_c_code(h, NULL, decide_code);
    if (h->model->bias)
        spn_c_code(h, NULL, " + @_class_bias[k]");
    spn_c_code(h, NULL, decide_rest_code);
    spn_c_code(h, NULL, run_code);
    if (h->model->hidden_bias)
        spn_c_code(h, NULL, " + @_unit_bias[4 * block + u]");
    spn_c_code(h, NULL, run_rest_code);
    if (rest % BLOCK)
        fprintf(h->stream,
                "    /* a block may have places without a unit */\n"
                "    signs[%s_unit_words - 1] &= 0x%llxULL;\n",
                h->name, (unsigned long long)((UINT64_C(1) << rest) - 1));
    spn_c_code(h, NULL, "    return @_decide(signs, scores);\n}\n\n");
}

static const char predict_bits_code[] =
    "/* The class of packed inputs; scores may be NULL, else it takes the scores. Of classes with "
    "equal\n   scores the first is taken. */\n"
    "static inline int @_predict_bits(const @_word *bits, @_score *scores)\n{\n"
    "    @_word all = 0;\n"
    "    for (int w = 0; w < @_words; w++)\n        all += @_fold(@_part(bits[w]));\n"
    "    return @_run(bits, 1, (long)all, scores);\n}\n\n";

static const char pack_binary_code[] = "static inline void @_pack~(const $ *x, @_word *bits)\n{\n"
                                       "    for (int w = 0; w < @_words; w++) {\n"
                                       "        const int left = @_inputs - 64 * w;\n"
                                       "        @_word word = 0;\n"
                                       "        for (int b = 0; b < (left < 64 ? left : 64); b++)\n"
                                       "            word |= (@_word)(x[64 * w + b] > `) << b;\n"
                                       "        bits[w] = word;\n    }\n}\n\n";

static const char pack_thermometer_code[] =
    "static inline void @_pack~(const $ *x, @_word *bits)\n{\n"
    "    for (int w = 0; w < @_words; w++)\n        bits[w] = 0;\n"
    "    for (long i = 0; i < @_features; i++)\n"
    "        for (long j = @_start[i]; j < @_start[i + 1]; j++)\n"
    "            bits[j / 64] |= (@_word)(x[i] > `[j]) << (j % 64);\n}\n\n";

static const char predict_packed_code[] =
    "static inline int @_predict~(const $ *x, @_score *scores)\n{\n"
    "    @_word bits[@_words];\n    @_pack~(x, bits);\n"
    "    return @_predict_bits(bits, scores);\n}\n\n";

static const char predict_planes_code[] =
    "static inline int @_predict~(const $ *x, @_score *scores)\n{\n"
    "    @_word planes[8 * @_words] = {0};\n"
    "    long all = 0;\n    int any = 0, used = 0;\n"
    "    for (int i = 0; i < @_inputs; i++) {\n        all += x[i];\n        any |= x[i];\n    }\n"
    "    while (any >> used)\n        used++;\n"
    "    for (int p = 0; p < used; p++)\n"
    "        for (int i = 0; i < @_inputs; i++)\n"
    "            planes[p * @_words + i / 64] |= (@_word)((x[i] >> p) & 1) << (i % 64);\n"
    "    return @_run(planes, used, all, scores);\n}\n\n";

static void write_variant(const spn_c_header *h, const spn_c_variant *v)
{
    const spn_model *model = h->model;
    if (spn_export_bits(model)) {
        fprintf(h->stream, "/* Pack the inputs of a sample, whose features are %s. */\n", v->what);
        spn_c_code(h, v, spn_export_binary(model) ? pack_binary_code : pack_thermometer_code);
    }
    fprintf(h->stream, "/* The class of a sample of %zu features, %s, as stored in the data. */\n",
            model->features, v->what);
    spn_c_code(h, v, spn_export_bits(model) ? predict_packed_code : predict_planes_code);
}

static spn_status write_thresholds(const spn_c_header *h, spn_error *err)
{
    const double threshold = h->model->preprocess.threshold;
    if (spn_export_thermometer(h->model))
        return spn_c_thresholds(h, err);
    if (!spn_export_binary(h->model))
        return SPN_OK;
    fprintf(h->stream,
            "/* Inputs are 1 where a feature is above this. */\n"
            "static const long %s_whole = %lld;\n",
            h->name, spn_c_whole(threshold));
    if (h->reals)
        spn_print(h->stream, "static const double %s_threshold = %.17g;\n", h->name, threshold);
    fprintf(h->stream, "\n");
    return SPN_OK;
}

static void write_inference(const spn_c_header *h)
{
    write_network(h);
    if (!spn_export_bits(h->model)) {
        write_variant(h, &h->variants[SPN_C_BYTES]);
        return;
    }
    spn_c_code(h, NULL, predict_bits_code);
    for (size_t j = 0; j < (h->reals ? 3 : 2); j++)
        write_variant(h, &h->variants[j]);
    if (h->reals)
        spn_c_table(h, &h->variants[SPN_C_REALS]);
}

/* ---- the whole ---- */

static void write_head(const spn_c_header *h)
{
    const spn_export_network *n = h->network;
    const spn_model *model = h->model;
    FILE *stream = h->stream;
    const size_t weights = h->networks * spn_model_sites(model);
    fprintf(stream,
            "/* A network of %zu inputs, %zu hidden units and %zu classes with %zu one-bit weights "
            "(%zu bytes;\n   %zu here, in whole words), written by spinney %s.\n",
            n->inputs, n->units, n->classes, weights, (weights + 7) / 8,
            8 * (h->blocks * BLOCK * h->words + n->classes * h->unit_words), SPN_VERSION);
    if (h->networks > 1)
        fprintf(stream, "   It is the vote of %zu networks of %zu units: their scores add up.\n",
                h->networks, model->hidden);
    spn_c_about(h, spn_export_bits(model), h->reals);
    if (spn_export_bits(model))
        spn_c_code(h, NULL, "     @_predict_bits    inputs packed by @_pack_bytes and its like\n");
    spn_c_code(h, NULL,
               "     @_class           the name of a class\n"
               "   Whole numbers alone are computed with");
    if (h->reals)
        fprintf(stream, " (real features are but compared)");
    spn_c_code(h, NULL,
               ", and classes are those of spinney predict.\n"
               "   A logit is its score times ");
    spn_print(stream, "%.17g", model->logit_scale);
    spn_c_code(
        h, NULL,
        ".\n   To use it: @_score scores[@_classes]; int k = @_predict_bytes(x, scores); */\n"
        "#ifndef @_H_INCLUDED\n#define @_H_INCLUDED\n\n");
}

static spn_status write_all(const spn_c_header *h, spn_error *err)
{
    write_head(h);
    const spn_export_network *n = h->network;
    const char *name = h->name;
    fprintf(h->stream,
            "enum {\n    %s_features = %zu,\n    %s_classes = %zu,\n    %s_inputs = %zu,\n"
            "    %s_units = %zu,\n    %s_words = %zu, /* of 64 inputs */\n"
            "    %s_blocks = %zu, /* of 4 units */\n"
            "    %s_unit_words = %zu /* of 64 units */\n};\n\n",
            name, h->model->features, name, n->classes, name, n->inputs, name, n->units, name,
            h->words, name, h->blocks, name, h->unit_words);
    spn_c_code(h, NULL, "typedef long @_score;\ntypedef unsigned long long @_word;\n\n");
    write_weights(h);
    write_biases(h);
    SPN_TRY(write_thresholds(h, err));
    spn_c_classes(h);
    spn_c_features(h);
    write_inference(h);
    fprintf(h->stream, "#endif\n");
    return SPN_OK;
}

/* Images are bytes unless all thresholds lie within 0 and 1. Other features may be real. */
static bool may_be_real(const spn_model *model)
{
    const spn_encoding *e = spn_export_thermometer(model);
    double highest = model->preprocess.threshold;
    if (!spn_export_bits(model))
        return false;
    for (size_t j = 0; e && j < e->inputs; j++)
        if (j == 0 || e->thresholds[j] > highest)
            highest = e->thresholds[j];
    return model->width == 0 || highest < 1;
}

static spn_status check(const spn_export_network *network, spn_export_arithmetic wanted,
                        spn_error *err)
{
    SPN_REFUSE_IF(wanted == SPN_ARITHMETIC_FLOAT || wanted == SPN_ARITHMETIC_DOUBLE, err,
                  "the arithmetic %s is not possible: networks compute in whole numbers; "
                  "auto and int are",
                  spn_export_arithmetic_name(wanted));
    SPN_REFUSE_IF(network->inputs > INT32_MAX / 512 || network->units > INT32_MAX / 512, err,
                  "a network of %zu inputs and %zu hidden units is too large for a header "
                  "of C; npy holds its weights",
                  network->inputs, network->units);
    return SPN_OK;
}

spn_status spn_export_c_network(spn_c_header *h, size_t count, spn_export_arithmetic wanted,
                                spn_error *err)
{
    spn_export_network network;
    spn_status status;
    SPN_TRY_OR(cleanup, spn_export_network_make(&network, h->model, h->weights, count, err));
    SPN_TRY_OR(cleanup, check(&network, wanted, err));
    h->network = &network; /* cppcheck-suppress autoVariables ; only for write_all */
    h->networks = count;
    h->words = (network.inputs + WORD - 1) / WORD;
    h->blocks = (network.units + BLOCK - 1) / BLOCK;
    h->unit_words = (network.units + WORD - 1) / WORD;
    h->arithmetic = SPN_ARITHMETIC_INT;
    h->reals = wanted == SPN_ARITHMETIC_AUTO && may_be_real(h->model);
    h->score = "long";
    status = write_all(h, err);
cleanup:
    spn_export_network_free(&network);
    return status;
}
