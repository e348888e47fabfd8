"""Check exported ONNX files: valid by onnx.checker, shapes inferred, and equal predictions.
   check_onnx.py {MODEL SAMPLES.csv (label last) EXPECTED (a class name per line)}...
The graph is computed node by node with NumPy: this version of onnx has no reference evaluator.
Real features may be summed in another order than by predict, so that there, and only there, a
prediction may differ where two logits are equal but for rounding."""
import sys

import numpy as np
import onnx
from onnx import numpy_helper

DTYPES = {1: np.float32, 2: np.uint8, 11: np.float64}


def compute(node, a):
    options = {at.name: at.i for at in node.attribute}
    if node.op_type == "Cast":
        return a[0].astype(DTYPES[options["to"]])
    if node.op_type == "Gemm":
        assert options == {"transB": 1}
        assert a[0].dtype == a[1].dtype
        return a[0] @ a[1].T + (a[2] if len(a) > 2 else 0)
    if node.op_type == "Where":
        assert a[0].dtype == bool
        return np.where(*a)
    if node.op_type == "ArgMax":
        assert options == {"axis": 1, "keepdims": 0, "select_last_index": 0}
        return np.argmax(a[0], axis=1)
    if node.op_type == "Gather":
        assert options == {"axis": 1}
        return np.take(a[0], a[1], axis=1)
    return {"Mul": np.multiply, "Sub": np.subtract, "Greater": np.greater}[node.op_type](*a)


def check_bipolar(graph, values):
    """All tensors of only -1 and +1 that hold weights or units, and no others, carry QONNX's datatype."""
    marked = [a.tensor_name for a in graph.quantization_annotation]
    assert all([(e.key, e.value) for e in a.quant_parameter_tensor_names] == [("finn_datatype", "BIPOLAR")]
               for a in graph.quantization_annotation)
    of_weights = {"weights", "signs", "hidden", "hidden_signs", "units", "outputs", "output_signs"} & set(values)
    assert sorted(marked) == sorted(name for name in of_weights if (np.abs(values[name]) == 1).all())


def check(path, samples, expected):
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    assert model.opset_import[0].version == 13
    classes = model.metadata_props[0].value.split("\n")
    rows = np.array([line.split(",")[:-1] for line in open(samples)], dtype=float)
    labels = [classes.index(line) for line in open(expected).read().split("\n")[:-1]]
    graph = model.graph
    source = graph.input[0]
    assert source.type.tensor_type.shape.dim[1].dim_value == rows.shape[1]
    values = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    values[source.name] = rows.astype(DTYPES[source.type.tensor_type.elem_type])
    for node in graph.node:
        values[node.output[0]] = compute(node, [values[name] for name in node.input])
    assert [o.name for o in graph.output] == ["label", "logits"]
    check_bipolar(graph, values)
    logits, found = values["logits"], values["label"]
    whole = "two" in values or "hidden" in values or ((rows == np.floor(rows)).all() and "unit" in values)
    slack = 0 if whole else 1e-12
    assert len(found) == len(labels)
    for n, (a, b) in enumerate(zip(found, labels)):
        near = slack * np.abs(logits[n]).max()
        assert a == b or abs(logits[n][a] - logits[n][b]) < near, (path, n, logits[n])


for k in range(1, len(sys.argv), 3):
    check(*sys.argv[k:k + 3])
print((len(sys.argv) - 1) // 3, "graphs agree with predict")
