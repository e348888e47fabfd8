#!/usr/bin/env bats
# A model of a table as C: a struct of the user's columns, compared with predict row by row.

load helpers

# gaps.csv, full.csv, new.csv; strange.csv has texts that are not in training
tables() {
    python3 - <<'END'
import csv, random
random.seed(3)
def table(path, count, gaps):
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["cylinders", "size, in³", "horse power", "class", "origin", "2019", "", "horse-power", "economy"])
        for n in range(count):
            origin, kind = random.choice(["usa", "europe", "japan"]), random.choice(["a", "b b", 'c,"x', "d??/"])
            good = random.random() < 0.3 + 0.3 * (origin == "japan") + 0.2 * (kind == "a")
            row = [random.choice([4, 6, 8]), f"{random.uniform(70, 400) - 200 * good:.3f}", f"{random.uniform(50, 200):.2f}",
                   kind, origin, random.randint(70, 82), random.choice(["x", 'y"?']), random.gauss(0, 1e-9)]
            if gaps and random.random() < 0.3:
                row[random.randrange(len(row))] = random.choice(["", "NA"])
            out.writerow([*row, "good" if good else "bad"])
table("gaps.csv", 200, True)
table("full.csv", 200, False)
table("new.csv", 120, True)
END
    sed 's/,europe,/,mars,/; s/,usa,/,?,/' new.csv > strange.csv
}

# `rows FILE`: the table as an array of NAME_row; missing cells as C has them
rows() {
    python3 - "$1" > rows.h <<'END'
import csv, re, sys
header = open("model.h").read()
fields = re.findall(r"^    (double |float |const char \*)(\w+);", header.split("typedef struct model_row {")[1].split("}")[0], re.M)
def cell(text, kind):
    if kind.startswith("const"):
        return "0" if text in ("", "NA", "?") else '"' + text.replace('"', '\\"').replace("?", "\\?") + '"'
    return "0.0 / zero" if text in ("", "NA") else text
rows = list(csv.reader(open(sys.argv[1])))[1:]
print("static const double zero;\nstatic model_row row_of(int n)\n{\n    switch (n) {")
for n, row in enumerate(rows):
    values = ", ".join(f".{name} = {cell(text, kind)}" for text, (kind, name) in zip(row, fields))
    print(f"    case {n}: return (model_row){{{values}}};")
print(f"    }}\n    return (model_row){{0}};\n}}\nenum {{ ROWS = {len(rows)} }};")
END
    cat > use.c <<'END'
#include "model.h"
#include "rows.h"
#include <stdio.h>
int main(void)
{
    for (int n = 0; n < ROWS; n++) {
        const model_row row = row_of(n);
        const int k = model_predict_row(&row, 0);
        puts(k < 0 ? "refused" : model_class(k));
    }
    return 0;
}
END
    gcc -std=c99 -Wall -Wextra -Wconversion -Wno-float-conversion -Werror -pedantic -o use use.c
    ./use > by-c
}

# `same FILE`: the header predicts what predict does
same() {
    spinney export m.spn --format c --name model --out model.h --quiet
    rows "$1"
    spinney predict m.spn "$1" --quiet > by-predict
    cmp by-c by-predict
    [ "$(sort -u by-c | wc -l)" -eq 2 ]
}

@test "a struct of the columns predicts what predict does: copies, thermometers, networks; gaps and unknown texts" {
    tables
    local quick=(train --header yes --replicas 1 --seed 2 --out m.spn --quiet)
    for missing in mean zero; do
        for encode in copies:9 none thermometer:5; do
            spinney "${quick[@]}" --data gaps.csv --missing $missing --encode $encode --steps 2000 > /dev/null
            same new.csv
            same strange.csv
        done
        spinney "${quick[@]}" --data gaps.csv --missing $missing --hidden 5 --sweeps 5 > /dev/null
        same strange.csv
    done
    spinney "${quick[@]}" --data full.csv --drop 2 --categories cylinders --steps 2000 > /dev/null
    spinney export m.spn --format c --name model --out model.h --quiet
    cut -d, -f1 full.csv | sort -u | grep -q 8
    grep -q 'const char \*cylinders;' model.h
    run ! grep -q 'size__in' model.h
    # the features have names, and names of columns that are no names in C, or come twice, became some
    grep -q '"origin=japan"' model.h
    grep -q 'double horse_power_3;' model.h
    grep -q 'double horse_power_8;' model.h
    grep -q 'const char \*class_;' model.h
    grep -q 'double x_2019;' model.h
    grep -q 'const char \*column_7;' model.h
    printf '#include "model.h"\nint main() { model_row row = {}; return model_predict_row(&row, 0); }\n' > use.cc
    g++ -fsyntax-only use.cc
}

@test "a row that predict refuses is refused" {
    tables
    spinney train --header yes --steps 2000 --out m.spn --quiet --data full.csv > /dev/null
    same full.csv
    rows strange.csv
    python3 - <<'END'
import csv
rows = list(csv.reader(open("strange.csv")))[1:]
refused = [any(cell in ("", "NA", "?", "mars") for cell in row) for row in rows]
found = [line.strip() == "refused" for line in open("by-c")]
assert refused == found and any(refused) and not all(refused)
END
    sed '2s/^[468],/1e999,/' full.csv > huge.csv
    rows huge.csv 2> /dev/null || sed -i 's/= 1e999/= 1 \/ zero/' rows.h
    gcc -std=c99 -o use use.c && ./use > by-c
    [ "$(grep -c refused by-c)" -eq 1 ]
    refuses "not finite" predict m.spn huge.csv
}

@test "--arithmetic float is refused if a number is beyond its range" {
    # it wrote -inff, which is no C, or 0 for the step of huge features
    for factor in 1e120 1e60; do
        python3 -c "
import random
random.seed(1)
print('x,y,k')
for n in range(40): print(f'{random.gauss(n % 2, 1) * $factor!r},{random.random()},{n % 2}')" > huge.csv
        for encode in copies:9 thermometer:3; do
            spinney train --data huge.csv --encode $encode --steps 200 --out m.spn --quiet > /dev/null
            refuses "the arithmetic float is not possible: features are beyond its range; double is" \
                export m.spn --format c --arithmetic float --out never.h
            spinney export m.spn --format c --arithmetic double --name model --out model.h --quiet
            printf '#include "model.h"\nint main(void) { return 0; }\n' > use.c
            gcc -std=c99 -Wall -Wextra -Werror -pedantic -fsyntax-only use.c
        done
    done
}
