// Misuse of tuning policies.
#include <string_view>
#include <tuple>

#include <fettle/variant.hpp>

struct sum {
  static constexpr std::string_view name = "sum";
};
struct solving : sum {
  static constexpr auto on_infinite_metric = fettle::infinite_metric::next_best;
};
struct weighed : sum {
  static constexpr std::string_view metrics = "seconds=s joules=J";
};
template <typename Policy>
using function_of = fettle::code_variant<Policy, std::tuple<int>>;

void reset(int&) {}

#ifndef MISUSE
void twin(fettle::context& cx) {
  function_of<sum> by_policy(cx);
  function_of<fettle::policy<"sum">> by_name(cx);
  function_of<solving> solve(cx, reset);
  solve.add_variant("its metric", [](int n) { return 1.0 * n; });
  solve(1);
  fettle::code_variant<weighed, fettle::measured<2>(int)> several(cx);
  several.add_variant("both", [](int n) { return fettle::measured{1.0 * n, 2.0}; });
  several.add_meter("calls", "", [] { return 1; });
  several(1);
}
#endif

// expect somewhere: tuning_policy
#ifdef CASE_without_name
struct nameless {
  static constexpr bool strict = true;
};
void without_name(fettle::context& cx) { function_of<nameless> f(cx); }
#endif

// expect: fettle::policy needs the function's name, as in policy<"spmv">
#ifdef CASE_empty_name
void empty_name(fettle::context& cx) { function_of<fettle::policy<"">> f(cx); }
#endif

// expect: A tuning policy's name must not be empty
#ifdef CASE_policy_with_empty_name
struct unnamed {
  static constexpr std::string_view name = "";
};
void policy_with_empty_name(fettle::context& cx) { function_of<unnamed> f(cx); }
#endif

// expect: async_feature_eval needs `using evaluation = fettle::tbb_evaluation;` in the policy
#ifdef CASE_asynchronous_without_threads
struct asynchronous : sum {
  static constexpr bool async_feature_eval = true;
};
void asynchronous_without_threads(fettle::context& cx) { function_of<asynchronous> f(cx); }
#endif

// expect: Parallel evaluation needs `using evaluation = fettle::tbb_evaluation;` in the
#ifdef CASE_parallel_without_threads
struct parallel : sum {
  static constexpr bool parallel_constraint_evaluation = true;
};
void parallel_without_threads(fettle::context& cx) { function_of<parallel> f(cx); }
#endif

// expect: needs the function that restores the inputs, .*code_variant<...> solve\(context, reset\)
#ifdef CASE_next_best_without_reset
void next_best_without_reset(fettle::context& cx) { function_of<solving> f(cx); }
#endif

// expect: A variant of a function with on_infinite_metric = next_best must return its metric
#ifdef CASE_next_best_without_metric
void next_best_without_metric(function_of<solving>& f) {
  f.add_variant("timed", [](int) {});
}
#endif

// expect: The reset of a function with .* outside training too: give it to the constructor
#ifdef CASE_next_best_with_a_reset_for_training_alone
void reset_for_training_alone(function_of<solving>& f) { f.set_reset(reset); }
#endif

// expect: on_infinite_metric = next_best needs calls that return the metric, a floating-point
#ifdef CASE_next_best_of_times
struct timed : solving {
  static constexpr auto metric = fettle::metric_source::elapsed;
};
void next_best_of_times(fettle::context& cx) { function_of<timed> f(cx, reset); }
#endif

// expect: A function that returns fettle::measured<N> has N metrics in its policy
#ifdef CASE_more_metrics_than_declared
struct timed_and_weighed : sum {
  static constexpr std::string_view metrics = "seconds=s";
};
void more_metrics_than_declared(fettle::context& cx) {
  fettle::code_variant<timed_and_weighed, fettle::measured<2>(int)> f(cx);
}
#endif

// expect: A variant must return .*
#ifdef CASE_more_metrics_than_the_function
void more_metrics_than_the_function(fettle::context& cx) {
  fettle::code_variant<weighed, fettle::measured<2>(int)> f(cx);
  f.add_variant("three", [](int n) { return fettle::measured{1.0 * n, 2.0, 3.0}; });
}
#endif

// expect: add_meter takes a callable without arguments that returns a number
#ifdef CASE_meter_of_text
void meter_of_text(function_of<sum>& f) {
  f.add_meter("name", "", [] { return std::string_view("no number"); });
}
#endif
