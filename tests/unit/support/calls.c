#include "support/calls.h"

#include "support/test.h"
#include <spinney/energies.h>

spn_problem *spn_test_call_problem(bool cut)
{
    spn_edge edges[2 * SPN_TEST_CALL_SITES];
    spn_problem *out;
    spn_error err = {0};
    for (uint32_t i = 0; i < SPN_TEST_CALL_SITES; i++) {
        edges[2 * i] = (spn_edge){i, (i + 1) % SPN_TEST_CALL_SITES, i % 3 == 0 ? -2 : 1};
        edges[2 * i + 1] = (spn_edge){i, (i + 5) % SPN_TEST_CALL_SITES, i % 2 ? 3 : -1};
    }
    assert_ok(cut ? spn_problem_cut_create(&out, SPN_TEST_CALL_SITES, 2 * SPN_TEST_CALL_SITES,
                                           edges, &err)
                  : spn_problem_couplings_create(&out, SPN_TEST_CALL_SITES, 2 * SPN_TEST_CALL_SITES,
                                                 edges, &err),
              err);
    return out;
}

spn_call *spn_test_call(const char *task, const char *const *texts)
{
    spn_call *call;
    spn_error err = {0};
    assert_ok(spn_call_create(&call, task, &err), err);
    for (; *texts; texts += 2)
        assert_ok(spn_call_set(call, texts[0], texts[1], &err), err);
    return call;
}

const char *const spn_test_call_short[] = {"energy", "ising", "steps", "3000", "beta",
                                           "0.1:3",  "seed",  "5",     NULL};

spn_call *spn_test_call_anneal(const spn_problem *problem)
{
    spn_call *call = spn_test_call("anneal", spn_test_call_short);
    spn_error err = {0};
    assert_ok(spn_call_give(call, "graph", SPN_OBJECT_PROBLEM, problem, &err), err);
    return call;
}

void spn_test_call_run(spn_call *call)
{
    spn_error err = {0};
    assert_ok(spn_call_run(call, &err), err);
}

void spn_test_call_set(spn_call *call, const char *name, const char *text)
{
    spn_error err = {0};
    assert_ok(spn_call_set(call, name, text, &err), err);
}

spn_states spn_test_call_states(const spn_call *call)
{
    spn_states states = {0};
    spn_call_states(&states, call);
    return states;
}
