"""The version of Fettle: one number for C++ and Python, held together by a test."""

__version__ = "0.1.0"
