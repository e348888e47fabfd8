/* Labelled data: samples of equal length, each with a class. A dataset is read once and then
   borrowed const. <spinney/preprocess.h> turns its features into the numbers that a classifier
   sees. */
#ifndef SPINNEY_DATASET_H
#define SPINNEY_DATASET_H

#include <spinney/columns.h>
#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

SPN_BEGIN_C

typedef struct spn_dataset spn_dataset;

/* The features, row by row: sample n starts at n * features. They are bytes (pixels, kept as they
   are in the file) or doubles; the other one is NULL. They belong to the dataset. */
SPN_API const uint8_t *spn_dataset_bytes(const spn_dataset *dataset);
SPN_API const double *spn_dataset_values(const spn_dataset *dataset);

/* Feature i of sample n, however it is stored. */
SPN_API double spn_dataset_value(const spn_dataset *dataset, size_t n, size_t i);

/* How the columns of the file became features, to read further files by (spn_read_options.columns);
   NULL if they are plain numbers without names. It belongs to the dataset. */
SPN_API const spn_columns *spn_dataset_columns(const spn_dataset *dataset);

/* The name of feature i, such as "age" or "colour=red"; NULL if it has none. */
static inline const char *spn_dataset_feature_name(const spn_dataset *dataset, size_t i)
{
    const spn_columns *columns = spn_dataset_columns(dataset);
    return columns ? spn_columns_feature_name(columns, i) : NULL;
}

/* How many values are missing. They are NaN; only data that were read with SPN_MISSING_MEAN have
   any. Training fills them in; scalings, energies and evaluations refuse them. */
SPN_API size_t spn_dataset_missing(const spn_dataset *dataset);

/* What was left out while the file was read, in words: samples without a label, lines that start
   with # but look like samples. NULL: nothing. It belongs to the dataset, and not to its parts. */
SPN_API const char *spn_dataset_note(const spn_dataset *dataset);

/* Accepts NULL. */
SPN_API void spn_dataset_free(spn_dataset *dataset);

/* What a dataset is made of; start from spn_dataset_arrays_defaults(). Everything is copied, unless
   borrow is set. */
typedef struct spn_dataset_arrays {
    size_t size;                    /* of this struct */
    size_t samples, features;       /* at least 1 each */
    const uint8_t *bytes;           /* the features, row by row: these, */
    const double *values;           /* or these, finite */
    const uint32_t *labels;         /* below classes; NULL: no labels */
    size_t classes;                 /* K: 1 to SPN_MAX_CLASSES with labels, 0 without */
    const char *const *class_names; /* different and not empty; NULL: "0", "1", ... */
    size_t width, height;           /* of an image, width * height features; 0: none */
    /* How much each sample counts in the loss of a classifier: weight 2 is like having the sample
       twice. Positive and finite; NULL, or all 1: all count the same */
    const double *weights;
    /* Not 0: do not copy bytes, nor values unless all are integers 0 to 255. They stay the
       caller's, and must not change or go away as long as the dataset lives (0) */
    size_t borrow;
} spn_dataset_arrays;

SPN_DEFAULTS(spn_dataset_arrays, spn_dataset_arrays_defaults, )

/* Make a dataset from arrays in memory. It equals, checksum included, that of a file with the same
   content whose classes have the same numbers: values that are all integers 0..255 are kept as
   bytes. out: free it with spn_dataset_free; NULL on failure.
   Errors: ARGUMENT, naming sample and feature, or the class; MEMORY. O(samples * features + K^2).
 */
SPN_API spn_status spn_dataset_create(spn_dataset **out, const spn_dataset_arrays *arrays,
                                      spn_error *err);

/* The arrays of a dataset, which keeps them; bytes and values are NULL: ask for them by the
   functions above. O(1). out: out->size says how much of it to fill. */
SPN_API void spn_dataset_describe(spn_dataset_arrays *out, const spn_dataset *dataset);

/* Each of them alone. */
#define SPN_DATASET_GETTER(type, field)                                                            \
    static inline type spn_dataset_##field(const spn_dataset *dataset)                             \
    {                                                                                              \
        spn_dataset_arrays arrays = spn_dataset_arrays_defaults();                                 \
        spn_dataset_describe(&arrays, dataset);                                                    \
        return (type)arrays.field;                                                                 \
    }
