// The same program for a GPU.
#include "comd.cpp"
