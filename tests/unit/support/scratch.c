#include "support/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { PATHS = 64 };

typedef struct scratch {
    char folder[256];
    char *paths[PATHS];
    size_t used;
} scratch;

int spn_scratch_setup(void **state)
{
    scratch *s = calloc(1, sizeof *s);
    if (!s)
        return -1;
    const char *place = getenv("TMPDIR");
    snprintf(s->folder, sizeof s->folder, "%s/spinney-test-XXXXXX", place ? place : "/tmp");
    *state = s;
    return mkdtemp(s->folder) ? 0 : -1;
}

int spn_scratch_teardown(void **state)
{
    scratch *s = *state;
    /* the last first: what is in a folder goes before it */
    for (size_t k = s->used; k-- > 0;) {
        remove(s->paths[k]);
        free(s->paths[k]);
    }
    int failed = rmdir(s->folder);
    free(s);
    return failed;
}

const char *spn_scratch_path(void **state, const char *name)
{
    scratch *s = *state;
    assert_true(s->used < PATHS);
    char *path;
    assert_true(asprintf(&path, "%s/%s", s->folder, name) > 0);
    s->paths[s->used++] = path;
    return path;
}

const char *spn_scratch_write(void **state, const char *name, const void *data, size_t size)
{
    const char *path = spn_scratch_path(state, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

const char *spn_scratch_text(void **state, const char *name, const char *text)
{
    return spn_scratch_write(state, name, text, strlen(text));
}

const char *spn_scratch_gzip(void **state, const char *name, const void *data, size_t size)
{
    const char *path = spn_scratch_path(state, name);
    gzFile file = gzopen(path, "w");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, data, (unsigned)size), size);
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}

void spn_assert_error(spn_status actual, const spn_error *err, spn_status expected,
                      const char *part, const char *other, const char *file, int line)
{
    if (actual == expected && err->status == expected && !strchr(err->text, '\n') &&
        strstr(err->text, part) && strstr(err->text, other))
        return;
    print_error("status %s, text '%s'; expected %s and '%s' and '%s'\n", spn_status_name(actual),
                actual == SPN_OK ? "" : err->text, spn_status_name(expected), part, other);
    _fail(file, line);
}
