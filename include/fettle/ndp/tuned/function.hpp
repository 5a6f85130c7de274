// tuned_function: a tuned computation as what it is, a code_variant: its variants are the default
// rule and the candidates of the generated header, its features those of features.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/tuned/call.hpp>
#include <fettle/ndp/tuned/candidate.hpp>
#include <fettle/ndp/tuned/context.hpp>
#include <fettle/ndp/tuned/features.hpp>
#include <fettle/ndp/tuned/quality.hpp>
#include <fettle/ndp/tuned/row_facts.hpp>
#include <fettle/variant/code_variant.hpp>
#include <fettle/variant/registration/approximate.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/selection/selection.hpp>

#ifdef FETTLE_NDP_TRAINING
#include <fettle/ndp/tuned/shard_loading.hpp>
#include <fettle/ndp/tuned/training.hpp>
#endif

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// In a program that runs as it was tuned there is nothing to see to but that it is none to train.
template <typename E, typename D, typename Platform>
class deployed_gate {
 public:
  using result = void;
  struct call_facts {
    using is_only_deployed = void;

    row_facts rows{};
  };

  deployed_gate(std::string_view function, const E& /*e*/, const D& /*destination*/) {
    const fettle::detail::training_request* const request = fettle::detail::active_training();
    if (request == nullptr || request->function != function) return;
    throw error(std::string(function) +
                ": this program was not compiled for training; `fettle ndp tune` compiles it with "
                "FETTLE_NDP_TRAINING defined");
  }

  template <typename Function>
  void install(Function& /*function*/) const {}
  [[nodiscard]] bool admits(const E& /*e*/, const D& /*destination*/) const { return true; }
  [[nodiscard]] call_facts facts() const { return {}; }

  template <typename Call>
  static void run(const Platform& /*on*/, call_facts& /*facts*/, const Call& call) {
    call();
  }
};

#ifdef FETTLE_NDP_TRAINING
template <typename E, typename D, typename Platform>
using call_gate = training_gate<E, D, Platform>;
#else
template <typename E, typename D, typename Platform>
using call_gate = deployed_gate<E, D, Platform>;
#endif

/// One variant: an implementation on its arguments' types.
template <typename E, typename D, typename Platform>
struct tuned_variant {
  using gate = call_gate<E, D, Platform>;
  static constexpr bool is_immutable = true;  // what calls read may hold a copy

  erased_call call;
  const void* policy;

  typename gate::result operator()(const E& e, const D& destination, const Platform& on,
                                   typename gate::call_facts& facts) const {
    return gate::run(on, facts, [&] { call(&e, &destination, &on, policy); });
  }
};

/// One for each computation and types; made at the first call, which loads the model.
template <fixed_string Name, typename E, typename D, typename Platform>
class tuned_function {
  using computation_type = tuned_computation<Name, Platform>;
  using policy = typename computation_type::tuning_policy;
  using gate = call_gate<E, D, Platform>;
  using call_facts = typename gate::call_facts;
  using function =
      code_variant<policy, typename gate::result(const E&, const D&, const Platform&, call_facts&)>;

 public:
  static void run(const E& e, const D& destination, const Platform& on) {
    tuned_function& tuned = instance(e, destination);
    if (!tuned.may_choose(e, destination, on)) {
      call_default<Name, E, D, Platform>(&e, &destination, &on, nullptr);
      return;
    }
    call_facts facts = tuned.gate_.facts();
    tuned.function_(e, destination, on, facts);
  }

  /// What run() would select for these arguments, and why: "flattened devices=2 (model)".
  [[nodiscard]] static std::string choice(const E& e, const D& destination, const Platform& on) {
    tuned_function& tuned = instance(e, destination);
    if (!tuned.may_choose(e, destination, on)) return std::string(default_variant);
    call_facts facts = tuned.gate_.facts();
    const selection chosen = tuned.function_.select(e, destination, on, facts);
    return std::string(chosen.variant) + " (" + std::string(to_text(chosen.reason)) + ")";
  }

 private:
  [[nodiscard]] static tuned_function& instance(const E& e, const D& destination) {
    static tuned_function tuned(e, destination);
    return tuned;
  }

  [[gnu::noinline, gnu::cold]] tuned_function(const E& e, const D& destination)
      : gate_(policy::name, e, destination), function_(tuning_context()) {
    add({std::string(default_variant), &call_default<Name, E, D, Platform>});
    if constexpr (has_bound<computation_type>) set_quality();
    const auto add_one = [this](const erased_implementation& its) { add(its); };
    for_each_implementation<Name, E, D, Platform>(add_one, typename computation_type::candidates{});
#ifdef FETTLE_NDP_TRAINING
    for_each_in_shards<E, D>(Name.view(), Platform::name, add_one);
#endif
    for_each_feature<E, Platform>([this]<typename Feature>(std::string_view name, Feature feature) {
      function_.add_input_feature(name, [feature](const E& input, const D& /*destination*/,
                                                  const Platform& on, call_facts& facts) {
        return feature(featured_input(input), on, facts.rows);
      });
    });
    gate_.install(function_);
  }

  [[nodiscard]] bool may_choose(const E& e, const D& destination, const Platform& on) const {
    if constexpr (has_bound<computation_type>) {
      if (!can_be_checked(e, destination, on)) return false;
    }
    return gate_.admits(e, destination);
  }

  void set_quality() {
    function_.set_quality(
        [](const std::vector<double>& exact, const std::vector<double>& out) -> double {
          return computation_type::quality::error(exact, out);
        },
        computation_type::bound,
        [](const E& e, const D& destination, const Platform& on, const call_facts& /*facts*/) {
          return numbers_written(e, destination, on);
        });
  }

  void add(const erased_implementation& its) {
    const tuned_variant<E, D, Platform> variant{its.call, its.policy};
    if (its.is_approximate) {
      function_.add_variant(its.name, variant, approximate);
    } else {
      function_.add_variant(its.name, variant);
    }
    if (its.condition == nullptr) return;
    function_.add_constraint(
        its.name, [condition = its.condition](const E& input, const D& /*destination*/,
                                              const Platform& /*on*/,
                                              call_facts& /*facts*/) { return condition(&input); });
  }

  [[no_unique_address]] gate gate_;
  function function_;
};

}  // namespace fettle::ndp::detail
