"""Ten of forty assets: the risk as low and the gain as high as they go together."""
from pathlib import Path
from typing import Any

import numpy as np
import spinney

file = Path(__file__).with_name("assets.csv")
table: Any = np.genfromtxt(file, delimiter=",", names=True, dtype=None, encoding="utf-8")
names, gains = table["asset"], table["gain"]
factors = np.column_stack([table[f"f{k}"] for k in range(1, 6)])
covariance = factors @ factors.T + np.diag(table["variance"])

x = spinney.binaries("x", 40)
p = spinney.Problem()
p.minimise(x @ covariance @ x - gains @ x)
p.subject_to(x.sum() == 10, name="ten")

if __name__ == "__main__":
    best = p.solve()
    chosen = best.solutions.values[0] == 1
    print("hold", *names[chosen])
    print(f"risk {chosen @ covariance @ chosen:.4f}, gain {gains @ chosen:.4f}, together {best.objective:.4f}")
