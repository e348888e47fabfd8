"""Sample sets: the fields and methods that users of dimod know."""

import concurrent.futures
import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from spinney import SampleSet
from spinney import sampleset
from spinney.sampleset import Vartype, as_samples

ROWS = [[1, -1, 1], [-1, -1, -1], [1, -1, 1], [1, 1, 1]]


@pytest.fixture
def few():
    return SampleSet.from_samples((ROWS, ["c", "a", "b"]), "SPIN", energy=[1.0, -2.0, 1.0, -2.0],
                                  num_occurrences=[1, 2, 3, 4], info={"seed": 5}, chain=[9, 8, 7, 6])


def test_fields(few):
    assert few.variables == ["a", "b", "c"]  # sorted, and the columns with them
    assert few.record.sample.tolist() == [[-1, 1, 1], [-1, -1, -1], [-1, 1, 1], [1, 1, 1]]
    assert few.record.energy.tolist() == [1, -2, 1, -2]
    assert few.record.dtype["sample"].base == np.int8
    assert few.vartype is Vartype.SPIN and few.vartype.name == "SPIN" and few.info == {"seed": 5}
    assert set(few.data_vectors) == {"energy", "num_occurrences", "chain"}
    assert len(few) == 4 and few.done() and few.resolve() is None


def test_first_and_order(few):
    assert few.first == ({"a": -1, "b": -1, "c": -1}, -2.0, 2, 8)
    assert few.first._fields == ("sample", "energy", "num_occurrences", "chain")
    assert [row.chain for row in few.data()] == [8, 6, 9, 7]  # equal energies stay in their order
    assert [row.chain for row in few.data(sorted_by=None)] == [9, 8, 7, 6]
    assert [row.chain for row in few.data(reverse=True)] == [7, 9, 6, 8]
    assert list(few.data(fields=["energy"], name=None))[0] == (-2.0,)
    assert [row.idx for row in few.data(index=True)] == [1, 3, 0, 2]
    assert next(iter(few)) == few.first.sample
    with pytest.raises(ValueError, match="empty"):
        few.slice(0).first


def test_samples(few):
    samples = few.samples()
    assert len(samples) == 4 and samples[0] == {"a": -1, "b": -1, "c": -1}
    assert samples[1, "a"] == 1 and samples[0, ["c", "b"]].tolist() == [-1, -1]
    assert samples[1:, ["a"]].tolist() == [[1], [-1], [-1]]
    assert len(few.samples(2)) == 2 and samples[-1] == few.samples(sorted_by=None)[2]
    assert len(samples[:2]) == 2 and list(samples)[0] == samples[0]


def test_aggregate(few):
    one = few.aggregate()
    assert len(one) == 3 and one.record.num_occurrences.tolist() == [4, 2, 4]
    assert one.record.chain.tolist() == [9, 8, 6]
    assert SampleSet.from_samples(ROWS, "SPIN", energy=0, aggregate_samples=True).record.num_occurrences.sum() == 4
    assert len(few.slice(0).aggregate()) == 0


def test_choosing(few):
    assert few.lowest().record.chain.tolist() == [8, 6]
    assert few.lowest(atol=3).record.chain.tolist() == [9, 8, 7, 6]
    assert few.filter(lambda row: row.sample["b"] == 1).record.chain.tolist() == [9, 7, 6]
    assert few.slice(1, 3).record.chain.tolist() == [6, 9]
    assert few.slice(-1, sorted_by=None).record.chain.tolist() == [9, 8, 7]
    assert few.slice().record.chain.tolist() == [8, 6, 9, 7]
    assert few.truncate(1).record.chain.tolist() == [8]
    with pytest.raises(TypeError):
        few.slice(1, 2, 3, 4)


