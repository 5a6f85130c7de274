// Compiled once for each part of the program in main.cpp, which PART names.
#include "part.hpp"

#include <fettle/ndp.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>

namespace ndp = fettle::ndp;

// By its address, where the linker has kept one definition of equal names.
std::int64_t PART::lanes_of_double() {
  static const ndp::index_t* volatile defined = &ndp::host::detail::lanes_v<double>;
  return *defined;
}

double PART::sum_of(const std::vector<double>& values) {
  return ndp::execute(ndp::reduce(ndp::plus{}, ndp::make_sequence(values), 0.0),
                      ndp::platform::openmp{});
}

double PART::element_behind_the_end(const std::vector<double>& two) {
  return ndp::sequence<const double>(two.data(), 1)[1];
}
