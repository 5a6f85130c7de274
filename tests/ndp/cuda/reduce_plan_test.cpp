// How reductions and scans are distributed over blocks: every element once, in order, evenly.
#include <cstddef>
#include <cstdint>

#include <fettle/ndp/cuda/whole/reduce_plan.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace cuda = fettle::ndp::cuda;
using ndp::index_t;

TEST_CASE("chunks are neighbours, begin at units, and differ by one unit at most") {
  for (const index_t count : {0, 1, 2, 15, 16, 17, 1000, 4096, 100003}) {
    for (const index_t chunks : {1, 2, 3, 8, 132, 528}) {
      for (const index_t unit : {1, 16, 128}) {
        CAPTURE(count, chunks, unit);
        REQUIRE(cuda::detail::chunk_begin(0, chunks, count, unit) == 0);
        REQUIRE(cuda::detail::chunk_begin(chunks, chunks, count, unit) == count);
        index_t shortest = count + 1;
        index_t longest = 0;
        for (index_t i = 0; i < chunks; ++i) {
          const index_t begin = cuda::detail::chunk_begin(i, chunks, count, unit);
          const index_t end = cuda::detail::chunk_begin(i + 1, chunks, count, unit);
          REQUIRE(begin <= end);
          REQUIRE((begin % unit == 0 || begin == count));
          // The end of all may cut a chunk short.
          const index_t units = ndp::ceiling_quotient(end - begin, unit);
          shortest = units < shortest ? units : shortest;
          longest = units > longest ? units : longest;
        }
        REQUIRE(longest - shortest <= 1);
      }
    }
  }
}

TEST_CASE("chunks of as many elements as an index counts do not overflow") {
  constexpr index_t count = INT64_MAX - 5;
  constexpr index_t chunks = 1056;
  index_t last = 0;
  for (index_t i = 1; i <= chunks; ++i) {
    const index_t next = cuda::detail::chunk_begin(i, chunks, count, 16);
    REQUIRE(next > last);
    last = next;
  }
  REQUIRE(last == count);
}

TEST_CASE("small reductions are one block, larger ones as many as the GPU holds") {
  using cuda::detail::one_block_reduces;
  using cuda::detail::plan_reduce;
  CHECK(one_block_reduces(0, 8, 512));
  CHECK(one_block_reduces(8192, 8, 512));
  CHECK(!one_block_reduces(8193, 8, 512));
  CHECK(!one_block_reduces(8192, 8, 256));
  CHECK(!one_block_reduces(INT64_MAX, 1, 1024));
  CHECK(plan_reduce(8193, 8, 512, 132, 8) == 5);
  CHECK(plan_reduce(100000, 8, 512, 132, 8) == 49);
  CHECK(plan_reduce(1000000, 8, 512, 132, 8) == 132);
  CHECK(plan_reduce(100000000, 8, 512, 132, 8) == 528);
  CHECK(plan_reduce(INT64_MAX, 8, 1024, 132, 8) == 264);
  // A thread gets more of those that read little, and few of those that read much.
  CHECK(one_block_reduces(32768, 1, 512));
  CHECK(!one_block_reduces(32769, 1, 512));
  CHECK(plan_reduce(4000000, 1, 256, 132, 8) == 264);
  CHECK(one_block_reduces(2048, 72, 512));
  CHECK(!one_block_reduces(2049, 72, 512));
  CHECK(plan_reduce(25000, 72, 512, 132, 8) == 49);
  // No more than run at once.
  CHECK(plan_reduce(100000000, 16, 256, 132, 1) == 132);
  CHECK(plan_reduce(100000000, 16, 256, 132, 3) == 396);
}

TEST_CASE("every plan has work for each of its blocks") {
  for (index_t count = 1; count < 3000000; count = count * 5 / 4 + 1) {
    for (const int threads : {32, 64, 256, 1024}) {
      for (const std::size_t bytes : {4U, 40U, 400U}) {
        for (const int resident : {1, 2, 64}) {
          CAPTURE(count, threads, bytes, resident);
          const int blocks = cuda::detail::plan_reduce(count, bytes, threads, 132, resident);
          REQUIRE(blocks >= 1);
          REQUIRE(blocks <= 132 * 2048 / threads);
          REQUIRE(blocks <= 132 * resident);
          REQUIRE(count > index_t{threads} * (blocks - 1));
        }
      }
    }
  }
}

TEST_CASE("scans of a few tiles and bytes are one cluster") {
  REQUIRE(cuda::detail::plan_scan(1, 8, 4096, true) == 1);
  REQUIRE(cuda::detail::plan_scan(4096, 8, 4096, true) == 1);
  REQUIRE(cuda::detail::plan_scan(4097, 8, 4096, true) == 2);
  REQUIRE(cuda::detail::plan_scan(25000, 8, 4096, true) == 8);
  REQUIRE(cuda::detail::plan_scan(32768, 8, 4096, true) == 8);
  REQUIRE(cuda::detail::plan_scan(32769, 8, 4096, true) == 0);
  REQUIRE(cuda::detail::plan_scan(65536, 4, 4096, true) == 8);
  REQUIRE(cuda::detail::plan_scan(65537, 4, 4096, true) == 0);
  REQUIRE(cuda::detail::plan_scan(65536, 1, 4096, true) == 8);
  REQUIRE(cuda::detail::plan_scan(65537, 1, 4096, true) == 0);
}

TEST_CASE("scans of a tile are one block, however large their elements, and without clusters") {
  REQUIRE(cuda::detail::plan_scan(256, 4096, 256, true) == 1);
  REQUIRE(cuda::detail::plan_scan(257, 4096, 256, true) == 0);
  REQUIRE(cuda::detail::plan_scan(4096, 8, 4096, false) == 1);
  REQUIRE(cuda::detail::plan_scan(8192, 8, 4096, false) == 1);
  REQUIRE(cuda::detail::plan_scan(8193, 8, 4096, false) == 0);
}

TEST_CASE("scans by posts: a block a tile, as many as have a thread each to read its post") {
  using cuda::detail::plan_posted_scan;
  CHECK(plan_posted_scan(32769, 8, 4096, 512, 132) == 9);
  CHECK(plan_posted_scan(524288, 8, 4096, 512, 132) == 128);
  CHECK(plan_posted_scan(524288, 8, 1024, 512, 132) == 264);
  CHECK(plan_posted_scan(524288, 8, 1024, 128, 132) == 128);
  CHECK(plan_posted_scan(524289, 8, 4096, 512, 132) == 0);
  CHECK(plan_posted_scan(1048576, 4, 4096, 1024, 132) == 256);
  CHECK(plan_posted_scan(1048577, 4, 4096, 1024, 132) == 0);
}
