// Describes the sample computations on all platforms: samples.jsonl holds what it prints.
#include <cstdio>

#include <fettle/ndp.hpp>
#include <fettle/ndp/introspect.hpp>

namespace ndp = fettle::ndp;

namespace {

struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};
struct row_scan {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::scan(ndp::plus{}, row, 0.0);
  }
};
struct negated {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::map(ndp::negate{}, row);
  }
};
struct sums_of_rows {
  template <typename Matrix>
  auto operator()(const Matrix& matrix) const {
    return ndp::map(row_sum{}, matrix);
  }
};
struct add_rows {
  template <typename A, typename B>
  auto operator()(const A& a, const B& b) const {
    return ndp::map(ndp::plus{}, a, b);
  }
};

template <typename E>
void print(const E& e) {
  std::puts(ndp::describe<ndp::platform::openmp>(e).c_str());
  std::puts(ndp::describe<ndp::platform::cuda>(e).c_str());
  std::puts(ndp::describe<ndp::platform::tbb>(e).c_str());
}

}  // namespace

int main() {
  const ndp::sequence<const double> x;
  const ndp::sequence<const int> offsets;
  const auto rows = ndp::nest(x, offsets);
  const auto points = ndp::split(x, 4);
  const auto zero = ndp::replicate(0.0, 4);
  print(ndp::map(row_sum{}, rows));
  print(ndp::map(row_scan{}, rows));
  print(ndp::map(negated{}, rows));
  print(ndp::map(sums_of_rows{}, ndp::split(rows, 3)));
  print(ndp::map(ndp::negate{}, x));
  print(ndp::reduce(ndp::plus{}, x, 0.0));
  print(ndp::scan(ndp::plus{}, x, 0.0));
  print(ndp::reduce_by_key(ndp::plus{}, x, offsets, 0.0));
  print(ndp::reduce_by_key(add_rows{}, points, offsets, zero));
  print(ndp::reduce(add_rows{}, points, zero));
  print(ndp::split(x, 4));
}
