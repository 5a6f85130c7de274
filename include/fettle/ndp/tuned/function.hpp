// tuned_function: a tuned computation as what it is, a code_variant: its variants are the default
// rule and the candidates of the generated header, its features those of features.hpp.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/platform.hpp>
#include <fettle/ndp/policy.hpp>
#include <fettle/ndp/tuned/call.hpp>
#include <fettle/ndp/tuned/candidate.hpp>
#include <fettle/ndp/tuned/context.hpp>
#include <fettle/ndp/tuned/features.hpp>
#include <fettle/ndp/tuned/row_facts.hpp>
#include <fettle/variant/code_variant.hpp>

namespace fettle::ndp::detail {

/// One variant: an implementation on its arguments' types.
template <typename E, typename D, typename Platform>
struct tuned_variant {
  erased_call call;
  const void* policy;

  void operator()(const E& e, const D& destination, const Platform& on,
                  row_facts& /*facts*/) const {
    call(&e, &destination, &on, policy);
  }
};

/// One for each computation and types; made at the first call, which loads the model.
template <fixed_string Name, typename E, typename D, typename Platform>
class tuned_function {
  using computation_type = tuned_computation<Name, Platform>;
  using policy = typename computation_type::tuning_policy;
  using function = code_variant<policy, void(const E&, const D&, const Platform&, row_facts&)>;

 public:
  static void run(const E& e, const D& destination, const Platform& on) {
    static tuned_function tuned;
    row_facts facts;
    tuned.function_(e, destination, on, facts);
  }

 private:
  tuned_function() : function_(tuning_context()) {
    computation_type::template check<E>();
    function_.add_variant(default_variant, variant{&call_default<Name, E, D, Platform>, nullptr});
    for_each_implementation<Name, E, D, Platform>(
        [this](const erased_implementation& its) {
          function_.add_variant(its.name, variant{its.call, its.policy});
        },
        typename computation_type::candidates{});
    for_each_feature<E, Platform>([this]<typename Feature>(std::string_view name, Feature feature) {
      function_.add_input_feature(
          name, [feature](const E& e, const D& /*destination*/, const Platform& on,
                          row_facts& facts) { return feature(featured_input(e), on, facts); });
    });
  }

  using variant = tuned_variant<E, D, Platform>;

  function function_;
};

}  // namespace fettle::ndp::detail
