#include "ndp/tuned_training_cases.hpp"
