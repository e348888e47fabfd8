# Tables as users have them: columns by name, categories, missing values, arrays; and what is refused.
load helpers

quick=(train --steps 2000 --quiet)

# Every column says something of the class: 60 rows, some cells missing.
write_people() {
    python3 - <<'END'
import random
draw = random.Random(5)
with open("people.csv", "w", newline="") as f:
    f.write('\ufeffid;age;"town, born";smoker;code;ill\r\n')
    for n in range(60):
        ill = n % 3 == 0
        age = "" if n % 11 == 5 else "%.1f" % draw.gauss(60 if ill else 40, 4)
        town = "NA" if n % 17 == 3 else draw.choice(["Köln", "São Paulo"] if ill else ["Köln", '"Nether ""End"""'])
        f.write("p%d;%s;%s;%s;%d;%s\r\n" % (n, age, town, draw.choice(["True", "False"]), n % 4, "yes" if ill else "no"))
END
}

@test "a table with names, categories and gaps: train, test, eval, predict" {
    write_people
    spinney "${quick[@]}" --data people.csv --drop id --categories code --missing mean \
        --test-fraction 0.2 --out m.spn --json > train.json
    [ "$(json 'd["settings"]["missing"] + d["settings"]["drop"]' < train.json)" = meanid ]
    # the same rows with columns in another order, another separator, and one more
    awk -F'\r?;' -v OFS='\t' '{ sub(/\r$/, "", $6); print "extra", $6, $5, $3, $2, $4 }' people.csv |
        sed '1s/\xef\xbb\xbf//' > turned.tsv
    [ "$(head -1 turned.tsv)" = $'extra\till\tcode\t"town, born"\tage\tsmoker' ]
    spinney predict m.spn people.csv --quiet > a
    spinney predict m.spn turned.tsv --quiet > b
    cut -f 3-6 turned.tsv | spinney predict m.spn --quiet - > c
    tail -n +2 people.csv | spinney predict m.spn --quiet - > d
    cmp a b
    cmp a c
    cmp a d
    [ "$(spinney eval m.spn --data people.csv --json | json 'd["results"]["accuracy"]')" = \
        "$(spinney eval m.spn --data turned.tsv --json | json 'd["results"]["accuracy"]')" ]
    # a test file is read as the training file
    spinney "${quick[@]}" --data people.csv --drop id --categories code --missing mean \
        --test turned.tsv --json > test.json
    [ "$(json 'd["results"]["test_loss"] == d["results"]["train_loss"]' < test.json)" = True ]
}

@test "a category that training did not see" {
    printf 'colour,x,y\nred,1,a\nblue,2,b\nred,3,a\nblue,1,b\n' > seen.csv
    printf 'colour,x,y\nred,1,a\ngreen,2,b\n' > unseen.csv
    spinney "${quick[@]}" --data seen.csv --out m.spn > /dev/null
    refuses "unseen.csv: line 3, column 1 ('colour'): 'green' is none of the 2 categories" \
        predict m.spn unseen.csv
    [ "$(spinney predict m.spn unseen.csv --missing zero --quiet | wc -l)" -eq 2 ]
    refuses "--test: unseen.csv: line 3" "${quick[@]}" --data seen.csv --test unseen.csv
}

@test "NPZ with a test part" {
    run --separate-stderr spinney "${quick[@]}" --data "$BATS_TEST_DIRNAME/../unit/numpy/parts.npz" --json
    [ "$status" -eq 0 ]
    [ "$(json '"test_accuracy" in d["results"]' <<< "$output")" = True ]
}

@test "svmlight from 0, and a further file that has no index 0" {
    printf '1 0:3 2:1\n2 1:4\n1 0:2\n2 1:3 2:1\n' > from0.svm
    printf '1 2:1\n' > further.svm
    spinney "${quick[@]}" --data from0.svm --out m.spn > /dev/null
    spinney predict m.spn further.svm --quiet > /dev/null
    printf '1 3:1\n' > beyond.svm
    refuses "index 3; expected at most 3 features" predict m.spn beyond.svm
}

# `train_refuses TEXT options...`, with the table on stdin
train_refuses() {
    cat > t.csv
    refuses "$1" "${quick[@]}" --out m.spn --json --data t.csv "${@:2}"
}

