"""How a classifier degrades when bits of its weights flip.

    python3 bit_flips.py [PICTURE.svg]

Two trainings on the digits that come with spinney, with the same number of weights: the default, and one with the
temperatures of the preset `robust`, which is a point less accurate and loses less.
"""
import sys

import spinney
from spinney import plots

shares = [0, 0.02, 0.05, 0.1, 0.2, 0.3]
robust = {"preset": "robust", "encode": "auto", "bias": "auto", "sweeps": 30}
settings: dict[str, dict] = {"default": {}, "robust": robust}
curves = []
for name, texts in settings.items():
    flips = spinney.train("digits", flip=shares, trials=70, seed=1, **texts)["flips"]
    curves.append(plots.Curve(name, *(100 * flips[column] for column in ("p", "accuracy", "low", "high"))))
    print(f"{name:8s}", "  ".join(f"{100 * p:2.0f}%: {100 * a:.1f}%" for p, a in zip(flips["p"], flips["accuracy"])))

if len(sys.argv) > 1:
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(plots.lines(curves, title="Digits, with a share of the bits flipped", x_label="flipped (%)",
                               y_label="test accuracy (%)"))
    print("wrote", sys.argv[1])