def test_change_vartype(few):
    binary = few.change_vartype("BINARY", energy_offset=0.5, inplace=False)
    assert binary.vartype is Vartype.BINARY and binary.record.sample.min() == 0
    assert binary.record.energy.tolist() == [1.5, -1.5, 1.5, -1.5]
    assert few.vartype is Vartype.SPIN and few.record.energy[0] == 1
    assert binary.change_vartype({-1, 1}, energy_offset=-0.5) == few
    with pytest.raises(ValueError, match="vartype"):
        few.change_vartype("INTEGER")


def test_relabel_and_copy(few):
    other = few.relabel_variables({"a": "z"}, inplace=False)
    assert other.variables == ["z", "b", "c"] and few.variables == ["a", "b", "c"]
    with pytest.raises(ValueError, match="one label"):
        few.relabel_variables({"a": "b"})
    copy = few.copy()
    copy.record.energy[0] = 7
    assert few.record.energy[0] == 1 and copy != few and few == few.copy() and few != 3


def test_equality_knows_no_order_of_columns():
    one = SampleSet.from_samples(([[1, -1]], ["a", "b"]), "SPIN", energy=[0.0])
    two = SampleSet.from_samples(([[-1, 1]], ["b", "a"]), "SPIN", energy=[0.0], sort_labels=False)
    assert two.variables == ["b", "a"] and one == two
    assert one != SampleSet.from_samples(([[1, -1]], ["a", "c"]), "SPIN", energy=[0.0])


def test_texts(few):
    text = str(few)
    assert "-2.0" in text and "SPIN, 4 rows, 3 variables" in text
    wide = SampleSet.from_samples(np.ones((30, 40), np.int8), "BINARY", energy=np.zeros(30))
    assert "and 20 more" in str(wide) and "…" in str(wide)
    assert repr(few).startswith("SampleSet(") and "'SPIN'" in repr(few)


def test_pickle(few):
    again = pickle.loads(pickle.dumps(few))
    assert again == few and again.first == few.first


def test_html(few):
    assert "4 samples of 3 variables, SPIN; energies: -2 to 1" in few._repr_html_() and "<svg" in few._repr_html_()
    assert "<svg" not in few.slice(0)._repr_html_()


def test_pandas(few):
    pandas = pytest.importorskip("pandas")
    table = few.to_pandas_dataframe()
    assert list(table.columns) == ["a", "b", "c", "chain", "energy", "num_occurrences"]
    assert table["c"].tolist() == [1, -1, 1, 1]
    assert few.to_pandas_dataframe(sample_column=True)["sample"][1] == {"a": -1, "b": -1, "c": -1}
    assert isinstance(table, pandas.DataFrame)


@pytest.mark.parametrize("form", [
    {"a": 1, "b": -1}, [{"a": 1, "b": -1}], ([[1, -1]], "ab"), (np.array([1, -1]), ["a", "b"]),
    ([{"b": -1, "a": 1}], None), SampleSet.from_samples({"a": 1, "b": -1}, "SPIN", energy=[0])])
def test_forms(form):
    samples, labels = as_samples(form)
    assert dict(zip(labels, samples[0].tolist())) == {"a": 1, "b": -1} and samples.shape == (1, 2)


@pytest.mark.parametrize("form", [[1, -1, 1], np.array([1, -1, 1]), [[1, -1, 1]], ([1, -1, 1],)])
def test_forms_without_labels(form):
    samples, labels = as_samples(form)
    assert labels == [0, 1, 2] and samples.tolist() == [[1, -1, 1]]


def test_two_rows_are_no_labels():
    assert as_samples(([1, -1], [-1, 1]))[0].tolist() == [[1, -1], [-1, 1]]


@pytest.mark.parametrize("form", [
    [[1, -1], [1]], [["x"]], [[0.5]], np.zeros((2, 2, 2)), ([[1, 1]], ["a"]), ([[1, 1]], ["a", "a"]),
    [{"a": 1}, {"b": 1}], [[1000]], [[float("nan")]]])
def test_bad_forms(form):
    with pytest.raises(ValueError, match="samples"):
        SampleSet.from_samples(form, "SPIN", energy=0)


