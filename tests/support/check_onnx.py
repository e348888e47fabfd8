"""Check an exported ONNX file: valid by onnx.checker, shapes inferred, and equal predictions.
   check_onnx.py MODEL SAMPLES.csv (label last) EXPECTED (a class name per line)
The graph is computed node by node with NumPy: this version of onnx has no reference evaluator."""
import sys

import numpy as np
import onnx
from onnx import numpy_helper

model = onnx.load(sys.argv[1])
onnx.checker.check_model(model, full_check=True)
assert model.opset_import[0].version == 13
rows = [line.split(",")[:-1] for line in open(sys.argv[2])]
expected = open(sys.argv[3]).read().split("\n")[:-1]
classes = model.metadata_props[0].value.split("\n")

graph = model.graph
dtypes = {1: np.float32, 2: np.uint8, 11: np.float64}
values = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
source = graph.input[0]
assert source.type.tensor_type.shape.dim[1].dim_value == len(rows[0])
values[source.name] = np.array(rows, dtype=float).astype(dtypes[source.type.tensor_type.elem_type])
for node in graph.node:
    a = [values[name] for name in node.input]
    options = {at.name: at.i for at in node.attribute}
    if node.op_type == "Cast":
        assert options["to"] == 11
        out = a[0].astype(np.float64)
    elif node.op_type == "Gemm":
        assert options == {"transB": 1}
        out = a[0] @ a[1].T
    elif node.op_type == "ArgMax":
        assert options == {"axis": 1, "keepdims": 0, "select_last_index": 0}
        out = np.argmax(a[0], axis=1)
    else:
        out = {"Mul": np.multiply, "Sub": np.subtract, "Greater": np.greater}[node.op_type](*a)
    values[node.output[0]] = out
labels = [classes[k] for k in values[graph.output[0].name]]
assert [o.name for o in graph.output] == ["label", "logits"]
wrong = [n for n in range(len(rows)) if labels[n] != expected[n]]
assert len(labels) == len(expected) and not wrong, f"{len(wrong)} differ, first {wrong[:5]}"
print(f"{len(labels)} predictions agree")
