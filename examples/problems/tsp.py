"""The shortest round trip through twelve cities."""
from pathlib import Path
from typing import Any

import numpy as np
import spinney

file = Path(__file__).with_name("cities.csv")
table: Any = np.genfromtxt(file, delimiter=",", names=True, dtype=None, encoding="utf-8")
places = np.column_stack([table["x"], table["y"]])
distance = np.linalg.norm(places[:, None] - places, axis=2)
n = len(places)

at = spinney.binaries("at", (n, n))  # at[i, t]: city i comes at place t of the tour
p = spinney.Problem()
p.minimise(sum(at[:, t] @ distance @ at[:, (t + 1) % n] for t in range(n)))
p.subject_to(at.sum(axis=0) == 1, name="one_city_at_a_time")
p.subject_to(at.sum(axis=1) == 1, name="every_city_once")

if __name__ == "__main__":
    best = p.solve()
    tour = best.solutions.values[0].reshape(n, n).argmax(axis=0)
    tour = np.roll(tour, -tour.argmin())  # from city A on, in one of the two directions
    if tour[1] > tour[-1]:
        tour[1:] = tour[:0:-1].copy()
    print("tour", *table["city"][tour])
    print(f"length {best.objective:.2f}")
