/* Rows in plain C. The reference is the chain of each read. */
#include "reads/rows.h"

typedef struct vector {
    double x[8];
} __attribute__((may_alias)) vector;
enum { LANES = 8, REGISTERS = 1 };

static inline vector vector_all(double x)
{
    vector out;
    for (int j = 0; j < LANES; j++)
        out.x[j] = x;
    return out;
}

static inline vector vector_add_times(vector a, vector b, vector c)
{
    for (int j = 0; j < LANES; j++)
        a.x[j] += b.x[j] * c.x[j];
    return a;
}

static inline double vector_at(vector a, unsigned k)
{
    return a.x[k];
}

static inline vector limit_of(const double *threshold, const double *beta, double per_unit)
{
    vector out;
    for (int j = 0; j < LANES; j++)
        out.x[j] = threshold[j] / beta[j] * per_unit;
    return out;
}

static inline unsigned accepted_of(vector field, unsigned spins, vector limit)
{
    unsigned mask = 0;
    for (int j = 0; j < LANES; j++)
        mask |= (unsigned)((spins >> j & 1 ? -field.x[j] : field.x[j]) <= limit.x[j]) << j;
    return mask;
}

#include "reads/rows_body.h"

void spn_rows_portable(spn_rows *rows, uint64_t first, size_t count, const double *beta)
{
    make_steps(rows, first, count, beta);
}
