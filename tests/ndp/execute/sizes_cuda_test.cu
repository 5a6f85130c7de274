// Arguments and destinations of a wrong size on platform::cuda: what the processor knows without
// the GPU's memory is refused before CUDA is called, so these cases need no GPU.
#include <string>
#include <vector>

#include <fettle/ndp.hpp>

#include "ndp/support/executing.hpp"
#include "ndp/support/message_of.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
using ndp::index_t;
using ndp_test::executing;
using ndp_test::message_of;

namespace {

struct row_negated {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::map(ndp::negate{}, row);
  }
};

std::vector<double> memory(100);

ndp::sequence<double> some(index_t size) { return ndp::make_sequence(memory.data(), size); }

constexpr ndp::platform::cuda gpu{};

}  // namespace

TEST_CASE("arguments that do not fit together are refused without a GPU") {
  CHECK(executing(ndp::map(ndp::plus{}, some(100), some(10)), some(100), gpu) ==
        "spmv: map: sequence 2 has 10 elements, sequence 1 has 100");
  CHECK(executing(ndp::map(ndp::plus{}, some(10), some(100)), some(100), gpu) ==
        "spmv: map: sequence 2 has 100 elements, sequence 1 has 10");
  CHECK(executing(ndp::reduce_by_key(ndp::plus{}, some(20), ndp::replicate(1, 30), 0.0), some(100),
                  gpu) ==
        "spmv: reduce_by_key: the sequence of keys has 30 elements, the source has 20");
  CHECK(executing(ndp::scatter(some(10), ndp::range(0, 9), some(10)), gpu) ==
        "spmv: scatter: the sequence of indices has 9 elements, the source has 10");
  const auto product = ndp::map(ndp::multiplies{}, some(9), some(10));
  CHECK(message_of([&] {
          return ndp::execute<"dot">(ndp::reduce(ndp::plus{}, product, 0.0), gpu);
        }) == "dot: map: sequence 2 has 10 elements, sequence 1 has 9");
}

TEST_CASE("a destination that is too small for tiles is refused without a GPU") {
  const auto rows = ndp::map(row_negated{}, ndp::split(some(100), 30));
  CHECK(executing(rows, some(99), gpu) ==
        "spmv: the destination has 99 elements, the result has 100");
  CHECK(executing(rows, ndp::split(some(90), 30), gpu) ==
        "spmv: the destination has 3 rows, the result has 4");
}

TEST_CASE("rows of a transpose that are too short are refused without a GPU") {
  const auto columns = ndp::transpose(ndp::split(some(100), 9), 9);
  CHECK(executing(ndp::map(row_negated{}, columns), ndp::split(some(100), 12), gpu,
                  schedule::sequential<>{}) ==
        "spmv: transpose: row 11 has 1 elements, the columns are 9");
}
