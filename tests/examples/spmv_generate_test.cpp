// Generated matrices: the same everywhere, of the shape that their name says, refused when unclear.
#include "spmv_matrices.hpp"
#include "support/catch.hpp"

namespace {

std::string problem(const std::string& name) {
  try {
    (void)spmv::generate_by_name(name);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no problem";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("every generated matrix is well formed and finite") {
  for (const auto& [name, a] : spmv_test::matrices()) {
    INFO(name);
    REQUIRE(a.row_offsets.size() == static_cast<std::size_t>(a.rows) + 1);
    REQUIRE(a.row_offsets.front() == 0);
    REQUIRE(static_cast<std::size_t>(a.nonzeros()) == a.columns.size());
    REQUIRE(a.values.size() == a.columns.size());
    bool ordered = true;
    for (std::size_t r = 0; r + 1 < a.row_offsets.size(); ++r) {
      ordered = ordered && a.row_offsets[r] <= a.row_offsets[r + 1];
      for (auto k = static_cast<std::size_t>(a.row_offsets[r]) + 1;
           k < static_cast<std::size_t>(a.row_offsets[r + 1]); ++k)
        ordered = ordered && a.columns[k - 1] < a.columns[k];
    }
    REQUIRE(ordered);
    REQUIRE(std::all_of(a.columns.begin(), a.columns.end(),
                        [&](int column) { return column >= 0 && column < a.columns_count; }));
    REQUIRE(std::all_of(a.values.begin(), a.values.end(),
                        [](double value) { return std::isfinite(value); }));
  }
}

TEST_CASE("a seed names one matrix") {
  const std::string name = "generate:power_law:rows=300,mean=5,exponent=1.4,seed=";
  const auto a = spmv::generate_by_name(name + "11");
  const auto again = spmv::generate_by_name(name + "11");
  const auto other = spmv::generate_by_name(name + "12");
  CHECK(a.columns == again.columns);
  CHECK(a.values == again.values);
  CHECK(a.columns != other.columns);
  // The first numbers of SplitMix64 from seed 0, as its authors publish them.
  spmv::random_numbers random(0);
  CHECK(random.next() == 0xe220a8397b1dcdafu);
  CHECK(random.next() == 0x6e789e6aa1b965f4u);
}

TEST_CASE("stencils have their points") {
  for (const auto& [points, side, cells] :
       {std::tuple(5, 6, 36), std::tuple(9, 6, 36), std::tuple(7, 4, 64), std::tuple(27, 4, 64)}) {
    const auto a = spmv::generate_by_name("generate:stencil:points=" + std::to_string(points) +
                                          ",side=" + std::to_string(side) + ",seed=1");
    CHECK(a.rows == cells);
    CHECK(spmv::longest_row(a) == points);
    // A grid's neighbourhood is mutual: the pattern is symmetric.
    std::vector<std::pair<int, int>> places;
    for (int r = 0; r < a.rows; ++r)
      for (int k = a.row_offsets[static_cast<std::size_t>(r)];
           k < a.row_offsets[static_cast<std::size_t>(r) + 1]; ++k)
        places.emplace_back(r, a.columns[static_cast<std::size_t>(k)]);
    auto mirrored = places;
    for (auto& [r, c] : mirrored) std::swap(r, c);
    std::sort(mirrored.begin(), mirrored.end());
    CHECK(places == mirrored);
  }
  CHECK(spmv::generate_by_name("generate:stencil:points=5,side=6,seed=1").nonzeros() ==
        36 * 5 - 24);
  CHECK(spmv::generate_by_name("generate:stencil:points=27,side=2,seed=1").nonzeros() == 64);
}

TEST_CASE("families keep their promises") {
  const auto same =
      spmv::generate_by_name("generate:uniform:rows=200,columns=90,mean=7,spread=0,reach=0,seed=3");
  for (std::size_t r = 0; r < 200; ++r) CHECK(same.row_offsets[r + 1] - same.row_offsets[r] == 7);
  const auto full = spmv::generate_by_name("generate:block_diagonal:blocks=3,size=4,seed=3");
  CHECK(full.nonzeros() == 48);
  CHECK(full.columns[4 * 4] == 4);
  const auto gaps = spmv::generate_by_name("generate:empty_rows:rows=1000,mean=4,empty=0.6,seed=3");
  int empty = 0;
  for (std::size_t r = 0; r < 1000; ++r) empty += gaps.row_offsets[r + 1] == gaps.row_offsets[r];
  CHECK(empty > 500);
  CHECK(empty < 700);
  const auto few =
      spmv::generate_by_name("generate:long_rows:rows=500,mean=2,count=3,fill=0.5,seed=3");
  int long_ones = 0;
  for (std::size_t r = 0; r < 500; ++r) {
    const auto length = few.row_offsets[r + 1] - few.row_offsets[r];
    long_ones += length == 250;
    CHECK((length == 250 || length <= 4));
  }
  CHECK(long_ones == 3);
  const auto skewed =
      spmv::generate_by_name("generate:power_law:rows=20000,mean=8,exponent=1.5,seed=3");
  CHECK(skewed.nonzeros() > 20000 * 4);
  CHECK(skewed.nonzeros() < 20000 * 12);
  CHECK(spmv::longest_row(skewed) > 400);
}

TEST_CASE("a name that is not understood is quoted with the reason") {
  CHECK(has(problem("generate:stencil:points=5,side=3"), "'seed' is missing"));
  CHECK(has(problem("generate:stencil:points=6,side=3,seed=1"), "5 or 9 points"));
  CHECK(has(problem("generate:stencil:points=7,side=3000,seed=1"), "more than 268435456 rows"));
  CHECK(has(problem("generate:sponge:rows=5,seed=1"), "no kind 'sponge'"));
  CHECK(has(problem("generate:banded:rows=5,width=2,density=1.5,seed=1"), "density must be"));
  CHECK(has(problem("generate:banded:rows=5,width=2,density=nan,seed=1"), "density must be"));
  CHECK(has(problem("generate:banded:rows=-5,width=2,density=1,seed=1"), "rows must be"));
  CHECK(has(problem("generate:banded:rows=5x,width=2,density=1,seed=1"), "not '5x'"));
  CHECK(has(problem("generate:banded:rows,width=2"), "expected key=value instead of 'rows'"));
  CHECK(has(problem("generate:banded:rows=5,width=2,density=1,seed=1,colour=3"),
            "unknown parameter 'colour'"));
  CHECK(has(problem("generate:"), "generate:"));
  CHECK(problem("generate:banded:rows=5,width=2,density=1,seed=1") == "no problem");
}
