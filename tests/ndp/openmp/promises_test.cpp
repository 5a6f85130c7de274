// What every kernel promises besides its result: exceptions come out, elements are read once (in a
// scan twice), and nothing as large as the data is allocated.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/openmp/cases.hpp"
#include "support/allocations.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using openmp_cases::for_each_way;

namespace {

constexpr index_t count = 20000;

// The element itself; counts that it was asked for.
struct counted {
  std::atomic<int>* reads;
  double operator()(index_t i) const {
    ++reads[i];
    return 1.0;
  }
};

// Runs `work` once and returns the smallest and the largest number of reads of an element.
template <typename Work>
std::pair<int, int> reads_of(std::vector<std::atomic<int>>& reads, const Work& work) {
  for (auto& read : reads) read = 0;
  work();
  std::pair<int, int> out{reads[0], reads[0]};
  for (const auto& read : reads) {
    out = {std::min(out.first, read.load()), std::max(out.second, read.load())};
  }
  return out;
}

struct reduce_row {
  template <typename Row>
  auto operator()(const Row& row) const {
    return reduce(plus{}, row, 0.0);
  }
};
struct scan_row {
  template <typename Row>
  auto operator()(const Row& row) const {
    return scan(plus{}, row, 0.0);
  }
};
struct negate_row {
  template <typename Row>
  auto operator()(const Row& row) const {
    return map(negate{}, row);
  }
};
struct sums_of_tiles {
  template <typename Row>
  auto operator()(const Row& row) const {
    return map(reduce_row{}, split(row, 10));
  }
};

// `make(s)` is an expression over the counted elements s; `out` has room for its result.
template <typename Make>
void check_reads(const Make& make, int most) {
  static std::vector<std::atomic<int>> reads(static_cast<std::size_t>(count));
  static std::vector<double> out(static_cast<std::size_t>(count));
  const auto e = make(map(counted{reads.data()}, range(index_t{0}, count)));
  const auto into = make_sequence(out);
  const auto check = [&](const std::string& text, const auto&... by_hand) {
    INFO(text);
    test::largest_allocation = 0;
    const auto found = reads_of(reads, [&] { execute(e, into, platform::openmp{}, by_hand...); });
    const std::size_t allocated = test::largest_allocation;
    CHECK(found.first == 1);
    CHECK(found.second <= most);
    CHECK(allocated < static_cast<std::size_t>(count));  // an eighth of the data
  };
  for_each_way(e, [&](auto schedule, const openmp::policy& policy, const std::string& text) {
    check(text, schedule, policy);
  });
  check("default rule");
}

struct bad_element : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws for one element.
struct throwing {
  index_t at;
  double operator()(index_t i) const {
    if (i == at) throw bad_element("element " + std::to_string(i));
    return 1.0;
  }
};

template <typename Make>
void check_throws(const Make& make) {
  std::vector<double> out(static_cast<std::size_t>(count));
  for (const index_t at : {index_t{0}, count / 3, count - 1}) {
    const auto e = make(map(throwing{at}, range(index_t{0}, count)));
    for_each_way(e, [&](auto schedule, const openmp::policy& policy, const std::string& text) {
      INFO(text << ", element " << at);
      CHECK_THROWS_AS(execute(e, make_sequence(out), platform::openmp{}, schedule, policy),
                      bad_element);
    });
    CHECK_THROWS_AS(execute(e, make_sequence(out), platform::openmp{}), bad_element);
  }
}

const auto with_each = [](const auto& visit) {
  visit([](const auto& s) { return s; }, 1);
  visit([](const auto& s) { return reduce(plus{}, s, 0.0); }, 1);
  visit([](const auto& s) { return reduce_by_key(plus{}, s, range(index_t{0}, s.size()), 0.0); },
        1);
  visit([](const auto& s) { return reduce_by_key(plus{}, s, replicate(3, s.size()), 0.0); }, 1);
  visit([](const auto& s) { return map(reduce_row{}, split(s, 333)); }, 1);
  visit([](const auto& s) { return map(reduce_row{}, split(map(negate{}, reverse(s)), 333)); }, 1);
  visit([](const auto& s) { return map(negate_row{}, split(s, 4999)); }, 1);
  visit([](const auto& s) { return map(sums_of_tiles{}, split(s, 500)); }, 1);
};

}  // namespace

TEST_CASE("each element is read once, and nothing large is allocated") {
  with_each([](const auto& make, int most) { check_reads(make, most); });
}

TEST_CASE("a scan reads an element twice at most") {
  check_reads([](const auto& s) { return scan(plus{}, s, 0.0); }, 2);
  check_reads([](const auto& s) { return map(scan_row{}, split(s, 4999)); }, 2);
}

TEST_CASE("an exception of a user's function comes out, whichever thread met it") {
  with_each([](const auto& make, int /*most*/) { check_throws(make); });
  check_throws([](const auto& s) { return map(scan_row{}, split(s, 4999)); });
}

TEST_CASE("a scan's last element is not needed, its others throw") {
  std::vector<double> out(static_cast<std::size_t>(count));
  for (const index_t at : {index_t{0}, count / 3, count - 2}) {
    const auto e = scan(plus{}, map(throwing{at}, range(index_t{0}, count)), 0.0);
    for_each_way(e, [&](auto schedule, const openmp::policy& policy, const std::string& text) {
      INFO(text);
      CHECK_THROWS_AS(execute(e, make_sequence(out), platform::openmp{}, schedule, policy),
                      bad_element);
    });
  }
}
