// The same program for a GPU.
#include "ndp_spmv.cpp"