SPN_DATASET_GETTER(size_t, samples)
SPN_DATASET_GETTER(size_t, features)
SPN_DATASET_GETTER(const uint32_t *, labels)
SPN_DATASET_GETTER(uint32_t, classes)
SPN_DATASET_GETTER(const char *const *, class_names)
SPN_DATASET_GETTER(size_t, width)
SPN_DATASET_GETTER(size_t, height)
SPN_DATASET_GETTER(const double *, weights)
#undef SPN_DATASET_GETTER

/* ---- reading ---- */

/* The file formats. Each may be gzipped, whatever its name.
   IDX: unsigned bytes, images (3-D) or vectors (2-D), the labels in a second file.
   CSV: one sample per line, "quoted" if needed, separated by commas, semicolons, tabs, | or blanks;
   the label, any text, in any column. Columns of texts are categories (<spinney/columns.h>).
   NPY: versions 1.0 to 3.0, C or Fortran order, either byte order, f2 f4 f8 bool i1..i8 u1..u8, 2-D
   to 4-D; the labels in a second, 1-D file of integers, bool, floats that are integers, or texts.
   SVMLIGHT: "label index:value ...", indices ascending, from 0 if there is an index 0, otherwise
   from 1; absent values are 0, qid is skipped; labels are integers, and +1 is the class "1".
   NPZ: arrays in a ZIP file, stored or deflated: x_train and y_train (with x_test and y_test),
   train_images and train_labels (with test_), X and y, data and target, images and labels, features
   and labels, data and labels, in any case; or a single array; or two, one of which has a label for
   each sample of the other. */
typedef enum spn_format {
    SPN_FORMAT_AUTO = 0, /* by the content; for text, by the extension */
    SPN_FORMAT_IDX,
    SPN_FORMAT_CSV,
    SPN_FORMAT_NPY,
    SPN_FORMAT_SVMLIGHT,
    SPN_FORMAT_NPZ
} spn_format;

/* Where the labels are: a column of CSV (other formats have a fixed place), or nowhere. */
typedef enum spn_label_place {
    SPN_LABELS_LAST = 0,
    SPN_LABELS_FIRST,
    SPN_LABELS_NONE /* the data has no labels; in svmlight they are skipped */
} spn_label_place;

/* What labels that are numbers mean. */
typedef enum spn_label_kind {
    SPN_LABEL_KIND_AUTO = 0, /* classes; an error if they look like the target of a regression */
    SPN_LABEL_KIND_CLASSES   /* every number is a class */
} spn_label_kind;

/* Whether the first line of CSV names the columns. */
typedef enum spn_header {
    SPN_HEADER_AUTO = 0, /* yes if a feature in it is not a number; an error if in doubt */
    SPN_HEADER_YES,
    SPN_HEADER_NO
} spn_header;

/* What separates the columns of CSV. */
typedef enum spn_separator {
    SPN_SEPARATOR_AUTO = 0, /* the one that is equally frequent in each of the first lines */
    SPN_SEPARATOR_COMMA,
    SPN_SEPARATOR_TAB,
    SPN_SEPARATOR_SEMICOLON,
    SPN_SEPARATOR_PIPE,
    SPN_SEPARATOR_BLANK /* any number of blanks and tabs */
} spn_separator;

/* What stands before the decimals of a number in CSV. */
typedef enum spn_decimal {
    SPN_DECIMAL_AUTO = 0, /* a point; commas of thousands are read in quotes, if commas separate */
    SPN_DECIMAL_POINT,    /* a point; commas of thousands are read: 1,234.5 */
    SPN_DECIMAL_COMMA     /* a comma; points of thousands are read if they can be nothing else */
} spn_decimal;

/* Which part of a file that holds a training and a test part, as NPZ may. */
typedef enum spn_data_part { SPN_DATA_TRAIN = 0, SPN_DATA_TEST } spn_data_part;