@test "bad tables" {
    train_refuses "t.csv: line 2, column 1 ('a'): '7,4' has a comma; give --decimal comma if it stands for a decimal point" \
        <<< $'a;b;c\n7,4;0,7;x\n7,8;0,88;y'
    train_refuses "t.csv: line 3, column 1 ('age'): the first of 2 missing values (empty, NA, NaN, null, ? or .); fill in or remove such values, give --drop age to leave the column out, or give --missing mean or --missing zero" \
        <<< $'age,y\n1,a\n,b\n?,a'
    train_refuses "t.csv: column 'id' (12): too many different texts in 12 rows for categories; give --drop id to leave it out, or list it in --categories" \
        < <(echo id,x,y; for k in {1..12}; do echo "t$k,$k,c$((k % 2))"; done)
    train_refuses "t.csv: line 3, column 1 ('n'): '3+' is not a number, though others in its column are; correct it, give --drop n to leave the column out, or list it in --categories" \
        <<< $'n,y\n1,a\n3+,b'
    train_refuses "t.csv: the labels ('price') are 12 different numbers, which looks like the target of a regression, not like classes; set --label-column if the classes are elsewhere, cut the numbers into ranges, or give --label-kind classes" \
        < <(echo x,price; for k in {1..12}; do echo "$k,$k.5"; done)
    # few rows, each with a number of its own
    train_refuses "t.csv: the labels ('price') are 5 different whole numbers, which looks like the target of a regression" \
        < <(echo x,price; for k in {1..5}; do echo "$k,$((k * k))"; done)
    spinney "${quick[@]}" --data t.csv --label-kind classes --out m.spn | grep -q "5 classes"
    train_refuses "t.csv: line 3, column 2 ('y'): the first of 2 missing labels (empty, NA, NaN, null, ? or .)" <<< $'x,y\n1,a\n2,NA\n3,b\n4,?'
    train_refuses "give --header yes if the first line is a header, otherwise --header no" <<< $'2019,2020,y\nlow,high,a\nhigh,low,b'
    train_refuses "give --header yes" <<< $'2019,x,y\n1,2,a\n3,4,b'
    train_refuses "column 'gap' has no value in the 2 training samples; leave it out (--drop)" \
        --missing mean <<< $'gap,x,y\n,1,a\n,2,b'
}

@test "what was read as texts or as other classes in silence" {
    # three numbers with points were three categories
    train_refuses "t.csv: line 2, column 1 ('x'): '1.234' has a point, but numbers have decimal commas (--decimal comma); remove points between thousands, or give --decimal point" \
        --decimal comma <<< $'x;y;k\n1.234;2,5;a\n2.345;3,5;b\n3.111;1,5;a'
    # two files put together, one with floats: four classes of two
    train_refuses "t.csv: the labels '0' and '0.0' are the same number; write them alike, or give --label-kind classes if they are two classes" \
        <<< $'x,k\n1,0\n2,1\n3,0.0\n4,1.0'
    train_refuses "the labels '007' and '7' are the same number" <<< $'x,k\n1,007\n2,7\n3,8'
    spinney "${quick[@]}" --data t.csv --label-kind classes --out m.spn | grep -q "3 classes"
    printf 'day;y;k\n01.02.2020;2,5;a\n01.03.2020;3,5;b\n01.02.2020;1,5;a\n' > d.csv
    spinney "${quick[@]}" --data d.csv --decimal comma --out m.spn | grep -q "3 features"
}

@test "bad names of columns" {
    table=$'size,colour,y\n1,red,a\n2,blue,b'
    train_refuses "--label-column: t.csv: no column is called 'colur'; did you mean 'colour'?" \
        --label-column colur <<< "$table"
    train_refuses "--label-column: t.csv: no column is called '4'; a number is from 1 to 3" \
        --label-column 4 <<< "$table"
    train_refuses "--drop: t.csv: no column is called 'sise'; did you mean 'size'?" --drop sise <<< "$table"
    train_refuses "--drop: t.csv: column 3 holds the labels" --drop y <<< "$table"
    train_refuses "--categories: t.csv: no column is called '0'" --categories 0 <<< "$table"
    train_refuses "no column is left for features" --drop size,colour <<< "$table"
    train_refuses "--label-column: t.csv: columns 1 and 2 are both called 'x'; give the number" \
        --label-column x <<< $'x,x\n1,a\n2,b'
    train_refuses "--missing: there is no 'median'; did you mean mean?" --missing median <<< "$table"
    train_refuses "--separator: 'colon' is not one of auto, comma, tab, semicolon, pipe, blank" --separator colon <<< "$table"
    printf '1 1:2\n2 1:3\n' > d.svm
    refuses "drop is for the columns of CSV; this is svmlight" "${quick[@]}" --data d.svm --drop 1
}