def test_bad_iterator():
    with pytest.raises(TypeError, match="iterator"):
        as_samples((iter([[1]]), ["a"]))


def test_bad_parts():
    with pytest.raises(ValueError, match="energy: 2 values for 1"):
        SampleSet.from_samples([[1]], "SPIN", energy=[1, 2])
    with pytest.raises(TypeError, match="record"):
        SampleSet(np.zeros(3), [], {}, "SPIN")
    with pytest.raises(ValueError, match="vartype"):
        SampleSet.from_samples([[1]], "spinning", energy=[1])


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(*[st.sampled_from([-1, 1])] * 3), min_size=1, max_size=20))
def test_aggregate_keeps_all(rows):
    made = SampleSet.from_samples(np.array(rows), "SPIN", energy=np.sum(rows, axis=1))
    one = made.aggregate()
    assert one.record.num_occurrences.sum() == len(rows)
    assert sorted(map(tuple, one.record.sample.tolist())) == sorted(set(rows))
    assert (one.record.energy == one.record.sample.sum(axis=1)).all()


# ---- as plain values ----

# What dimod's own method makes of these samples, by the layout in its source (schema 3.1.0), written by hand.
DIMODS = {
    "type": "SampleSet", "version": {"sampleset_schema": "3.1.0"}, "num_variables": 3, "num_rows": 2,
    "sample_data": {"type": "array", "data": [[2], [5]], "data_type": "uint32", "shape": [2, 1], "use_bytes": False},
    "sample_type": "int8", "sample_packed": True,
    "vectors": {
        "energy": {"type": "array", "data": [-0.5, 1.5], "data_type": "float64", "shape": [2], "use_bytes": False},
        "num_occurrences": {"type": "array", "data": [1, 1], "data_type": "int64", "shape": [2], "use_bytes": False}},
    "variable_labels": ["a", 3, ["b", 1]], "variable_type": "SPIN", "info": {"seed": 5}}


def test_the_layout_is_dimods():
    made = SampleSet.from_samples(([[-1, 1, -1], [1, -1, 1]], ["a", 3, ("b", 1)]), "SPIN", energy=[-0.5, 1.5],
                                  info={"seed": np.int64(5)})
    assert made.to_serializable() == DIMODS
    again = SampleSet.from_serializable(json.loads(json.dumps(DIMODS)))
    assert again == made and again.variables == ["a", 3, ("b", 1)] and again.record.sample.dtype == np.int8


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 5), st.integers(1, 70), st.sampled_from(["SPIN", "BINARY"]), st.booleans(), st.booleans(),
       st.integers(0, 2**32 - 1))
def test_plain_values_come_back(rows, variables, vartype, use_bytes, pack, seed):
    bits = np.random.default_rng(seed).integers(0, 2, (rows, variables), np.int8)
    samples = bits if vartype == "BINARY" else 2 * bits - 1
    made = SampleSet.from_samples(samples, vartype, energy=np.arange(rows) / 3, info={"at": [1, {"x": None}]},
                                  chain=np.arange(2 * rows).reshape(rows, 2))
    plain = made.to_serializable(use_bytes=use_bytes, pack_samples=pack)
    again = SampleSet.from_serializable(plain if use_bytes else json.loads(json.dumps(plain)))
    assert again == made and again.record.dtype == made.record.dtype


def test_arrays_within_info_come_back(few):
    few.info = {"times": np.arange(3.0), "deep": [{"n": np.int8(2)}, True, "x"]}
    again = SampleSet.from_serializable(json.loads(json.dumps(few.to_serializable())))
    assert again.info["times"].tolist() == [0, 1, 2] and again.info["deep"] == [{"n": 2}, True, "x"]