/* How to read; start from spn_read_defaults(), which suits a training set. */
typedef struct spn_read_options {
    size_t size; /* of this struct */
    spn_format format;
    spn_label_place labels;
    spn_header header;
    uint32_t classes; /* the number of class_names */
    /* Accept data without labels: no second file, or CSV with exactly `features` columns, or
       svmlight whose first line starts with an index. For predictions. */
    bool labels_optional;
    /* Accept labels of only one class. For test sets. */
    bool single_class;
    /* The features that every sample must have; 0: as in the file. Svmlight is widened to it. */
    size_t features;
    /* The most bytes of a decompressed file, and of the features in memory; 0: 4 GiB. */
    size_t max_bytes;
    /* If not NULL, the labels are mapped onto these `classes` names (spn_dataset_relabel). */
    const char *const *class_names;
    /* Name a column of CSV by its header, or by its number: from 1, or from -1 backwards from the
       end. A text that is a name is never taken as a number. */
    const char *label_column; /* instead of `labels`; NULL: use `labels` */
    const char *drop;         /* columns to leave out, separated by commas; NULL: none */
    const char *categories;   /* columns to read as categories even if they hold numbers */
    spn_separator separator;
    spn_missing missing;
    /* Read like another file: columns by name in any order if both have headers, skipping others;
       otherwise by position. It decides what labels, drop, categories and missing leave open. NULL:
       find out from this file. */
    const spn_columns *columns;
    spn_data_part part;
    /* The most categories of a column that `categories` does not name; 0: 100, and at most half of
       the samples if there are more than 10. More is an error: it is probably a name or a date. */
    uint32_t most_categories;
    spn_decimal decimal;
    spn_label_kind label_kind;
} spn_read_options;

SPN_DEFAULTS(spn_read_options, spn_read_defaults, )

/* The most classes of a data set. */
#define SPN_MAX_CLASSES 65536

/* Read a data set.
   out: free it with spn_dataset_free; NULL on failure.
   path: the file; "-" is the standard input.
   labels_path: the second file of IDX and NPY; NULL for other formats and without labels.
   options: NULL for the defaults.
   Features that are all integers 0..255 are kept as bytes, others as doubles. Class names are
   sorted, by value if all are integers, otherwise by bytes, so that the digit d of MNIST is class
   d. Errors: IO if a file cannot be read; INPUT if it is cut short, malformed, empty, larger than
   max_bytes, holds infinities, holds missing values or labels that the options do not deal with,
   has only one class, or labels that look like the target of a regression: numbers, of which more
   than 20 differ and which do not number classes from 0 or 1, or with fractions more than 10.
   Samples without a label are left out, if missing values may be replaced. No size in a header is
   trusted: each is checked against the real size before memory is taken. Time is linear in the size
   of the file, which is in memory while it is read. */
SPN_API spn_status spn_dataset_read(spn_dataset **out, const char *path, const char *labels_path,
                                    const spn_read_options *options, spn_error *err);

/* The same for a file that may hold a test part of its own, as NPZ may; its classes are those of
   the training part. *out_test is NULL if there is none. */
SPN_API spn_status spn_dataset_read_parts(spn_dataset **out_train, spn_dataset **out_test,
                                          const char *path, const char *labels_path,
                                          const spn_read_options *options, spn_error *err);

SPN_NAMES(spn_format)      /* "auto", "idx", "csv", "npy", "svmlight", "npz" */
SPN_NAMES(spn_label_place) /* "last", "first", "none" */
SPN_NAMES(spn_label_kind)  /* "auto", "classes" */
SPN_NAMES(spn_header)      /* "auto", "yes", "no" */
SPN_NAMES(spn_separator)   /* "auto", "comma", "tab", "semicolon", "pipe", "blank" */
SPN_NAMES(spn_decimal)     /* "auto", "point", "comma" */

/* Number the classes of a dataset as in a given list, such as that of a model. On failure the
   dataset is unchanged.
   class_names: `classes` texts, copied; classes >= 1.
   name: what errors call the data, usually its file.
   Errors: INPUT, naming label and sample, if a label is not in the list; ARGUMENT without labels.
   O(samples + K * classes). */
