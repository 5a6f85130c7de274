// All of Fettle. A table of contents; a translation unit that needs one part includes that part.
#pragma once

#include <fettle/ndp.hpp>      // nested data-parallel computations: operators, execute
#include <fettle/variant.hpp>  // the expert layer: code variants, features, constraints
