#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/environment.hpp>
#include <fettle/variant/registration/held_warnings.hpp>

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

TEST_CASE("a warning's handler may use its context, and cause warnings") {
  std::vector<std::string> heard;
  fettle::context* of = nullptr;
  fettle::context cx({"",
                      [&](std::string_view text) {
                        heard.emplace_back(of->objective() + std::string(text));
                        of->warn_once("caused by it");
                      },
                      false});
  of = &cx;
  cx.warn_once("first");
  CHECK(heard == std::vector<std::string>{"first", "caused by it"});
}

TEST_CASE("warnings are held while a lock is") {
  std::vector<std::string> heard;
  std::mutex lock;
  const auto hear = [&](std::string_view text) {
    const bool is_free = lock.try_lock();
    if (is_free) lock.unlock();
    heard.emplace_back((is_free ? "" : "locked: ") + std::string(text));
    if (text == "thrown") throw std::runtime_error("by the handler");
  };
  fettle::context cx({"", hear, false});
  const auto warn_locked = [&](const std::string& text) {
    const fettle::detail::held_warnings held;
    const std::scoped_lock guard(lock);
    cx.warn_once(text);
  };
  warn_locked("a");
  {
    const fettle::detail::held_warnings around;
    warn_locked("b");
    CHECK(heard == std::vector<std::string>{"a"});
  }
  CHECK(heard == std::vector<std::string>{"a", "b"});
  CHECK_THROWS_WITH(warn_locked("thrown"), "by the handler");
  const auto fail_locked = [&] {
    const fettle::detail::held_warnings held;
    const std::scoped_lock guard(lock);
    cx.warn_once("before it fails");
    throw std::logic_error("locked");
  };
  CHECK_THROWS_WITH(fail_locked(), "locked");
  CHECK(heard.back() == "before it fails");
  const auto warn_twice = [&] {
    const fettle::detail::held_warnings held;
    cx.warn_once("again");
    heard.clear();
    cx.warn_once("c");
  };
  CHECK_NOTHROW(warn_twice());
  CHECK(heard == std::vector<std::string>{"again", "c"});
}

TEST_CASE("FETTLE_FORCE is a list of function=variant") {
  using fettle::detail::forced_variant;
  CHECK_FALSE(forced_variant("f"));
  const test::environment_variable force("FETTLE_FORCE", "g=x, f=csr vector ,,f2=y=z,");
  CHECK(forced_variant("f") == "csr vector");
  CHECK(forced_variant("g") == "x");
  CHECK(forced_variant("f2") == "y=z");
  CHECK_FALSE(forced_variant("h"));
  CHECK_FALSE(forced_variant("fe"));
}

TEST_CASE("functions that FETTLE_FORCE names and the program does not call are reported") {
  fettle::detail::forced_functions forced;
  forced.name("sortt");
  forced.name("spmv");
  forced.call("sort");
  forced.call("spmv");
  CHECK(forced.warning() ==
        "fettle: warning: FETTLE_FORCE names 'sortt', which this program did not call; it called "
        "'sort', 'spmv'; correct the name");
  forced.call("sortt");
  CHECK(forced.warning().empty());
}

TEST_CASE("an entry of FETTLE_FORCE that names no function or no variant is an error") {
  const auto message = [](const std::string& value) -> std::string {
    const test::environment_variable force("FETTLE_FORCE", value);
    try {
      static_cast<void>(fettle::detail::forced_variant("spmv"));
    } catch (const fettle::error& problem) {
      return problem.what();
    }
    return {};
  };
  CHECK(message("spmv=dia,sort") ==
        "FETTLE_FORCE=spmv=dia,sort: 'sort' is not function=variant; write "
        "FETTLE_FORCE=sort=VARIANT, or unset it");
  CHECK(message("sort=") ==
        "FETTLE_FORCE=sort=: 'sort=' is not function=variant; write FETTLE_FORCE=sort=VARIANT, or "
        "unset it");
  CHECK(message(" =dia") ==
        "FETTLE_FORCE= =dia: '=dia' is not function=variant; write FETTLE_FORCE=FUNCTION=VARIANT, "
        "or unset it");
  CHECK(message("spmv=dia").empty());
}
