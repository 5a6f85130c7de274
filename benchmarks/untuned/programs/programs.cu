// Programs beside separate executions, on CUDA. See programs.hpp.
#include "programs.hpp"

int main() { programs::run(); }
