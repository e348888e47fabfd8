/* Functions of three operands bit by bit, for instruction sets that have no instruction for them.
   The including file has defined `vector`. */
#ifndef SPN_CORE_VECTOR_LOGIC_H
#define SPN_CORE_VECTOR_LOGIC_H

static inline vector vector_xor3(vector a, vector b, vector c)
{
    return a ^ b ^ c;
}

static inline vector vector_majority(vector a, vector b, vector c)
{
    return (a & b) | (c & (a | b));
}

static inline vector vector_or_and(vector a, vector b, vector c)
{
    return a | (b & c);
}

#endif
