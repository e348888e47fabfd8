/* Energies in shared objects. The object is closed by the energy that came from it, after the
   energy's own functions have been called for the last time. */
#include "base/file.h"
#include "base/try.h"
#include "core/energy.h"
#include <spinney/plugin.h>

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char SYMBOL[] = "spinney_energy";

/* Read all of `size` bytes. false at the end of the file, with errno 0, or on an error. */
static bool read_at(int file, void *to, size_t size, uint64_t at)
{
    for (size_t done = 0; done < size;) {
        const ssize_t some = pread(file, (char *)to + done, size - done, (off_t)(at + done));
        if (some == 0)
            errno = 0;
        if (some == 0 || (some < 0 && errno != EINTR))
            return false;
        done += some > 0 ? (size_t)some : 0;
    }
    return true;
}

/* The bytes that the segments of an ELF file need; 0 if it is something else, which dlopen says.
   false if the file cannot be read. */
static bool find_needed(uint64_t *out, int file)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    *out = 0;
    if (!read_at(file, &head, sizeof head, 0))
        return errno == 0;
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_phentsize != sizeof part)
        return true;
    for (size_t k = 0; k < head.e_phnum; k++) {
        if (!read_at(file, &part, sizeof part, head.e_phoff + k * sizeof part)) {
            *out = UINT64_MAX;
            return errno == 0;
        }
        if (part.p_type == PT_LOAD && part.p_offset + part.p_filesz > *out)
            *out = part.p_offset + part.p_filesz;
    }
    return true;
}

/* dlopen names the file itself, and calls nothing by errno. A file that was cut off it maps all the
   same, and the first use of what is missing ends the program. */
static spn_status check_readable(const char *path, spn_error *err)
{
    struct stat info;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return spn_file_fail(path, "cannot be opened", err);
    uint64_t needed = 0;
    const bool known = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    const int why = !known || find_needed(&needed, file) ? 0 : errno;
    const bool is_cut = known && needed > (uint64_t)info.st_size;
    close(file);
    errno = why;
    if (why)
        return spn_file_fail(path, "cannot be read", err);
    if (is_cut)
        return spn_fail(
            err, SPN_ERROR_INPUT,
            "%s: is cut off: it has %lld bytes, and its segments more; build or copy it again",
            path, (long long)info.st_size);
    return SPN_OK;
}

/* What dlerror says, without the path that it starts with. */
static const char *reason(const char *path)
{
    const char *text = dlerror();
    const size_t size = strlen(path);
    if (!text)
        return "for a reason unknown";
    return strncmp(text, path, size) == 0 && strncmp(text + size, ": ", 2) == 0 ? text + size + 2
                                                                                : text;
}

/* A path with a slash, so that no folders are searched. */
static spn_status open_object(void **out, const char *path, spn_error *err)
{
    char *dotted = NULL;
    spn_status status = SPN_OK;
    SPN_TRY(check_readable(path, err));
    if (asprintf(&dotted, "%s%s", strchr(path, '/') ? "" : "./", path) < 0)
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory while loading", path);
    *out = dlopen(dotted, RTLD_NOW | RTLD_LOCAL);
    if (!*out)
        status =
            spn_fail(err, SPN_ERROR_INPUT,
                     "%s: is no shared object that can be loaded: %s; build one with cc -shared",
                     path, reason(dotted));
    free(dotted);
    return status;
}

static spn_status check_table(const spn_energy_plugin *plugin, const char *path, spn_error *err)
{
    if (!plugin)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: has no table `%s`; define it as <spinney/plugin.h> says", path,
                        SYMBOL);
    if (plugin->version == 0 || plugin->version > SPN_PLUGIN_VERSION)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: its table `%s` has version %u, and this spinney knows 1 to %d; build "
                        "it with the headers of this spinney",
                        path, SYMBOL, plugin->version, SPN_PLUGIN_VERSION);
    if (plugin->size != sizeof *plugin)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: its table `%s` says that it has %zu bytes; version %u has %zu", path,
                        SYMBOL, plugin->size, plugin->version, sizeof *plugin);
    if (!plugin->ops || !plugin->create)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: its table `%s` has no %s", path, SYMBOL,
                        plugin->ops ? "create" : "ops");
    return SPN_OK;
}

/* An error is one line, whatever the message. */
static void make_line(char message[SPN_PLUGIN_MESSAGE])
{
    message[SPN_PLUGIN_MESSAGE - 1] = 0;
    for (char *c = message; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
}

static void free_problem(const spn_energy_ops *ops, void *problem)
{
    if (ops->size >= offsetof(spn_energy_ops, destroy) + sizeof ops->destroy && ops->destroy)
        ops->destroy(problem);
}

static spn_status make_energy(spn_energy **out, const spn_energy_plugin *plugin, const char *path,
                              const spn_plugin_request *request, spn_error *err)
{
    char message[SPN_PLUGIN_MESSAGE] = "";
    spn_plugin_problem made = {.size = sizeof made};
    spn_error why = {0};
    errno = 0;
    if (plugin->create(&made, request, message, sizeof message)) {
        make_line(message);
        return spn_fail(err, errno == ENOMEM ? SPN_ERROR_MEMORY : SPN_ERROR_ARGUMENT, "%s: %s",
                        path, message[0] ? message : "create failed and did not say why");
    }
    spn_status status = spn_energy_define(out, plugin->ops, made.problem, made.sites,
                                          made.cache_size, made.integral, &why);
    if (!status)
        return SPN_OK;
    free_problem(plugin->ops, made.problem);
    return spn_fail(err, status == SPN_ERROR_MEMORY ? status : SPN_ERROR_INPUT, "%s: %s", path,
                    why.text);
}

static void close_object(void *object)
{
    dlclose(object);
}

spn_status spn_energy_load(spn_energy **out, const char *path, const char *options,
                           const char *file, spn_error *err)
{
    const spn_plugin_request request = {
        .size = sizeof request, .options = options ? options : "", .file = file};
    void *object = NULL;
    *out = NULL;
    SPN_TRY(open_object(&object, path, err));
    assert(object);
    const spn_energy_plugin *plugin = dlsym(object, SYMBOL);
    spn_status status;
    SPN_TRY_OR(failed, check_table(plugin, path, err));
    SPN_TRY_OR(failed, make_energy(out, plugin, path, &request, err));
    assert(*out);
    (*out)->held = object;
    (*out)->release = close_object;
    return SPN_OK;
failed:
    dlclose(object);
    return status;
}
