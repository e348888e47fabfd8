"""The version of the package, which is that of the libraries it is made for."""
VERSION = "0.7.0"
# what the file name of libspinney ends with, as `scripts/version --abi` says
ABI = VERSION.rpartition(".")[0] if VERSION.startswith("0.") else VERSION.partition(".")[0]
