// The same programs for a GPU.
#include "thresholds.cpp"
