// The same program for a GPU.
#include "reduction.cpp"
