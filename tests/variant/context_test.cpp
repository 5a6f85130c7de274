#include <string>
#include <vector>

#include <fettle/variant/context.hpp>
#include <fettle/variant/environment.hpp>

#include "support/catch.hpp"
#include "support/scratch.hpp"

TEST_CASE("a context passes each warning on once") {
  std::vector<std::string> heard;
  fettle::context cx({"", [&](std::string_view text) { heard.emplace_back(text); }, false});
  cx.warn_once("a");
  cx.warn_once("b");
  cx.warn_once("a");
  CHECK(heard == std::vector<std::string>{"a", "b"});
}

TEST_CASE("FETTLE_FORCE is a list of function=variant") {
  using fettle::detail::forced_variant;
  CHECK_FALSE(forced_variant("f"));
  const test::environment_variable force("FETTLE_FORCE", "g=x,f=csr vector,,h,f2=y=z");
  CHECK(forced_variant("f") == "csr vector");
  CHECK(forced_variant("g") == "x");
  CHECK(forced_variant("f2") == "y=z");
  CHECK_FALSE(forced_variant("h"));
  CHECK_FALSE(forced_variant("fe"));
}
