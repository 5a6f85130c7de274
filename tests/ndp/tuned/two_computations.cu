// The same program on a GPU.
#include "two_computations.cpp"
