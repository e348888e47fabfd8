/* Loading libspinney-device.so, and choosing a device. */
#include "device/device.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/try.h"
#include <dlfcn.h>
#include <pthread.h>
#include <spinney/version.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

const spn_names spn_device_kind_names =
    SPN_NAME_LIST("kind of device", [SPN_DEVICE_GPU] = "gpu", [SPN_DEVICE_CPU] = "cpu",
                  [SPN_DEVICE_OTHER] = "other");

static const char file[] = "libspinney-device.so";

/* Loaded once; it stays until the program ends, as drivers do not like to be unloaded. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const spn_device_library *loaded;
static char why[SPN_ERROR_TEXT];

/* The file of the code that holds this function. A program that was found by PATH is called by its
   bare name, so what runs is asked for. */
static bool find_code(char *out, size_t size)
{
    Dl_info info = {0};
    if (dladdr((const void *)&once, &info) && info.dli_fname && strchr(info.dli_fname, '/'))
        return snprintf(out, size, "%s", info.dli_fname) < (int)size;
    const ssize_t used = readlink("/proc/self/exe", out, size);
    if (used <= 0 || (size_t)used >= size)
        return false;
    out[used] = 0;
    return true;
}

/* Beside the code that holds this function, in the folder that is spinney's own in that of the
   libraries, or where the loader looks; `found`: in one of these folders. */
static void *open_library(bool *found)
{
    static const char *const folders[] = {"/", "/spinney/", "/../lib/spinney/",
                                          "/../" SPN_LIBRARY_FOLDER "/spinney/"};
    char here[2048], path[4096];
    const char *slash = find_code(here, sizeof here) ? strrchr(here, '/') : NULL;
    for (size_t k = 0; slash && k < sizeof folders / sizeof *folders; k++) {
        const int used =
            snprintf(path, sizeof path, "%.*s%s%s", (int)(slash - here), here, folders[k], file);
        *found = used > 0 && (size_t)used < sizeof path && access(path, F_OK) == 0;
        if (*found)
            return dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return dlopen(file, RTLD_NOW | RTLD_LOCAL);
}

static void load(void)
{
    bool found = false;
    void *library = open_library(&found);
    if (!library) {
        const char *reason = dlerror();
        snprintf(why, sizeof why, "no devices: %.300s (%s)", reason ? reason : file,
                 found ? "they need OpenCL: on Debian, ocl-icd-libopencl1 and a driver"
                       : "it comes with spinney if OpenCL was there when it was built");
        return;
    }
    const spn_device_library *table = (const spn_device_library *)dlsym(library, SPN_DEVICE_SYMBOL);
    if (table && table->size == sizeof *table && strcmp(table->version, spn_version()) == 0)
        loaded = table;
    else
        snprintf(why, sizeof why, "no devices: %s is not of this version of spinney, %s", file,
                 spn_version());
}

spn_status spn_device_load(const spn_device_library **out, spn_error *err)
{
    *out = NULL;
    pthread_once(&once, load);
    if (!loaded)
        return spn_fail(err, SPN_ERROR_IO, "%s", why);
    *out = loaded;
    return SPN_OK;
}

spn_status spn_devices_list_sized(spn_device_info *out, size_t size, size_t most, size_t *count,
                                  spn_error *err)
{
    const spn_device_library *library;
    spn_device_info all[SPN_DEVICES_MOST];
    *count = 0;
    SPN_TRY(spn_device_load(&library, err));
    SPN_TRY(library->list(all, SPN_DEVICES_MOST, count, err)); /* it gives no more */
    for (size_t k = 0; k < most && k < *count; k++)
        spn_sized_give((char *)out + k * size, size, &all[k], sizeof all[k]);
    return SPN_OK;
}

static bool has_name(const spn_device_info *device, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = device->name; *at; at++)
        if (strncasecmp(at, name, length) == 0)
            return true;
    return false;
}

static spn_status refuse_name(const spn_device_info *devices, size_t count, spn_error *err)
{
    char names[400] = "";
    for (size_t k = 0; k < count; k++)
        spn_print_more(names, sizeof names, "%s%s", k ? ", " : "", devices[k].name);
    return count ? spn_refuse(err, "no device has this in its name; there is %s", names)
                 : spn_refuse(err, "there is no device; their drivers are packages of their own");
}

spn_status spn_device_choose(spn_device_choice *out, const char *name, spn_error *err)
{
    spn_device_info all[SPN_DEVICES_MOST];
    const bool any = strcmp(name, "auto") == 0;
    size_t count, refused = SPN_DEVICES_MOST;
    SPN_TRY(spn_devices_list(all, SPN_DEVICES_MOST, &count, err));
    for (size_t k = 0; k < count; k++) {
        const bool fits = any ? all[k].kind == SPN_DEVICE_GPU : has_name(&all[k], name);
        if (fits && all[k].usable) {
            *out = (spn_device_choice){.number = k, .info = all[k]};
            return SPN_OK;
        }
        refused = fits ? k : refused;
    }
    if (refused < SPN_DEVICES_MOST)
        return spn_refuse(err, "%s cannot be used: %s", all[refused].name, all[refused].why);
    return any ? spn_refuse(err, "there is no GPU") : refuse_name(all, count, err);
}

spn_status spn_device_check(const char *name, spn_error *err)
{
    spn_device_choice ignored;
    if (strcmp(name, "cpu") == 0 || strcmp(name, "auto") == 0)
        return SPN_OK;
    return spn_device_choose(&ignored, name, err);
}
