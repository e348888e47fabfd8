"""The version of the package, which is that of the libraries it is made for."""
VERSION = "0.4.0"
