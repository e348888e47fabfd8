"""Write the arrays of this folder: python3 make.py, with numpy. They are kept, so that tests do not need it."""
import numpy as np

# Six values of every type, in every order: 2 samples of 3 features.
small = np.arange(6).reshape(2, 3)
values = {"b1": small % 2, "f2": (small - 3) / 4, "f4": (small - 3) / 4, "f8": (small - 3) / 4}
for size in 1, 2, 4, 8:
    values["u%d" % size] = small + 2 ** (8 * size - 1)
    values["i%d" % size] = small - 3
arrays = {}
for name, value in values.items():
    for order in "<", ">":
        array = value.astype(order + name)
        arrays["%s-%s-c" % (name, "little" if order == "<" else "big")] = np.ascontiguousarray(array)
        arrays["%s-%s-fortran" % (name, "little" if order == "<" else "big")] = np.asfortranarray(array)
np.savez_compressed("types.npz", **arrays)

# Halves at the edges: the least, the largest, the least normal one, a third.
np.save("halves.npy", np.array([[2.0 ** -24, 65504, 2.0 ** -14, 1 / 3]], dtype="<f2"))

# Images with channels, in Fortran order: value 100 n + 10 row + column, of each channel.
images = 100 * np.arange(2)[:, None, None, None] + 10 * np.arange(3)[None, :, None, None] \
    + np.arange(5)[None, None, :, None] + np.zeros((2, 3, 5, 1))
np.save("channels.npy", np.asfortranarray(images.astype("u1")))

# Labels.
np.savez("labels.npz", text=np.array(["ash", "Öl", "ash"]), text_big=np.array(["ash", "Öl", "ash"]).astype(">U3"),
         bytes=np.array([b"ash", b"oak", b"ash"]), bool=np.array([True, False, True]),
         float=np.array([1.0, -2.0, 1.0]), u8=np.array([2 ** 64 - 1, 7, 7], dtype="u8"),
         i2=np.array([[-5], [5], [5]], dtype=">i2"))

# Data sets.
x = np.array([[1, 2], [3, 4], [5, 6]], dtype="f4")
y = np.array([0, 1, 1])
np.savez("parts.npz", x_test=x[:1] + 10, y_test=y[:1], x_train=x, y_train=y)
np.savez_compressed("named.npz", other=np.zeros(7), target=y, data=x)
np.savez("positional.npz", y, x)
np.savez("single.npz", x)
np.savez("unclear.npz", a=x, b=x, c=y)
gaps = x.copy()
gaps[1, 0] = np.nan
np.savez("gaps.npz", X=gaps, y=y)
