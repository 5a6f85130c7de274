#include <string>
#include <type_traits>

#include <fettle/core/error.hpp>

#include "support/catch.hpp"

static_assert(std::is_base_of_v<std::runtime_error, fettle::error>);
static_assert(std::is_nothrow_copy_constructible_v<fettle::error>);

TEST_CASE("fettle::error is caught as std::runtime_error with its message") {
  try {
    throw fettle::error(std::string("model.txt:3: what is wrong"));
  } catch (const std::runtime_error& caught) {
    CHECK(caught.what() == std::string("model.txt:3: what is wrong"));
  }
}
