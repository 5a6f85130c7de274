// Selecting allocates nothing after the first call.
#include <atomic>
#include <cstdlib>
#include <new>
#include <tuple>

#include <fettle/variant.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"

namespace {
std::atomic<long> allocations{0};
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

struct ranking {
  static constexpr std::string_view name = "f";
  static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
};

template <typename Policy>
long allocations_of_calls(const std::string& directory) {
  fettle::context cx({directory, [](std::string_view) {}, false});
  fettle::code_variant<Policy, std::tuple<int&>> f(cx);
  f.add_variant("low", [](int&) { return 1.0; });
  f.add_variant("high", [](int&) { return 2.0; });
  f.add_input_feature("x", [](int& x) { return x; });
  f.add_constraint("high", [](int& x) { return x < 50; });
  int x = 3;
  f(x);
  f.fix_inputs(x);
  f();
  const long before = allocations;
  for (x = -200; x < 200; ++x) {
    f(x);
    f.select(x);
    f.last_selection();
    auto bound = f.bind(x);
    bound();
    f.fix_inputs(x);
    f();
  }
  return allocations - before;
}

}  // namespace

TEST_CASE("calls, select, bind and fix_inputs allocate nothing after the first call") {
  const test::scratch folder;
  CHECK(allocations_of_calls<fettle::policy<"f">>(folder.path()) == 0);  // no model
  test::write_model(folder.path(), {});
  const long counted = allocations;
  CHECK(counted > 0);
  CHECK(allocations_of_calls<fettle::policy<"f">>(folder.path()) == 0);
  CHECK(allocations_of_calls<ranking>(folder.path()) == 0);
}
