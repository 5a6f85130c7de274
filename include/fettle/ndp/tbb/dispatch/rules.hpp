// rules: the parameters of implementations on oneTBB, and where they are run from. Needs no oneTBB:
// what runs is in executor, which <fettle/ndp/tbb.hpp> defines.
#pragma once

#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/host/dispatch/rules.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/parameter_list.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/tbb/policy/platform.hpp>
#include <fettle/ndp/tbb/policy/policy.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::tbb::detail {

template <typename Platform>
struct executor;

template <typename Platform>
concept has_executor = requires { sizeof(executor<Platform>); };

/// What runs after that error.
struct no_executor {
  [[nodiscard]] static int threads() { return 1; }
  static void run(const auto&... /*arguments*/) {}
  static void run_default(const auto&... /*arguments*/) {}
  [[nodiscard]] static invalid_expression value(const auto&... /*arguments*/) { return {}; }
  [[nodiscard]] static invalid_expression joined(const auto&... /*arguments*/) { return {}; }
  [[nodiscard]] static std::string explain_default(const auto&... /*arguments*/) { return {}; }
};

/// The executor, or an error that says what is missing.
template <typename Platform>
[[nodiscard]] consteval auto require_executor() {
  static_assert(
      has_executor<Platform>,
      "platform::tbb needs oneTBB: include <fettle/ndp/tbb.hpp> and link the program with "
      "it (-ltbb, or TBB::tbb in CMake), or use platform::openmp");
  if constexpr (has_executor<Platform>) {
    return executor<Platform>{};
  } else {
    return no_executor{};
  }
}

struct rules : host::detail::rules<tbb::policy> {
  static constexpr void global_parameters(parameter_list& out) { out.insert({"num_threads"}); }
  static constexpr void local_parameters(parameter_list& out, const scheduled_level& its) {
    switch (its.node) {
      case schedule::kind::sequential:
        return out.insert({"enable_unroll", its.level});
      case schedule::kind::independent:
      case schedule::kind::cooperative:
        for (const char* const name : {"partitioner", "grain_size"}) out.insert({name, its.level});
        if (its.level > 1) out.insert({"execution_resource", its.level});
        return;
      case schedule::kind::flattened:
      case schedule::kind::none:
        return;
    }
  }

  template <typename Platform = platform::tbb>
  [[nodiscard]] static int threads() {
    return decltype(require_executor<Platform>())::threads();
  }
  template <typename Platform = platform::tbb>
  static void describe_limits(json_writer& out) {
    out.field("threads", threads<Platform>());
  }

  template <typename E, typename Platform = platform::tbb>
  [[nodiscard]] static std::string explain_default(const computation& named, const E& e) {
    return decltype(require_executor<Platform>())::explain_default(named, e);
  }
  template <typename Platform, typename... Arguments>
  static void run(const Platform& on, const computation& named, const Arguments&... arguments) {
    decltype(require_executor<Platform>())::run(on, named, arguments...);
  }
  template <typename Platform, typename E, typename D>
  static void run_default(const Platform& on, const computation& named, const E& e,
                          const D& destination) {
    decltype(require_executor<Platform>())::run_default(on, named, e, destination);
  }
  template <typename Platform, typename E, typename... ByHand>
  [[nodiscard]] static typename E::value_type value(const Platform& on, const computation& named,
                                                    const E& e, const ByHand&... by_hand) {
    return decltype(require_executor<Platform>())::value(on, named, e, by_hand...);
  }
  template <typename Platform, typename... Arguments>
  [[nodiscard]] static auto joined(const Platform& on, const Arguments&... arguments) {
    return decltype(require_executor<Platform>())::joined(on, arguments...);
  }
};

}  // namespace fettle::ndp::tbb::detail
