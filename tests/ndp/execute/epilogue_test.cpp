#include "ndp/execute/epilogue_cases.hpp"
