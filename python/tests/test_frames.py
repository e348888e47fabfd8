"""Tables in memory: trained on, scored and classified as the same table in a file."""

import pickle

import numpy as np
import pytest

import spinney

pandas = pytest.importorskip("pandas")
ROWS = 120


@pytest.fixture
def frame():
    random = np.random.default_rng(1)
    made = pandas.DataFrame({"colour": random.choice(["red", "a, \"b\"", "blue"], ROWS),
                             "size": random.normal(size=ROWS), "known": random.random(ROWS) > 0.5})
    return made.assign(answer=np.where((made["size"] > 0) ^ (made["colour"] == "red"), "yes", "no"))


def test_a_frame_is_its_file(frame, tmp_path):
    frame.to_csv(tmp_path / "table.csv", index=False)
    run = {"seed": 2, "sweeps": 5}
    file = spinney.train(tmp_path / "table.csv", **run)
    inputs = frame.drop(columns="answer")
    for made in (spinney.train(frame, **run), spinney.train(inputs, labels=frame["answer"], **run),
                 spinney.train(frame[["answer", "colour", "size", "known"]], label_column="answer", **run)):
        assert np.array_equal(made.model.weights, file.model.weights) and made.model.classes == ["no", "yes"]
        labels = made.model.predict(inputs)
        assert labels.tolist() == file.model.predict(frame).tolist()  # other columns are skipped
        assert labels.tolist() == made.model.predict(inputs[["known", "size", "colour"]]).tolist()  # names count
        assert pickle.loads(pickle.dumps(made.model)).predict(inputs).tolist() == labels.tolist()
        share = (labels == frame["answer"]).mean()
        assert spinney.evaluate(made.model, frame)["best_accuracy"] == pytest.approx(share)
        assert spinney.evaluate(made.model, inputs, labels=frame["answer"])["best_accuracy"] == pytest.approx(share)
    with pytest.raises(ValueError, match="X: .*no column is called 'colour'"):
        made.model.predict(inputs[["size", "known"]])


def test_rows_of_texts_without_names(frame):
    rows = frame.drop(columns="answer").to_numpy()
    model = spinney.train(rows, labels=frame["answer"].to_numpy(), sweeps=5).model
    assert model.predict(rows).shape == (ROWS,) and set(model.predict(rows.tolist())) <= {"yes", "no"}


def test_missing_values(frame):
    frame.loc[3, "size"] = np.nan
    with pytest.raises(ValueError, match=r"data: line 5, column 2 \('size'\): 1 missing value.*missing=\"mean\""):
        spinney.train(frame)
    X, y = frame[["size"]].to_numpy().repeat(2, axis=1), frame["answer"].to_numpy()
    for data, labels in ((frame, None), (X, y)):
        trained = spinney.train(data, labels=labels, missing="mean", sweeps=2)
        assert trained.settings["missing"] == "mean" and len(trained.model.predict(data)) == ROWS


def test_a_test_table_is_read_like_the_training(frame):
    part = frame.iloc[:80], frame.iloc[80:][["answer", "size", "known", "colour"]]
    trained = spinney.train(part[0], test=part[1], seed=1, sweeps=5)
    share = (trained.model.predict(part[1]) == part[1]["answer"]).mean()
    assert trained.best_test_accuracy == pytest.approx(share)
    with pytest.raises(ValueError, match="test: a table with names"):
        spinney.train(np.eye(4), labels=[0, 1, 0, 1], test=part[1])


def test_labels_keep_their_type(frame):
    numbered = frame.assign(answer=np.where(frame["answer"] == "yes", 7, 3))
    model = spinney.train(numbered, sweeps=5).model
    assert model.predict(numbered).dtype.kind == "i" and set(model.predict(numbered)) <= {3, 7}
    with pytest.raises(ValueError, match="labels: a label for each of the 120 rows"):
        spinney.train(frame, labels=[1, 2])


def test_a_target_of_a_regression_is_refused_as_in_a_file(frame):
    frame["answer"] = np.random.default_rng(2).normal(size=ROWS).round(2)
    with pytest.raises(ValueError, match="^data: .*label_kind=\"classes\""):
        spinney.train(frame)
    assert len(spinney.train(frame, label_kind="classes", sweeps=1).model.classes) > 20


def test_every_row_has_a_prediction(frame):
    model = spinney.train(frame, missing="mean", sweeps=2).model
    frame.loc[5, "answer"] = None
    try:
        found = len(model.predict(frame))
    except ValueError as error:
        assert "without a label" in str(error)
    else:
        assert found == ROWS
    assert len(model.predict(frame.drop(columns="answer"))) == ROWS
