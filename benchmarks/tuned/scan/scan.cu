// The same program for a GPU.
#include "scan.cpp"
