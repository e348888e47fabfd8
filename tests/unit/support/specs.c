#include "support/specs.h"

#include "support/scratch.h"
#include <stdio.h>

const char *const spn_test_full_spec = "name: gamma-1\n"
                                       "title: Influence of gamma\n"
                                       "about: >\n"
                                       "  Two lines\n"
                                       "  of text.\n"
                                       "task: train\n"
                                       "seed: 5\n"
                                       "runs: 10\n"
                                       "settings:\n"
                                       "  preset: paper\n"
                                       "  data: digits\n"
                                       "  steps: 3e3\n"
                                       "  validation: .20\n"
                                       "  flip: [0, 0.01, 0.1]\n"
                                       "  trials: 1e2\n"
                                       "  flip-mode: exact\n"
                                       "  profile-walks: 7\n"
                                       "  profile-reach: 0.25\n"
                                       "  profile-points: 5\n"
                                       "grid:\n"
                                       "  - setting: gamma\n"
                                       "    values: [0, 1e-1, 0.80, \"0:1.0\"]\n"
                                       "  - setting: beta-end\n"
                                       "    from: 100\n"
                                       "    to: 1000000\n"
                                       "    count: 5\n"
                                       "    spacing: log\n"
                                       "keep: [models, replicas]\n"
                                       "figures:\n"
                                       "  - name: test-accuracy\n"
                                       "    title: Test accuracy\n"
                                       "    value: test_accuracy\n"
                                       "    also: test_loss\n"
                                       "    x: gamma\n"
                                       "    by: beta-end\n"
                                       "    as: [heat, table]\n"
                                       "    log: [x]\n"
                                       "    best: highest\n"
                                       "    where: [\"gamma<=3.2\", \"run<5\"]\n"
                                       "    x-label: γ\n"
                                       "    by-label: y\n"
                                       "    label: accuracy\n"
                                       "  - name: flipped\n"
                                       "    value: flips.accuracy\n"
                                       "    x: flips.p\n"
                                       "    intervals: bands\n"
                                       "  - name: at-a-tenth\n"
                                       "    value: flips.accuracy\n"
                                       "    x: gamma\n"
                                       "    where: [flips.p=0.1]\n"
                                       "  - name: for-each-p\n"
                                       "    value: flips.accuracy\n"
                                       "    x: gamma\n"
                                       "    by: flips.p\n"
                                       "    where: [\"flips.p>0\"]\n";

spn_sweep *spn_test_parse_spec(void **state, const char *text, const char *const *set, size_t count)
{
    spn_error err = {0};
    spn_sweep *sweep;
    assert_ok(spn_sweep_parse(&sweep, spn_scratch_text(state, "spec.yaml", text), set, count, &err),
              err);
    return sweep;
}

void spn_test_rewrite(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}
