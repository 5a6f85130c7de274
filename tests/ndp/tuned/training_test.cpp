#include "ndp/tuned/training_cases.hpp"