@pytest.mark.parametrize("change, said", [
    ({"version": {"sampleset_schema": "2.0.0"}}, "schema 2.0.0"), ({"variable_type": "REAL"}, "REAL"),
    ({"vectors": {}}, "energy"), ({"variable_labels": ["a", "b"]}, "sample_data|labels"), ({"vectors": 3}, "obj"),
    ({"variable_labels": ["a", "a", "b"]}, "twice"),
    ({"sample_data": {"data": [], "data_type": "object", "shape": [0], "use_bytes": False}}, "not one of numbers"),
    ({"sample_data": {**DIMODS["sample_data"], "shape": [5, 5]}}, "sample_data"),
    ({"sample_data": {**DIMODS["sample_data"], "data_type": "float64"}}, "sample_data"), ({"info": None}, None)])
def test_what_is_not_a_sample_set(change, said):
    changed = {**DIMODS, **change}
    if said is None:
        assert len(SampleSet.from_serializable(changed)) == 2
        return
    with pytest.raises(ValueError, match=said):
        SampleSet.from_serializable(changed)
    with pytest.raises(ValueError, match="obj: not a sample set"):
        SampleSet.from_serializable({})


def test_appending(few):
    more = few.append_variables({"z": 1, "d": -1})
    assert more.variables == ["a", "b", "c", "d", "z"] and more.record.sample[:, 3:].tolist() == [[-1, 1]] * 4
    assert more.record.energy.tolist() == few.record.energy.tolist() and more.record.chain.tolist() == [9, 8, 7, 6]
    each = few.append_variables((np.array([[1], [-1], [1], [-1]]), ["z"]))
    assert each.record.sample[:, 3].tolist() == [1, -1, 1, -1] and each.info == few.info
    for wrong, said in (({"a": 1}, "'a' is there already"), ([{"z": 1}] * 3, "3 for 4 rows"), ({"z": 0}, "SPIN")):
        with pytest.raises(ValueError, match=said):
            few.append_variables(wrong)
    assert few.append_data_vectors(good=[1, 0, 1, 0]).record.good.tolist() == [1, 0, 1, 0]
    with pytest.raises(ValueError, match="energy: there is such a field"):
        few.append_data_vectors(energy=[1, 2, 3, 4])


def test_energies_of_a_model():
    class Model:
        linear, quadratic, offset, vartype = {"a": 1.0, "b": -2.0}, {("a", "b"): 3.0}, 0.5, "SPIN"

    made = SampleSet.from_samples_bqm([{"a": 1, "b": 1, "c": 1}, {"a": -1, "b": 1, "c": 1}], Model)
    assert made.record.energy.tolist() == [2.5, -5.5] and made.vartype is Vartype.SPIN
    with pytest.raises(ValueError, match="no variable 'b'"):
        SampleSet.from_samples_bqm([{"a": 1}], Model)


def test_locking(few):
    assert few.is_writeable
    few.is_writeable = False
    with pytest.raises(ValueError, match="read-only"):
        few.record.energy[0] = 3


def test_samples_of_any_numbers_keep_their_type():
    rows = np.ones((3, 2), np.int32)
    assert as_samples(rows)[0] is rows and as_samples(rows, copy=True)[0] is not rows
    assert as_samples([[1, 300]])[0].dtype == np.int16 and as_samples([1.5, 3])[0].tolist() == [[1.5, 3.0]]
    assert as_samples([1] for _ in range(4))[0].shape == (4, 1) and as_samples(iter([]))[0].shape == (0, 0)
    assert as_samples(([], ["a", "b"]))[0].shape == (0, 2) and as_samples([[], []])[0].shape == (2, 0)
    assert as_samples([[0, 1], {1: 0, 0: 1}])[0].tolist() == [[0, 1], [1, 0]]
    assert as_samples(rows, dtype=float, labels_type=tuple)[1] == (0, 1)


