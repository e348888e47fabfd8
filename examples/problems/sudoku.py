"""A Sudoku: Arto Inkala's of 2012, said to be the hardest."""
import numpy as np
import spinney

GIVEN = """
8 . . . . . . . .
. . 3 6 . . . . .
. 7 . . 9 . 2 . .
. 5 . . . 7 . . .
. . . . 4 5 7 . .
. . . 1 . . . 3 .
. . 1 . . . . 6 8
. . 8 5 . . . 1 .
. 9 . . . . 4 . .
"""
given = np.array([[int(c.replace(".", "0")) for c in line.split()] for line in GIVEN.strip().splitlines()])

x = spinney.binaries("x", (9, 9, 9))  # x[r, c, d]: digit d + 1 stands in row r, column c
p = spinney.Problem()
p.subject_to(x.sum(axis=2) == 1, name="cell")
p.subject_to(x.sum(axis=1) == 1, name="row")
p.subject_to(x.sum(axis=0) == 1, name="column")
for r in (0, 3, 6):
    for c in (0, 3, 6):
        p.subject_to(x[r:r + 3, c:c + 3].sum(axis=(0, 1)) == 1, name=f"box_{r}_{c}")
for r, c in zip(*given.nonzero()):
    p.fix(x[r, c, given[r, c] - 1], 1)

if __name__ == "__main__":
    best = p.solve(sweeps=10000, rounds=50)  # it stops when all rules hold
    for row in best.solutions.values[0].reshape(9, 9, 9).argmax(axis=2) + 1:
        print(*row)
    print("solved" if best.feasible else f"{best.violated:.0f} rules are broken")
