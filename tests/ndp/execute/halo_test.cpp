#include "ndp/execute/halo_cases.hpp"