def test_concatenate():
    spins = SampleSet.from_samples(([[-1, 1]], "ab"), "SPIN", energy=[-1.0], extra=[3])
    bits = SampleSet.from_samples(([[0, 1], [0, 0]], "ba"), "BINARY", energy=[2.0, 1.0], extra=[4, 5])
    both = sampleset.concatenate([spins, bits])
    assert both.record.sample.tolist() == [[-1, 1], [1, -1], [-1, -1]] and both.vartype.name == "SPIN"
    assert both.record.energy.tolist() == [-1.0, 2.0, 1.0] and both.record.extra.tolist() == [3, 4, 5]
    assert bits.record.sample.tolist() == [[1, 0], [0, 0]]  # untouched, its labels sorted
    bare = SampleSet.from_samples(([[1, 1]], "ab"), "SPIN", energy=[0.0])
    assert sampleset.concatenate([spins, bare], {"extra": 9}).record.extra.tolist() == [3, 9]
    fewer = sampleset.keep_variables(bits, "a")
    for wrong, text in (([], "none"), ([spins, bare], "extra"), ([spins, fewer], "variables")):
        with pytest.raises(ValueError, match=text):
            sampleset.concatenate(wrong)


def test_some_variables():
    made = SampleSet.from_samples(([[-1, 1, 1]], "abc"), "SPIN", energy=[2.0])
    kept, left = sampleset.keep_variables(made, iter("ca")), sampleset.drop_variables(made, "bz")
    assert kept.variables == "ca" and kept.record.sample.tolist() == [[1, -1]] and kept.record.energy.tolist() == [2.0]
    assert left.variables == ["a", "c"] != "ab" and sampleset.keep_variables(made, []).record.sample.shape == (1, 0)
    with pytest.raises(ValueError, match="no 'd'"):
        sampleset.keep_variables(made, "ad")


def test_what_values_samples_take():
    kinds = [sampleset.infer_vartype(rows) for rows in ([[1, 1]], [], [[0, 1]], [[-1, 1]])]
    assert kinds == [None, None, sampleset.Vartype.BINARY, sampleset.Vartype.SPIN]
    with pytest.raises(ValueError, match="neither"):
        sampleset.infer_vartype([1, 2])


def test_samples_of_a_future():
    """They are there once the future has them, and changes asked for before wait, too."""
    future = concurrent.futures.Future()
    first, renamed = SampleSet.from_future(future), SampleSet.from_future(future)
    of_hook = SampleSet.from_future(future, lambda known: known.result().copy())
    bits = first.change_vartype("BINARY", inplace=False)
    assert renamed.relabel_variables({0: "a"}) is renamed and not first.done() and not hasattr(first, "_record")
    future.set_result(SampleSet.from_samples([[-1, 1]], "SPIN", energy=[2.0], info={"x": 1}))
    assert first.done() and first.info == {"x": 1} and first.record.sample.tolist() == [[-1, 1]]
    assert bits.record.sample.tolist() == [[0, 1]] and bits.vartype.name == "BINARY" and first.vartype.name == "SPIN"
    assert renamed.variables == ["a", 1] and of_hook == first and pickle.loads(pickle.dumps(of_hook)) == first
    with pytest.raises(AttributeError):
        first.nothing
    failing = concurrent.futures.Future()
    failing.set_exception(KeyError("mine"))
    with pytest.raises(KeyError, match="mine"):
        len(SampleSet.from_future(failing))


def test_samples_of_other_kinds():
    made = SampleSet.from_samples(([[0, 107, 236], [3, 321, 1], [3, 321, 1]], "abc"), "DISCRETE", energy=[2, 1, 1])
    assert made.aggregate().record.num_occurrences.tolist() == [1, 2]
    assert made.first.sample == {"a": 3, "b": 321, "c": 1}
    again = SampleSet.from_serializable(made.to_serializable())
    assert again == made and again.vartype is sampleset.Vartype.DISCRETE
    assert SampleSet.from_samples([0, 5], "INTEGER", energy=1).record.sample.tolist() == [[0, 5]]
    with pytest.raises(ValueError, match="DISCRETE is not SPIN or BINARY"):
        made.change_vartype("SPIN")