SPN_API spn_status spn_dataset_relabel(spn_dataset *dataset, const char *const *class_names,
                                       uint32_t classes, const char *name, spn_error *err);

/* ---- data sets known by name ---- */

/* Open a data set by its name:
   "digits"   8x8 optical digits, values 0..16, part of the library. It has no test part of its own:
              one quarter is split off, stratified, seed SPN_DIGITS_SEED; 1346 and 451 samples.
   "mnist", "fashion"   28x28, 60000 and 10000 samples: the four IDX files (gzipped or not) that
              scripts/fetch-data puts into the folder NAME of $SPINNEY_DATA, or else of
              $XDG_CACHE_HOME/spinney, or else of ~/.cache/spinney.
   out_train, out_test: free them with spn_dataset_free. out_test may be NULL.
   Errors: ARGUMENT for an unknown name; IO, saying how to fetch it, if it is not there. */
SPN_API spn_status spn_dataset_open(spn_dataset **out_train, spn_dataset **out_test,
                                    const char *name, spn_error *err);

#define SPN_DIGITS_SEED 1

/* The names that spn_dataset_open knows, ending with NULL. */
SPN_API const char *const *spn_dataset_names(void);

/* ---- parts ---- */

/* Random choices order the samples by mix(mix(seed) + index), mix being one step of SplitMix64
   (doi:10.1145/2714064.2660195): a choice depends on the seed and the number of samples alone. */

/* The given rows, in their order; a row may come more than once. Class names and image size are
   kept, even if a class has no sample left. rows: `count` numbers below samples; count >= 1. */
SPN_API spn_status spn_dataset_select(spn_dataset **out, const spn_dataset *dataset,
                                      const size_t *rows, size_t count, spn_error *err);

/* The first count samples; 1 <= count <= samples. */
SPN_API spn_status spn_dataset_first(spn_dataset **out, const spn_dataset *dataset, size_t count,
                                     spn_error *err);

/* count samples at random without repetition, in the order of the dataset; 1 <= count <= samples.
 */
SPN_API spn_status spn_dataset_sample(spn_dataset **out, const spn_dataset *dataset, size_t count,
                                      uint64_t seed, spn_error *err);

/* Split off a fraction, 0 < fraction < 1, at random; both parts keep the order of the dataset.
   out_rest, out_part: what is left, and the round(fraction * samples) samples split off.
   stratified: split off round(fraction * count) of every class; needs labels.
   Errors: ARGUMENT if one part would be empty. O(samples log samples). */
SPN_API spn_status spn_dataset_split(spn_dataset **out_rest, spn_dataset **out_part,
                                     const spn_dataset *dataset, double fraction, uint64_t seed,
                                     bool stratified, spn_error *err);

/* Fold `fold`, from 0, of 2 or more, at random and of almost equal size; with labels stratified:
   the counts of a class differ by at most 1 between folds. The folds of a seed have no sample in
   common. out_rest, out_part: all other samples, and those of the fold, in the order of the
   dataset. Errors: ARGUMENT. O(samples log samples). */
SPN_API spn_status spn_dataset_fold(spn_dataset **out_rest, spn_dataset **out_part,
                                    const spn_dataset *dataset, size_t folds, size_t fold,
                                    uint64_t seed, spn_error *err);

/* ---- shifted images ---- */

enum { SPN_MOST_SHIFTS = 8 };

/* Images and copies of them moved by one pixel. shifts: 4 for up, down, left, right; 8 for both
   diagonals too. Zeros move in. First come all images as they are, then all of them moved up, and
   so on. out: (shifts + 1) times the samples; free it with spn_dataset_free; NULL on failure.
   Errors: ARGUMENT (another number of shifts, or samples that are not images), MEMORY.
   O((shifts + 1) * samples * features). */
SPN_API spn_status spn_dataset_shifted(spn_dataset **out, const spn_dataset *images, size_t shifts,
                                       spn_error *err);

/* ---- content ---- */

/* XXH3 (64 bits) of shape, features, labels, class names and weights: datasets of equal content
   have the same checksum, whatever file they came from. */
SPN_API uint64_t spn_dataset_checksum(const spn_dataset *dataset);

SPN_END_C
#endif
