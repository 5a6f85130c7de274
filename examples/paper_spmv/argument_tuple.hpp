// thrust::tuple, as the figure uses it; where Thrust is not installed, std::tuple under its name.
#pragma once

#if __has_include(<thrust/tuple.h>)
#include <thrust/tuple.h>
#else
#include <tuple>
namespace thrust {
using std::tuple;
}
#endif
