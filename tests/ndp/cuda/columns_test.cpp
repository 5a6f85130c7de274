// Columns reduced by chunks: how they are cut, and the kernel's steps on the host, compared with
// the serial result.
#include <cstddef>
#include <type_traits>
#include <vector>

#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/rows/row_chunk.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/transpose.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/columns.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace cuda = fettle::ndp::cuda::detail;
using ndp::index_t;
using ndp_test::affine;
using ndp_test::compose;
using ndp_test::made_up;

namespace {

constexpr int warps = 8;

/// What columns_kernel and combine_columns_kernel do for one column, without the seed.
template <typename Column>
affine emulate(const Column& column, index_t chunks) {
  using partial = cuda::partial_value<compose, affine>;
  auto all = partial::none();
  for (index_t chunk = 0; chunk < chunks; ++chunk) {
    auto of_block = partial::none();
    for (index_t warp = 0; warp < warps; ++warp) {
      const auto own = cuda::row_chunk::of(column.size(), chunk * warps + warp, chunks * warps);
      of_block.append(compose{},
                      cuda::partial_of<compose, affine>(compose{}, column, own.begin, own.end, 1));
    }
    all.append(compose{}, of_block);
  }
  return all.value;
}

}  // namespace

TEST_CASE("chunks of a row are all of it, in order") {
  for (const index_t size : {0, 1, 7, 64, 1000}) {
    for (const index_t chunks : {1, 3, 8, 2000}) {
      index_t at = 0;
      for (index_t chunk = 0; chunk < chunks; ++chunk) {
        const auto own = cuda::row_chunk::of(size, chunk, chunks);
        REQUIRE(own.begin == at);
        REQUIRE(own.end >= own.begin);
        at = own.end;
      }
      REQUIRE(at == size);
    }
  }
}

TEST_CASE("columns get blocks until the GPU is busy or threads have little to do") {
  constexpr index_t threads = 270000;
  CHECK(cuda::chunks_of_columns(4000, 4000, 32, warps, threads) == 9);
  CHECK(cuda::chunks_of_columns(10000, 4000, 32, warps, threads) == 4);
  CHECK(cuda::chunks_of_columns(1000000, 4000, 32, warps, threads) == 1);
  CHECK(cuda::chunks_of_columns(8, 1000000, 32, warps, threads) == 1055);
  CHECK(cuda::chunks_of_columns(100, 64, 32, warps, threads) == 1);
  CHECK(cuda::chunks_of_columns(100, 0, 32, warps, threads) == 1);
}

TEST_CASE("columns in chunks give the serial result of an operator that is not commutative") {
  for (const index_t rows : {1, 5, 100, 333}) {
    const std::vector<affine> values = made_up<affine>(rows * 3);
    const auto columns = ndp::transpose(ndp::split(ndp::make_sequence(values), 3));
    for (index_t j = 0; j < 3; ++j) {
      affine expected = values[static_cast<std::size_t>(j)];
      for (index_t i = 1; i < rows; ++i) {
        expected = compose{}(expected, values[static_cast<std::size_t>(3 * i + j)]);
      }
      for (const index_t chunks : {1, 2, 50}) CHECK(emulate(columns[j], chunks) == expected);
    }
  }
}

TEST_CASE("a map of columns knows how long they are without reading them") {
  const std::vector<double> x(12);
  const auto columns = ndp::transpose(ndp::split(ndp::make_sequence(x), 4));
  const auto firsts = ndp::map([](const auto& column) { return column[0]; }, columns);
  static_assert(ndp::detail::reads_columns_v<std::remove_const_t<decltype(firsts)>>);
  CHECK(ndp::detail::length_of_columns(firsts) == 3);
  const auto rows =
      ndp::map([](const auto& row) { return row[0]; }, ndp::split(ndp::make_sequence(x), 4));
  static_assert(!ndp::detail::reads_columns_v<std::remove_const_t<decltype(rows)>>);
}
