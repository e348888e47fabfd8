/* Devices: GPUs, and processors, that OpenCL finds. They make reads in words with the bits of the
   processor (spinney/reads.h). What talks to OpenCL is a library of its own, libspinney-device.so,
   loaded when a device is first asked for: from the folder of libspinney or of the program, or as
   the loader finds it. */
#ifndef SPINNEY_DEVICE_H
#define SPINNEY_DEVICE_H

#include <spinney/softmax.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

SPN_BEGIN_C

typedef enum spn_device_kind { SPN_DEVICE_GPU, SPN_DEVICE_CPU, SPN_DEVICE_OTHER } spn_device_kind;

/* "gpu", "cpu", "other" */
SPN_NAMES(spn_device_kind)

typedef struct spn_device_info {
    char name[128], driver[128]; /* the driver with its version */
    spn_device_kind kind;
    unsigned units;           /* that compute at once */
    uint64_t memory, largest; /* bytes in all, and of one array */
    bool usable;
    char why[160]; /* it is not usable */
} spn_device_info;

enum { SPN_DEVICES_MOST = 64 };

/* Fill in at most `most` devices, in the order of OpenCL, and say how many there are. None is no
   error. Errors: IO, with the reason (there is no libspinney-device.so, or no OpenCL loader). */
SPN_API spn_status spn_devices_list_sized(spn_device_info *out, size_t size, size_t most,
                                          size_t *count, spn_error *err);
static inline spn_status spn_devices_list(spn_device_info *out, size_t most, size_t *count,
                                          spn_error *err)
{
    return spn_devices_list_sized(out, sizeof *out, most, count, err);
}

/* Whether reads can ask for a device by this name: "cpu", "auto", or what is in the name of one
   that is usable, whatever the case. Errors: IO, ARGUMENT; the text says why. */
SPN_API spn_status spn_device_check(const char *name, spn_error *err);

/* The energy softmax (<spinney/softmax.h>) with its losses computed on a device, chosen as for
   reads; "cpu", or "auto" without a GPU: the same here, plainly and slowly. Losses are whole
   numbers, so both give the same bits, on every machine; they are within 2^-16 of the exact loss.
   Run many chains of such energies, each on a thread of its own: a device does their steps side by
   side, and energies of the same data share its memory, M (2K + 5) bytes for each replica and M D
   for the data. Data are bytes with one scale for all features and no weights, and no flip changes
   a logit by more than 8. Chains are fast without a centre and without schedules that count
   accepted moves; others are right. Errors: ARGUMENT (also data that do not fit), IO (the device),
   MEMORY. */
SPN_API spn_status spn_softmax_on_device(spn_energy **out, const spn_dataset *train,
                                         const spn_scaling *scaling,
                                         const spn_softmax_options *options, const char *device,
                                         spn_error *err);

/* The name of the device that such an energy is on; NULL: this processor. */
SPN_API const char *spn_softmax_device(const spn_energy *energy);

SPN_END_C
#endif
