// Programs beside separate executions, on OpenMP. See programs.hpp.
#include "programs.hpp"

int main() { programs::run(); }
