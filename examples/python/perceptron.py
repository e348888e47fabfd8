"""A hard perceptron, watched while it is solved: the overlap of the replicas, and the patterns that are still wrong.

    python3 perceptron.py [PICTURE.svg]

Random patterns, 0.6 for each of 401 one-bit weights. Seven coupled replicas come together and find a solution; with
--alone, seven uncoupled replicas do not, with as many proposals.
"""
import sys

import spinney
from spinney import plots

alone = "--alone" in sys.argv
pictures = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
perceptron = spinney.Perceptron.random(401, alpha=0.6, seed=1, energy="bits")
gamma, gamma_schedule = ("0", None) if alone else ("0.5:1", "linear")
seen = []


def look(moment: spinney.Moment) -> None:
    if moment.at and moment.step > 0:  # one of the fixed steps, not a tick of the clock
        seen.append((moment.step / perceptron.sites, moment.overlap, moment.energy))
        print("sweep {:5.0f}  overlap {:5.2f}  energy {:6.1f}  ".format(*seen[-1]) + "#" * round(40 * moment.overlap),
              flush=True)


result = spinney.anneal(perceptron, replicas=7, kernel="one-stage", beta="0.5:2", schedule="linear", gamma=gamma,
                        gamma_schedule=gamma_schedule, sweeps=5000, target=0, seed=1,
                        observer=look, observe_every=100 * perceptron.sites)
print(f"{'alone' if alone else 'coupled'}: lowest energy {result.best_energy:.0f} after {result.steps_done:.0f} steps, "
      + ("every pattern is right" if result.solved else "not solved"))

if pictures:
    x, overlaps, energies = zip(*seen)
    scale = max(energies)
    with open(pictures[0], "w", encoding="utf-8") as file:
        file.write(plots.lines([plots.Curve("overlap", x, overlaps),
                                plots.Curve("energy / largest", x, [e / scale for e in energies])],
                               title="A perceptron being solved", x_label="sweeps", y_label=""))
    print("wrote", pictures[0])
