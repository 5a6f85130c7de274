// Partial results of parts: each on lines of its own, wherever its memory is.
#include <cstdint>
#include <string>

#include <fettle/ndp/host/team/partial_results.hpp>

#include "support/catch.hpp"

using fettle::ndp::index_t;
namespace host = fettle::ndp::host;

namespace {

struct plain {
  double sum;
  index_t row;
};
struct larger_than_two_lines {
  double sums[20];
  index_t row;
};

// As many as are in the object itself, and more.
constexpr index_t counts[] = {1, 2, 63, 64, 65, 200};

template <typename T>
[[nodiscard]] std::uintptr_t line_of(const T& value) {
  return reinterpret_cast<std::uintptr_t>(&value) / 64;
}

template <typename T, typename Make>
void check_filled(const Make& make) {
  for (const index_t count : counts) {
    host::detail::uninitialised_results<T> results(count);
    // From the last one on, and not all of them: slots may stay empty.
    for (index_t i = count - 1; i >= 0; i -= 2) results.fill(i, make(i));
    for (index_t i = count - 1; i >= 0; i -= 2) {
      INFO("slot " << i << " of " << count);
      CHECK(results[i].row == i);
      if (i >= 2) CHECK(line_of(results[i]) != line_of(results[i - 2]));
      CHECK(reinterpret_cast<std::uintptr_t>(&results[i]) % 64 == 0);
    }
  }
}

struct named {
  std::string name;
  index_t row;
};

}  // namespace

TEST_CASE("filled results keep what is put there, on lines of their own") {
  check_filled<plain>([](index_t i) { return plain{0.5, i}; });
  check_filled<larger_than_two_lines>([](index_t i) { return larger_than_two_lines{{}, i}; });
}

TEST_CASE("filled results destroy what has to be destroyed") {
  const std::string long_enough_to_be_allocated(100, 'x');
  for (const index_t count : counts) {
    host::detail::uninitialised_results<named> results(count);
    for (index_t i = 0; i < count; i += 3) results.fill(i, {long_enough_to_be_allocated, i});
    for (index_t i = 0; i < count; i += 3) {
      CHECK(results[i].row == i);
      CHECK(results[i].name == long_enough_to_be_allocated);
    }
  }
}

TEST_CASE("results may stay empty") {
  host::detail::partial_results<int> results(3);
  results[1] = 7;
  CHECK_FALSE(results[0].has_value());
  CHECK(results[1] == 7);
  CHECK_FALSE(results[2].has_value());
}
