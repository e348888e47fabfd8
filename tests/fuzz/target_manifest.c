/* The lines of records. */
#include "check.h"
#include "seal.h"
#include "targets.h"

#include "record/manifest.h"

/* What was read can be written, and is the same when it is read again. */
static void check_record(const spn_record *record)
{
    spn_error err = {0};
    spn_record again;
    char *line;
    size_t size;
    bool same;
    require(spn_record_line_write(&line, &size, record, &err) == SPN_OK);
    require(spn_record_line_read(&again, line, size - 1, (spn_line_place){"again", 1}, &err) ==
            SPN_OK);
    require(spn_record_same(&same, record, &again, &err) == SPN_OK && same);
    spn_record_clear(&again);
    free(line);
}

void spn_fuzz_manifest(const uint8_t *data, size_t size)
{
    if (size < 1)
        return;
    spn_source file = data[0] & 1 ? with_checks(data + 1, size - 1) : copy_of(data + 1, size - 1);
    spn_manifests manifests = {0};
    spn_error err = {0};
    spn_status status =
        spn_manifests_add(&manifests, (const char *)file.data, file.size, "input", &err);
    if (!status)
        status = spn_manifests_unify(&manifests, &err);
    check_error(status, &err, INPUT);
    for (size_t k = 0; k < manifests.count; k++)
        check_record(&manifests.lines[k].record);
    spn_manifests_clear(&manifests);
    spn_source_unload(&file);
}
