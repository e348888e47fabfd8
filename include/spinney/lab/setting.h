/* Settings of a task, described once in a table. The table makes the options of a command and its
   help, the keys of a sweep and of --set, errors with the nearest word, settings in JSON and in
   records, the man page, the completion and the reference in docs/.

   A setting is given as a text. Its kind says how the text is parsed, by one parser for all, and
   which C type its value has in the task's plan, a struct into which the table points. */
#ifndef SPINNEY_LAB_SETTING_H
#define SPINNEY_LAB_SETTING_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stddef.h>

SPN_BEGIN_C

typedef enum spn_setting_kind {
    SPN_SETTING_WHOLE, /* uint64_t: 300000, 1e6 */
    SPN_SETTING_REAL,  /* double: 0.5, 1e-3 */
    SPN_SETTING_FLAG,  /* bool: true or false; on the command line the name alone means true */
    SPN_SETTING_WORD,  /* int: index of one of its words */
    SPN_SETTING_RANGE, /* const char *: numbers joined by colons, START or START:END */
    SPN_SETTING_TEXT,  /* const char * */
    SPN_SETTING_LIST,  /* const char *: a text that may contain commas */
    SPN_SETTING_FILE,  /* const char *: a file to read, or one of its words */
    SPN_SETTING_WHOLES /* const char *: whole numbers joined by commas, which do not separate values
                          of an axis */
} spn_setting_kind;

/* How a setting identifies a run. Without a flag it is part of a run's key, of its seed, and of
   what a checkpoint must match. */
enum {
    SPN_SETTING_EFFORT = 1,   /* never changes a result, such as threads: part of none of these */
    SPN_SETTING_MEASURE = 2,  /* measured after a run: part of the key but not of the seed, so that
                                 the same run can be measured in another way */
    SPN_SETTING_SEED = 4,     /* the seed: a sweep makes one for each run from its own */
    SPN_SETTING_INFINITE = 8, /* REAL: inf is allowed */
    SPN_SETTING_COUNT = 16,   /* FILE: a whole number is a count, not a file name */
    SPN_SETTING_PLUGIN = 32,  /* FILE: a shared object, recognised by a slash in its name or .so at
                                 its end; or a given object, by a @ at its start (spn_inputs_give) */
    SPN_SETTING_COMMON = 64,  /* needed by most users: --help shows it */
    SPN_SETTING_EXTENDS = 128 /* a checkpoint may have less of it: the run goes on to this much */
};

typedef struct spn_setting spn_setting;
struct spn_setting {
    const char *name; /* NULL: a heading (its help) or a group */
    spn_setting_kind kind;
    unsigned flags;
    const char *argument;          /* placeholder in the help, such as START[:END] */
    const char *unit;              /* such as "steps"; NULL: none */
    const char *fallback;          /* default text; NULL: none */
    const char *otherwise;         /* without a fallback: what happens, in words */
    double least, most;            /* of numbers; both 0: any */
    const char *const *words;      /* of WORD and FILE, ended by NULL; or */
    const char *(*word)(size_t i); /* word i, NULL past the last */
    size_t at;                     /* offset of the value, or of the group's struct, in the plan */
    const char *help;  /* one line; --help shows it up to the first semicolon; names of settings are
                          in backticks */
    const char *label; /* of an axis in a figure; NULL: the name with blanks */
    const spn_setting *group; /* rows of another table in place of this one */
};

#define SPN_HEADING(text)                                                                          \
    {                                                                                              \
        .help = (text)                                                                             \
    }

/* Walk over the rows of a table and its groups. */
enum { SPN_SETTING_DEPTH = 4 };
typedef struct spn_setting_walk {
    struct {
        const spn_setting *next;
        size_t at;
    } level[SPN_SETTING_DEPTH];
    size_t depth;
    const spn_setting *setting; /* the row; a heading if it has no name */
    size_t at;                  /* offset of its value in the plan */
} spn_setting_walk;

SPN_API spn_setting_walk spn_setting_walk_start(const spn_setting *table);
/* False past the last. */
SPN_API bool spn_setting_walk_next(spn_setting_walk *walk);
/* The same without headings. */
SPN_API bool spn_setting_walk_named(spn_setting_walk *walk);
SPN_API bool spn_setting_walk_to(spn_setting_walk *walk, const char *name);

/* A setting by name, or NULL. */
SPN_API const spn_setting *spn_setting_find(const spn_setting *table, const char *name);

/* Word i of a setting, or NULL. */
SPN_API const char *spn_setting_word(const spn_setting *setting, size_t i);

/* Whether the text of a PLUGIN setting looks like a shared object or a given object. */
SPN_API bool spn_setting_is_plugin(const char *text);

/* Whether a text is one of its words. */
SPN_API bool spn_setting_is_word(const spn_setting *setting, const char *text);

/* Whether the text of a FILE setting is a count. */
SPN_API bool spn_setting_is_count(const spn_setting *setting, const char *text);

/* Parse a text by the setting's kind into *out, of the C type of the kind; NULL: only check. Texts
   are borrowed. Errors: ARGUMENT; the text starts with "NAME: ". */
SPN_API spn_status spn_setting_read(void *out, const spn_setting *setting, const char *text,
                                    spn_error *err);

/* Canonical text of a value: 0.1 for .1 and 1e-1, 1000000 for 1e6, true for yes. The caller frees
   it; NULL without memory. The text need not be valid. */
SPN_API char *spn_setting_canonical(const spn_setting *setting, const char *text);

/* Fail with "NAME: ...", as every error about a setting begins. */
SPN_API spn_status spn_setting_fail(const char *name, spn_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Errors name settings in backquotes, `missing` or with a value `missing mean`, so that each
   surface can use its own syntax. Copy a text, with each of these written by `say` in at most
   `size` bytes; value: NULL if there is none. Returns out. */
SPN_API const char *spn_setting_phrase(char *out, size_t size, const char *text,
                                       void (*say)(char *out, size_t size, const char *name,
                                                   const char *value));

/* Put "NAME: " before an error of the library. */
SPN_API spn_status spn_setting_blame(const char *name, const spn_error *why, spn_error *err);

/* Fail because owner has no such setting; the text names the nearest. */
SPN_API spn_status spn_setting_unknown(const spn_setting *table, const char *owner,
                                       const char *name, spn_error *err);

SPN_END_C
#endif