@test "bad files for a model's columns" {
    printf 'size,colour,y\n1,red,a\n2,blue,b\n' > t.csv
    spinney "${quick[@]}" --data t.csv --out m.spn > /dev/null
    printf 'size,y\n1,a\n' > few.csv
    refuses "few.csv: line 1: no column is called 'colour', as in the training data" predict m.spn few.csv
    printf '1,red,9,a\n' > many.csv
    refuses "many.csv: line 1: 4 columns, but the training data have 3 with the label" predict m.spn many.csv
    printf 'size,colour\n1,red\n' > bare.csv
    refuses "bare.csv: line 1: no column holds the labels; set --label-column" \
        eval m.spn --data bare.csv
    refuses "--label-column: t.csv: column 1 was a feature in training" \
        eval m.spn --data t.csv --label-column size
    printf 'size,colour,y\n,red,a\n' > gap.csv
    refuses "values are missing, and the means to replace them are not known" \
        predict m.spn gap.csv --missing mean
}

@test "labels in a file of their own: the option is named" {
    npy=$BATS_TEST_DIRNAME/../unit/numpy
    refuses "channels.npy: npy data has its labels in a second file; give that file too (labels)" \
        "${quick[@]}" --data "$npy/channels.npy"
    refuses "single.npz: no array holds the labels of arr_0.npy" "${quick[@]}" --data "$npy/single.npz"
    refuses "(labels)" "${quick[@]}" --data "$npy/single.npz"
    refuses "channels.npy: npy data has its labels in a second file; give that file too (test-labels)" \
        "${quick[@]}" --data "$npy/parts.npz" --test "$npy/channels.npy"
    refuses "unclear.npz: holds a.npy, b.npy, c.npy; expected x_train and y_train" \
        "${quick[@]}" --data "$npy/unclear.npz"
    refuses "gaps.npz: X.npy: byte" "${quick[@]}" --data "$npy/gaps.npz"
}

@test "an index that was saved with a table is pointed out" {
    { echo ",x,y"; for k in {0..11}; do echo "$k,$((k * 7 % 5)),c$((k % 2))"; done; } > index.csv
    run --separate-stderr spinney "${quick[@]}" --data index.csv
    [[ $output == *"feature 1 counts the samples, as an index does"*"leave its column out with drop"* ]]
    run --separate-stderr spinney "${quick[@]}" --data index.csv --drop 1
    [[ $output != *"counts the samples"* ]]
}

@test "settings of files are refused with a data set that is known by name" {
    refuses "--label-column: needs a file; the data set digits is known whole" train --label-column nope
    refuses "--drop: needs a file; the data set digits is known whole" train --drop 3
}

@test "tables of R, decimal commas and labels that are numbers" {
    tables=$BATS_TEST_DIRNAME/../unit/tables
    spinney "${quick[@]}" --data "$tables/write.csv" --out m.spn > /dev/null
    spinney predict m.spn "$tables/write.csv" --quiet > a
    spinney predict m.spn "$tables/write.table" --quiet > b
    spinney predict m.spn "$tables/write.csv2" --decimal comma --quiet > c
    cmp a b
    cmp a c
    refuses "has a comma; give --decimal comma" predict m.spn "$tables/write.csv2"
    { echo x,y; for k in {1..12}; do echo "$k,$k.5"; done; } > price.csv
    run --separate-stderr spinney "${quick[@]}" --data price.csv --label-kind classes
    [ "$status" -eq 0 ]
    [[ $output == *"12 classes have only one sample: 1.5, "* ]]
}

@test "errors name a feature of the table, not a copy of it" {
    printf 'age,income,y\n1,1e308,a\n2,-1e308,b\n3,1e308,a\n4,5,b\n' > big.csv
    refuses "feature 2 ('income'): its deviation cannot be computed" train --data big.csv --steps 10
    run --separate-stderr spinney train --data big.csv --steps 10 --scaling 0,1e-5
    [ "$status" -ne 0 ]
    [[ $stderr == *"feature 2 ('income') of sample 1 is not finite once scaled"* ]]
}

@test "samples without a label are left out, and counted" {
    printf 'x,y\n1,a\n2,NA\n3,b\n4,\n5,a\n6,b\n' > gaps.csv
    run --separate-stderr spinney "${quick[@]}" --data gaps.csv --missing zero --out m.spn
    [[ $output == *"4 samples of 1 features"*"2 samples without a label were left out"* ]]
    [ "$(spinney predict m.spn gaps.csv --quiet | wc -l)" -eq 6 ]
    run --separate-stderr spinney eval m.spn --data gaps.csv
    [[ $output == *"4 samples"*"2 samples without a label were left out"* ]]
}
