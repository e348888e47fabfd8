"""A week's timetable of three classes, seven subjects, six teachers and one gym."""
import numpy as np
import spinney

CLASSES, DAYS, HOURS = ["7a", "7b", "7c"], ["Mon", "Tue", "Wed", "Thu", "Fri"], 4
# lessons a week, and the teacher in each class
SUBJECTS = {"maths": (4, "Abel Abel Gauss"), "English": (4, "Byron Brontë Brontë"), "science": (3, "Curie Curie Curie"),
            "history": (2, "Byron Byron Brontë"), "art": (2, "Klee Klee Klee"), "music": (1, "Klee Klee Klee"),
            "sports": (3, "Gauss Gauss Abel")}
AWAY = {"Curie": ["Mon"], "Klee": ["Thu", "Fri"], "Byron": ["Wed"]}

names = list(SUBJECTS)
x = spinney.binaries("x", (len(CLASSES), len(names), len(DAYS), HOURS))
teacher = np.array([SUBJECTS[s][1].split() for s in names]).T  # of each class and subject

p = spinney.Problem()
late = np.array([0, 0, 0, 1]) + np.zeros((len(CLASSES), len(names), len(DAYS), HOURS))
late[:, names.index("maths"), :, 3] = 3  # no maths in the last hour, if it can be helped
p.minimise((late * x).sum())
for c in range(len(CLASSES)):
    for s, name in enumerate(names):
        p.subject_to(x[c, s].sum() == SUBJECTS[name][0], name=f"{name}_{CLASSES[c]}")
p.subject_to(x.sum(axis=3) <= 1, name="once_a_day")
p.subject_to(x.sum(axis=1) <= 1, name="one_lesson_at_a_time")
p.subject_to(x[:, names.index("sports")].sum(axis=0) <= 1, name="gym")
for who in np.unique(teacher):
    own = x[teacher == who]
    p.subject_to(own.sum(axis=0) <= 1, name=who)
    for day in AWAY.get(who, []):
        p.fix(own[:, DAYS.index(day)], 0)

if __name__ == "__main__":
    best = p.solve(rounds=10)
    lessons = best.solutions.values[0].reshape(x.shape)
    print("feasible," if best.feasible else best.violations, f"cost {best.objective:.0f}")
    for c, label in enumerate(CLASSES):
        print(f"\n{label}   " + "".join(f"{day:9}" for day in DAYS).rstrip())
        for hour in range(HOURS):
            row = [names[lesson.argmax()] if lesson.any() else "-" for lesson in lessons[c, :, :, hour].T]
            print(f"{hour + 1}    " + "".join(f"{subject:9}" for subject in row).rstrip())
