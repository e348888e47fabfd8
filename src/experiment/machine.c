/* The machine in words. */
#include "experiment/machine.h"

#include "base/cpu.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The value of the first line of /proc/cpuinfo that is called so; empty where there is none. */
static void find_line(char *out, size_t size, const char *name)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    out[0] = 0;
    while (file && !out[0] && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, name, strlen(name)) == 0)
            snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
    }
    if (file)
        fclose(file);
    out[strcspn(out, "\n")] = 0;
}

void spn_machine_describe(char *out, size_t size)
{
    char model[160];
    find_line(model, sizeof model, "model name");
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(out, size, "%s, %ld core%s, %s", model[0] ? model : "unknown processor", cores,
             cores == 1 ? "" : "s", spn_isa_name(spn_cpu_isa()));
}
