// Building CSR, the formats' fills, and the features against their definitions.
#include <map>
#include <set>

#include "../../examples/spmv/features.hpp"
#include "spmv_matrices.hpp"
#include "support/catch.hpp"
#include "support/openmp_threads.hpp"

TEST_CASE("csr_from_entries sorts and adds up duplicates") {
  const std::vector<spmv::entry<double>> entries = {{2, 1, 5}, {0, 3, 1},  {0, 0, 2}, {2, 1, -2},
                                                    {0, 3, 4}, {0, 3, 10}, {1, 2, 7}};
  const auto a = spmv::csr_from_entries<double>(4, 4, entries);
  CHECK(a.row_offsets == std::vector<spmv::index>{0, 2, 3, 4, 4});
  CHECK(a.columns == std::vector<spmv::index>{0, 3, 2, 1});
  CHECK(a.values == std::vector<double>{2, 15, 7, 3});
  CHECK(a.nonzeros() == 4);
  CHECK(spmv::longest_row(a) == 2);
}

TEST_CASE("csr_from_entries agrees with a map of places") {
  spmv::random_numbers random(7);
  for (const int size : {1, 2, 9, 40}) {
    std::vector<spmv::entry<double>> entries;
    std::map<std::pair<int, int>, double> places;
    for (int n = 0; n < size * 6; ++n) {
      const auto row = static_cast<int>(random.below(size));
      const auto column = static_cast<int>(random.below(size + 1));
      entries.push_back({row, column, double(n)});
      places[{row, column}] += n;
    }
    const auto a = spmv::csr_from_entries<double>(size, size + 1, entries);
    REQUIRE(static_cast<std::size_t>(a.nonzeros()) == places.size());
    auto expected = places.begin();
    for (int r = 0; r < size; ++r)
      for (auto k = static_cast<std::size_t>(a.row_offsets[static_cast<std::size_t>(r)]);
           k < static_cast<std::size_t>(a.row_offsets[static_cast<std::size_t>(r) + 1]);
           ++k, ++expected) {
        REQUIRE(expected->first == std::pair(r, a.columns[k]));
        REQUIRE(expected->second == a.values[k]);
      }
  }
}

TEST_CASE("features are what they are named after") {
  for (const auto& [name, csr] : spmv_test::matrices()) {
    INFO(name);
    const auto a = spmv::with_all_formats(csr);
    CHECK(spmv::row_count(a) == csr.rows);
    CHECK(spmv::nonzeros(a) == csr.nonzeros());
    if (csr.rows == 0) {
      CHECK(spmv::mean_row_length(a) == 0);
      CHECK(spmv::row_length_deviation(a) == 0);
      continue;
    }
    double longest = 0;
    double sum = 0;
    std::set<int> diagonals;
    for (std::size_t r = 0; r < static_cast<std::size_t>(csr.rows); ++r) {
      const double length = csr.row_offsets[r + 1] - csr.row_offsets[r];
      longest = std::max(longest, length);
      sum += length;
      for (int k = csr.row_offsets[r]; k < csr.row_offsets[r + 1]; ++k)
        diagonals.insert(csr.columns[static_cast<std::size_t>(k)] - static_cast<int>(r));
    }
    const double mean = sum / csr.rows;
    double variance = 0;
    for (std::size_t r = 0; r < static_cast<std::size_t>(csr.rows); ++r) {
      const double difference = csr.row_offsets[r + 1] - csr.row_offsets[r] - mean;
      variance += difference * difference / csr.rows;
    }
    CHECK(spmv::mean_row_length(a) == approx(mean));
    CHECK(spmv::row_length_deviation(a) == approx(std::sqrt(variance)).margin(1e-6 * (1 + mean)));
    CHECK(spmv::longest_row_deviation(a) == approx(longest - mean).margin(1e-12));
    if (csr.nonzeros() > 0) {
      const auto dia = spmv::dia_from_csr(csr, spmv::occupied_diagonals(csr));
      CHECK(spmv::dia_fill(a) == approx(double(dia.values.size()) / sum));
      CHECK(dia.diagonals() == static_cast<int>(diagonals.size()));
      const auto ell = spmv::ell_from_csr(csr, spmv::longest_row(csr));
      CHECK(spmv::ell_fill(a) == approx(double(ell.values.size()) / sum));
      CHECK(spmv::sell_fill(a) >= 1);
      CHECK(spmv::sell_fill(a) <= spmv::ell_fill(a));
    }
    CHECK(a.dia.has_value() == (spmv::dia_fill(a) <= spmv::largest_fill));
    CHECK(a.ell.has_value() == (spmv::ell_fill(a) <= spmv::largest_fill));
    CHECK(a.sell.has_value() == (spmv::sell_fill(a) <= spmv::largest_fill));
  }
}

TEST_CASE("thread imbalance is the largest share of the nonzeros over the fair one") {
#if defined(_OPENMP)
  const auto imbalance_of = [](const std::vector<int>& lengths) {
    return spmv::thread_imbalance(
        spmv::with_all_formats(spmv_test::from_row_lengths(lengths, 100)));
  };
  {
    const test::threads two(2);
    CHECK(imbalance_of({3, 3, 3, 3}) == 1.0);
    CHECK(imbalance_of({1, 1, 3, 3}) == 1.5);
    CHECK(imbalance_of({0, 0, 0, 5}) == 2.0);
    CHECK(imbalance_of({5}) == 2.0);
    CHECK(imbalance_of({}) == 1.0);
  }
  const test::threads one(1);
  CHECK(imbalance_of({0, 0, 0, 5}) == 1.0);
#endif
}

TEST_CASE("SELL orders rows within windows and pads only to the longest of a slice") {
  const auto csr =
      spmv::generate_by_name("generate:power_law:rows=1500,mean=6,exponent=1.3,seed=2");
  const auto sell = spmv::sell_from_csr(csr);
  const auto length = [&](int r) {
    return csr.row_offsets[static_cast<std::size_t>(r) + 1] -
           csr.row_offsets[static_cast<std::size_t>(r)];
  };
  std::set<int> seen(sell.order.begin(), sell.order.end());
  CHECK(seen.size() == static_cast<std::size_t>(csr.rows));
  for (int i = 0; i + 1 < csr.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    REQUIRE(sell.order[at] / sell.window == i / sell.window);
    if (i / sell.window == (i + 1) / sell.window)
      REQUIRE(length(sell.order[at]) >= length(sell.order[at + 1]));
  }
  for (int s = 0; s < sell.slices(); ++s) {
    const auto at = static_cast<std::size_t>(s);
    const auto first = static_cast<std::size_t>(s) * static_cast<std::size_t>(sell.lanes);
    REQUIRE(sell.slice_offsets[at + 1] - sell.slice_offsets[at] ==
            static_cast<std::size_t>(length(sell.order[first]) * sell.lanes));
  }
}
