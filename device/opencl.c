/* The devices that OpenCL finds, and the table of functions that libspinney loads. */
#include "opencl.h"

#include "base/commit.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

enum { MOST_PLATFORMS = 16 };

spn_status spn_opencl_check(cl_int code, const char *call, spn_error *err)
{
    if (code == CL_SUCCESS)
        return SPN_OK;
    if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
        code == CL_OUT_OF_HOST_MEMORY || code == CL_INVALID_BUFFER_SIZE)
        return spn_fail(err, SPN_ERROR_MEMORY,
                        "the device has too little memory (%s, OpenCL's error %d); make fewer "
                        "reads or trainings at once",
                        call, (int)code);
    return spn_fail(err, SPN_ERROR_IO, "the device failed: %s, OpenCL's error %d", call, (int)code);
}

spn_status spn_opencl_fail_build(cl_program program, cl_device_id device, spn_error *err)
{
    char log[4096] = "";
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    log[strcspn(log, "\n")] = 0;
    return spn_fail(err, SPN_ERROR_IO, "the device cannot compile its kernels: %.300s",
                    log[0] ? log : "no reason given");
}

/* All devices, at most SPN_DEVICES_MOST. */
static size_t find_devices(cl_device_id *out)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint platform_count = 0;
    size_t count = 0;
    if (clGetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count) != CL_SUCCESS)
        return 0;
    platform_count = platform_count < MOST_PLATFORMS ? platform_count : MOST_PLATFORMS;
    for (cl_uint p = 0; p < platform_count && count < SPN_DEVICES_MOST; p++) {
        cl_uint found = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, (cl_uint)(SPN_DEVICES_MOST - count),
                           out + count, &found) != CL_SUCCESS)
            continue;
        count += found;
        count = count < SPN_DEVICES_MOST ? count : SPN_DEVICES_MOST;
    }
    return count;
}

bool spn_opencl_device(cl_device_id *out, size_t number)
{
    cl_device_id all[SPN_DEVICES_MOST];
    const size_t count = find_devices(all);
    if (number < count)
        *out = all[number];
    return number < count;
}

static void find_text(char *out, size_t size, cl_device_id device, cl_device_info what)
{
    char text[1024] = "";
    if (clGetDeviceInfo(device, what, sizeof text - 1, text, NULL) != CL_SUCCESS)
        snprintf(text, sizeof text, "unknown");
    snprintf(out, size, "%.*s", (int)(size - 1), text);
}

/* Why a device cannot make words; NULL: it can. */
static const char *refuse(cl_device_id device, const char *version)
{
    cl_bool available = CL_FALSE, compiler = CL_FALSE, little = CL_FALSE;
    int major = 0, minor = 0;
    clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
    clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL);
    clGetDeviceInfo(device, CL_DEVICE_ENDIAN_LITTLE, sizeof little, &little, NULL);
    if (!available)
        return "it is not available";
    if (!compiler)
        return "its driver has no compiler";
    if (!little)
        return "it is not little-endian";
    if (sscanf(version, "OpenCL C %d.%d", &major, &minor) != 2 || major * 10 + minor < 12)
        return "it has no OpenCL C 1.2";
    return NULL;
}

static void describe(spn_device_info *out, cl_device_id device)
{
    cl_device_type type = 0;
    cl_uint units = 0;
    cl_ulong memory = 0, largest = 0;
    char vendor[64], driver[48], version[128];
    *out = (spn_device_info){0};
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
    find_text(out->name, sizeof out->name, device, CL_DEVICE_NAME);
    find_text(vendor, sizeof vendor, device, CL_DEVICE_VENDOR);
    find_text(driver, sizeof driver, device, CL_DRIVER_VERSION);
    find_text(version, sizeof version, device, CL_DEVICE_OPENCL_C_VERSION);
    snprintf(out->driver, sizeof out->driver, "%s %s", vendor, driver);
    out->kind = type & CL_DEVICE_TYPE_GPU   ? SPN_DEVICE_GPU
                : type & CL_DEVICE_TYPE_CPU ? SPN_DEVICE_CPU
                                            : SPN_DEVICE_OTHER;
    out->units = units;
    out->memory = memory;
    out->largest = largest;
    const char *why = refuse(device, version);
    out->usable = !why;
    snprintf(out->why, sizeof out->why, "%s", why ? why : "");
}

spn_status spn_opencl_list(spn_device_info *out, size_t most, size_t *count, spn_error *err)
{
    cl_device_id all[SPN_DEVICES_MOST];
    (void)err;
    *count = find_devices(all);
    for (size_t k = 0; k < *count && k < most; k++)
        describe(&out[k], all[k]);
    return SPN_OK;
}

extern SPN_API const spn_device_library spinney_device;
const spn_device_library spinney_device = {.size = sizeof spinney_device,
                                           .version = SPN_VERSION_FULL,
                                           .list = spn_opencl_list,
                                           .open = spn_opencl_open,
                                           .close = spn_opencl_close,
                                           .put = spn_opencl_put,
                                           .get = spn_opencl_get,
                                           .work = spn_opencl_work,
                                           .train_open = spn_opencl_train_open,
                                           .train_close = spn_opencl_train_close,
                                           .train_work = spn_opencl_train_work};
