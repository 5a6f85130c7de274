#include "ndp/execute/epilogue_cases.hpp"
#include "support/needs_gpu.hpp"
