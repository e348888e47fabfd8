/* An energy of your own for the program: number partitioning, E = (sum of a_i s_i)^2, whose minimum
   is 0 if the numbers can be split into two groups of equal sum. A template: copy it, change the
   problem, the cache and the functions, and keep the table at the end.

     cc -O2 -shared -fPIC -o own_energy.so own_energy.c $(pkg-config --cflags spinney)
     spinney anneal --energy ./own_energy.so --energy-options 4,5,6,7,8 --target 0

   It links no library. docs/adding/energy.md says what each function must do. */
#include <spinney/plugin.h>
#include <stdio.h>
#include <stdlib.h>

/* The problem: immutable, shared by all replicas and threads. */
typedef struct partition {
    size_t sites;
    int64_t number[];
} partition;

/* The cache: what changes with the spins, one for each replica. */
typedef struct partition_cache {
    int64_t sum; /* of a_i s_i; an integer, so it never drifts */
} partition_cache;

static int64_t sum_of(const partition *p, const int8_t *spins)
{
    int64_t sum = 0;
    for (size_t i = 0; i < p->sites; i++)
        sum += p->number[i] * spins[i];
    return sum;
}

static double energy(const void *problem, const int8_t *spins)
{
    const int64_t sum = sum_of(problem, spins);
    return (double)(sum * sum);
}

static double attach(const void *problem, void *memory, const int8_t *spins)
{
    partition_cache *cache = memory;
    cache->sum = sum_of(problem, spins);
    return (double)(cache->sum * cache->sum);
}

/* The spins are those before the flip. */
static double delta(const void *problem, void *memory, const int8_t *spins, size_t site)
{
    const partition *p = problem;
    const partition_cache *cache = memory;
    const int64_t after = cache->sum - 2 * p->number[site] * spins[site];
    return (double)(after * after - cache->sum * cache->sum);
}

/* The spins are those after the flip. */
static double commit(const void *problem, void *memory, const int8_t *spins, size_t site)
{
    const partition *p = problem;
    partition_cache *cache = memory;
    cache->sum += 2 * p->number[site] * spins[site];
    return (double)(cache->sum * cache->sum);
}

static void destroy(void *problem)
{
    free(problem);
}

static int fail(char *message, size_t size, const char *why, const char *what)
{
    snprintf(message, size, "%s: %.80s", why, what);
    return 1;
}

/* Numbers separated by commas or white space, added to *list; what is left is no number. NULL
   without memory. */
static const char *add_numbers(partition **list, const char *text)
{
    for (;;) {
        char *end;
        text += strspn(text, ", \t\r\n");
        const long long number = strtoll(text, &end, 10);
        if (end == text)
            return text;
        partition *p = realloc(*list, sizeof *p + ((*list)->sites + 1) * sizeof p->number[0]);
        if (!p)
            return NULL;
        p->number[p->sites++] = number;
        *list = p;
        text = end;
    }
}

/* The sum of all sizes must be below 2^26, so that every energy is an exact integer. */
static int is_small(const partition *p)
{
    const int64_t most = 1 << 26;
    int64_t sum = 0;
    for (size_t i = 0; i < p->sites && sum < most; i++)
        sum += p->number[i] > -most && p->number[i] < most ? llabs(p->number[i]) : most;
    return sum < most;
}

/* The numbers of energy-options, and those of the file that energy-file names. */
static int create(spn_plugin_problem *out, const spn_plugin_request *request, char *message,
                  size_t message_size)
{
    char text[65536] = "";
    partition *p = calloc(1, sizeof *p);
    const char *rest = p ? add_numbers(&p, request->options) : NULL;
    if (rest && !*rest && request->file) {
        FILE *file = fopen(request->file, "r");
        const size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
        if (file)
            fclose(file);
        rest = size > 0 && size < sizeof text - 1 ? add_numbers(&p, text) : request->file;
    }
    int failed = 0;
    if (!rest)
        failed = fail(message, message_size, "partition", "out of memory");
    else if (*rest)
        failed = fail(message, message_size, "not whole numbers, or too many", rest);
    else if (p->sites == 0)
        failed = fail(message, message_size, "no numbers", "give energy-options such as 4,5,6,7,8");
    else if (!is_small(p))
        failed =
            fail(message, message_size, "the numbers are too large", "they sum to 2^26 or more");
    if (failed) {
        free(p);
        return 1;
    }
    out->problem = p;
    out->sites = p->sites;
    out->cache_size = sizeof(partition_cache);
    out->integral = true;
    return 0;
}

static const spn_energy_ops ops = {.size = sizeof ops,
                                   .name = "partition",
                                   .energy = energy,
                                   .attach = attach,
                                   .delta = delta,
                                   .commit = commit,
                                   .destroy = destroy};

const spn_energy_plugin spinney_energy = {
    .size = sizeof spinney_energy, .version = SPN_PLUGIN_VERSION, .ops = &ops, .create = create};
