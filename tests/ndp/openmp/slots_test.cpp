// Partial results of parts: each on lines of its own, wherever its memory is.
#include <cstdint>
#include <string>

#include <fettle/ndp/openmp/team/slots.hpp>

#include "support/catch.hpp"

using fettle::ndp::index_t;
namespace openmp = fettle::ndp::openmp;

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
    openmp::filled_slots<T> slots(count);
    // From the last one on, and not all of them: nobody has to fill every slot.
    for (index_t i = count - 1; i >= 0; i -= 2) slots.fill(i, make(i));
    for (index_t i = count - 1; i >= 0; i -= 2) {
      INFO("slot " << i << " of " << count);
      CHECK(slots[i].row == i);
      if (i >= 2) CHECK(line_of(slots[i]) != line_of(slots[i - 2]));
      CHECK(reinterpret_cast<std::uintptr_t>(&slots[i]) % 64 == 0);
    }
  }
}

struct named {
  std::string name;
  index_t row;
};

}  // namespace

TEST_CASE("filled slots keep what is put there, on lines of their own") {
  check_filled<plain>([](index_t i) { return plain{0.5, i}; });
  check_filled<larger_than_two_lines>([](index_t i) { return larger_than_two_lines{{}, i}; });
}

TEST_CASE("filled slots destroy what has to be destroyed") {
  const std::string long_enough_to_be_allocated(100, 'x');
  for (const index_t count : counts) {
    openmp::filled_slots<named> slots(count);
    for (index_t i = 0; i < count; i += 3) slots.fill(i, {long_enough_to_be_allocated, i});
    for (index_t i = 0; i < count; i += 3) {
      CHECK(slots[i].row == i);
      CHECK(slots[i].name == long_enough_to_be_allocated);
    }
  }
}

TEST_CASE("slots may stay empty") {
  openmp::slots<int> slots(3);
  slots[1] = 7;
  CHECK_FALSE(slots[0].has_value());
  CHECK(slots[1] == 7);
  CHECK_FALSE(slots[2].has_value());
}
