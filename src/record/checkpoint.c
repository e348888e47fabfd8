/* The file: a head of 40 bytes, the settings, the state, and the XXH3 of all of it. */
#include "base/memory.h"
#include "record/record.h"

#include "base/file.h"
#include "base/source.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

typedef struct checkpoint_head {
    char magic[8];
    uint64_t version, settings_size, state_size, step;
} checkpoint_head;

static const char MAGIC[8] = "SPNCHKP";
enum { VERSION = 3, VERSION_0_3 = 2 };

static void put(FILE *stream, XXH3_state_t *hash, const void *bytes, size_t size)
{
    fwrite(bytes, 1, size, stream); /* an error stays in the stream until commit */
    XXH3_64bits_update(hash, bytes, size);
}

spn_status spn_checkpoint_write(const spn_checkpoint *checkpoint, const char *path, spn_error *err)
{
    checkpoint_head head = {.version = VERSION,
                            .settings_size = strlen(checkpoint->settings),
                            .state_size = checkpoint->state_size,
                            .step = checkpoint->step};
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    spn_file *file;
    XXH3_state_t *hash = XXH3_createState();
    SPN_NEED(hash, err, "%s", path);
    spn_status status = spn_file_create(&file, path, err);
    if (!status) {
        FILE *stream = spn_file_stream(file);
        XXH3_64bits_reset(hash);
        put(stream, hash, &head, sizeof head);
        put(stream, hash, checkpoint->settings, (size_t)head.settings_size);
        put(stream, hash, checkpoint->state, checkpoint->state_size);
        const uint64_t sum = XXH3_64bits_digest(hash);
        fwrite(&sum, 1, sizeof sum, stream);
        status = spn_file_commit(file, err);
    }
    XXH3_freeState(hash);
    return status;
}

static spn_status check(const char *bytes, size_t size, checkpoint_head *head, const char *path,
                        spn_error *err)
{
    uint64_t sum;
    if (size >= sizeof *head)
        memcpy(head, bytes, sizeof *head);
    if (size < sizeof MAGIC || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: byte 0: not a checkpoint of spinney", path);
    if (size < sizeof *head + sizeof sum)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: byte %zu: the checkpoint is cut short", path,
                        size);
    if (head->version <= VERSION_0_3)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: this checkpoint was written by spinney 0.3 or earlier and cannot be "
                        "continued; start the run again without it",
                        path);
    if (head->version != VERSION)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: byte 8: version %llu; expected %d", path,
                        (unsigned long long)head->version, VERSION);
    const size_t rest = size - sizeof *head - sizeof sum;
    if (head->settings_size > rest || head->state_size != rest - head->settings_size)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: byte 16: settings of %llu and a state of %llu bytes; the file has %zu "
                        "for both",
                        path, (unsigned long long)head->settings_size,
                        (unsigned long long)head->state_size, rest);
    memcpy(&sum, bytes + size - sizeof sum, sizeof sum);
    if (sum != XXH3_64bits(bytes, size - sizeof sum))
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: byte %zu: the checksum does not fit; the checkpoint is damaged", path,
                        size - sizeof sum);
    return SPN_OK;
}

spn_status spn_checkpoint_parse(spn_checkpoint *out, const char *bytes, size_t size,
                                const char *name, spn_error *err)
{
    *out = (spn_checkpoint){0};
    checkpoint_head head = {0};
    SPN_TRY(check(bytes, size, &head, name, err));
    out->step = head.step;
    out->state_size = (size_t)head.state_size;
    out->settings = strndup(bytes + sizeof head, (size_t)head.settings_size);
    out->state = malloc(out->state_size + 1);
    if (!out->settings || !out->state) {
        spn_checkpoint_clear(out);
        return spn_no_memory(err, "%s", name);
    }
    memcpy(out->state, bytes + sizeof head + head.settings_size, out->state_size);
    return SPN_OK;
}

spn_status spn_checkpoint_read(spn_checkpoint *out, const char *path, spn_error *err)
{
    struct stat info;
    spn_source source = {0};
    *out = (spn_checkpoint){0};
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return spn_fail(err, SPN_ERROR_IO, "%s: is not a file; give the name of one", path);
    SPN_TRY(spn_source_load(&source, path, UINT32_MAX, err));
    const spn_status status =
        spn_checkpoint_parse(out, (const char *)source.data, source.size, path, err);
    spn_source_unload(&source);
    return status;
}

uint64_t spn_checkpoint_step(const char *path)
{
    checkpoint_head head = {0};
    FILE *stream = fopen(path, "rb");
    const bool whole = stream && fread(&head, sizeof head, 1, stream) == 1 &&
                       memcmp(head.magic, MAGIC, sizeof MAGIC) == 0 && head.version == VERSION;
    if (stream)
        fclose(stream);
    return whole ? head.step : 0;
}

static size_t name_length(const char *line)
{
    return strcspn(line, " \n");
}

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

static const char *find_line(const char *settings, const char *line)
{
    const size_t size = name_length(line) + 1;
    while (*settings) {
        if (strncmp(settings, line, size) == 0)
            return settings;
        settings += line_length(settings);
        settings += *settings == '\n';
    }
    return NULL;
}

static const char *value_in(const char *line)
{
    line += name_length(line);
    return line + (*line == ' ');
}

static spn_status differs(const char *theirs, const char *ours, const char *path, spn_error *err)
{
    const char *line = theirs ? theirs : ours;
    assert(line); /* one of them has it */
    const int name = (int)name_length(line);
    const char *left = theirs ? value_in(theirs) : "nothing";
    const char *right = ours ? value_in(ours) : "nothing";
    static const char instructions[] = "instructions ";
    if (strncmp(line, instructions, strlen(instructions)) == 0)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: the checkpoint was made with the instruction set %.*s, and here it is "
                        "%.*s, which may differ in the last bits; go on where it was made, or "
                        "remove the file to start anew",
                        path, (int)line_length(left), left, (int)line_length(right), right);
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: the checkpoint is of another run: its %.*s is %.*s, here it is %.*s; give "
                    "the same options, or remove the file to start anew",
                    path, name, line, (int)line_length(left), left, (int)line_length(right), right);
}

spn_status spn_checkpoint_match(const spn_checkpoint *checkpoint, const char *settings,
                                const char *path, spn_error *err)
{
    for (const char *line = settings; *line; line += *line == '\n') {
        const char *theirs = find_line(checkpoint->settings, line);
        const size_t size = line_length(line);
        if (!theirs || line_length(theirs) != size || strncmp(theirs, line, size) != 0)
            return differs(theirs, line, path, err);
        line += size;
    }
    for (const char *line = checkpoint->settings; *line; line += *line == '\n') {
        if (!find_line(settings, line))
            return differs(line, NULL, path, err);
        line += line_length(line);
    }
    return SPN_OK;
}

void spn_checkpoint_clear(spn_checkpoint *checkpoint)
{
    SPN_FREE_ALL(checkpoint->settings, checkpoint->state);
    *checkpoint = (spn_checkpoint){0};
}
