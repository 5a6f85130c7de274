// What row programs map: computed once, by the reduce that takes it where nothing else reads it, in
// memory where it has a name.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/host/rows/row_program.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "support/catch.hpp"

namespace {

namespace ndp = fettle::ndp;
using ndp::index_t;

thread_local int calls = 0;

struct above {
  double least;
  double operator()(double x) const {
    ++calls;
    return 2 * (x - least);
  }
};
struct moment {
  double sum;
  double count;
};
struct one_of {
  double least;
  moment operator()(double x) const {
    ++calls;
    return {x - least, 1};
  }
};
struct add {
  moment operator()(const moment& a, const moment& b) const {
    return {a.sum + b.sum, a.count + b.count};
  }
};
struct backwards {
  index_t size;
  index_t operator()(index_t i) const { return size - 1 - i; }
};

// Temporaries, of numbers and of structures, with a seed and without.
struct of_temporaries {
  template <typename Row>
  auto operator()(const Row& row) const {
    const double least = ndp::reduce(ndp::minimum{}, row, 1e6);
    const moment all = ndp::reduce(add{}, ndp::map(one_of{least}, row), moment{0, 0});
    const double twice = ndp::reduce(ndp::plus{}, ndp::map(above{least}, row));
    return all.sum + 1000 * all.count + twice;
  }
};

// A map that has a name and is read three times, once by another operator.
struct of_one_map {
  template <typename Row>
  auto operator()(const Row& row) const {
    const double least = ndp::reduce(ndp::minimum{}, row, 1e6);
    const auto heights = ndp::map(above{least}, row);
    const double total = ndp::reduce(ndp::plus{}, heights, 0.0);
    const double greatest = ndp::reduce(ndp::maximum{}, heights);
    const auto places = ndp::map(backwards{row.size()}, ndp::range(index_t{0}, row.size()));
    const double again = ndp::reduce(ndp::plus{}, ndp::gather(heights, places), 0.0);
    return total + greatest + again;
  }
};

// A map of a map, and one that is returned.
struct of_maps {
  template <typename Row>
  auto operator()(const Row& row) const {
    const double least = ndp::reduce(ndp::minimum{}, row, 1e6);
    const double total = ndp::reduce(ndp::plus{}, ndp::map(above{1}, ndp::map(above{least}, row)));
    return ndp::map(above{total}, row);
  }
};

struct input {
  std::vector<double> x;
  std::vector<index_t> offsets{0};

  input() {
    for (const index_t length : {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 47, 48, 49, 64, 200, 5000}) {
      offsets.push_back(offsets.back() + length);
    }
    for (index_t i = 0; i < offsets.back(); ++i) x.push_back(static_cast<double>((i * 37) % 101));
  }
  [[nodiscard]] auto rows() const {
    return ndp::nest(ndp::make_sequence(x), ndp::make_sequence(offsets));
  }
  // f(first, last) of each row.
  template <typename F>
  void for_each(const F& f) const {
    for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
      f(x.data() + offsets[r], x.data() + offsets[r + 1]);
    }
  }
};

double least_of(const double* first, const double* last) {
  double least = 1e6;
  for (; first < last; ++first) least = *first < least ? *first : least;
  return least;
}

using by_lanes = ndp::schedule::independent<ndp::schedule::cooperative<>>;

template <typename F>
std::vector<double> values_of(const input& in, const F& f) {
  std::vector<double> out(in.offsets.size() - 1);
  calls = 0;
  ndp::execute(ndp::map(f, in.rows()), ndp::make_sequence(out), ndp::platform::openmp{},
               ndp::schedule::sequential<>{}, ndp::openmp::policy{});
  return out;
}

}  // namespace

TEST_CASE("a temporary map is computed by the reduce that takes it") {
  const input in;
  std::vector<double> expected;
  in.for_each([&](const double* first, const double* last) {
    const double least = least_of(first, last);
    double sum = 0;
    for (const double* at = first; at < last; ++at) sum += 3 * (*at - least);
    expected.push_back(sum + 1000 * static_cast<double>(last - first));
  });
  REQUIRE(values_of(in, of_temporaries{}) == expected);
  REQUIRE(calls == 2 * static_cast<int>(in.x.size()));
}

TEST_CASE("a map that has a name is computed once") {
  const input in;
  std::vector<double> expected;
  in.for_each([&](const double* first, const double* last) {
    const double least = least_of(first, last);
    double sum = 0;
    double greatest = ndp::identity_v<ndp::maximum, double>;
    for (const double* at = first; at < last; ++at) {
      sum += 4 * (*at - least);
      greatest = ndp::maximum{}(greatest, 2 * (*at - least));
    }
    expected.push_back(sum + greatest);
  });
  REQUIRE(values_of(in, of_one_map{}) == expected);
  REQUIRE(calls == static_cast<int>(in.x.size()));
}

TEST_CASE("maps of maps, and maps that are a program's result") {
  const input in;
  std::vector<double> expected;
  in.for_each([&](const double* first, const double* last) {
    const double least = least_of(first, last);
    double total = 0;
    for (const double* at = first; at < last; ++at) total += 2 * (2 * (*at - least) - 1);
    for (const double* at = first; at < last; ++at) expected.push_back(2 * (*at - total));
  });
  std::vector<double> out(in.x.size());
  calls = 0;
  ndp::execute(ndp::map(of_maps{}, in.rows()), ndp::make_sequence(out), ndp::platform::openmp{},
               ndp::schedule::sequential<>{}, ndp::openmp::policy{});
  REQUIRE(out == expected);
  REQUIRE(calls == 3 * static_cast<int>(in.x.size()));

  out.assign(out.size(), 0);
  calls = 0;
  ndp::execute(ndp::map(of_maps{}, in.rows()), ndp::make_sequence(out), ndp::platform::openmp{},
               by_lanes{}, ndp::openmp::policy{.num_threads = 1});
  REQUIRE(out == expected);
  REQUIRE(calls == 3 * static_cast<int>(in.x.size()));
}

TEST_CASE("a program's result may take the place of its rows") {
  input in;
  std::vector<double> expected;
  in.for_each([&](const double* first, const double* last) {
    const double least = least_of(first, last);
    double total = 0;
    for (const double* at = first; at < last; ++at) total += 2 * (2 * (*at - least) - 1);
    for (const double* at = first; at < last; ++at) expected.push_back(2 * (*at - total));
  });
  ndp::execute(ndp::map(of_maps{}, in.rows()), ndp::make_sequence(in.x));
  REQUIRE(in.x == expected);
}
