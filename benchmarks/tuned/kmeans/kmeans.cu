// The same program for a GPU.
#include "kmeans.cpp"
