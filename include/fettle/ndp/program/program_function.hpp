// program_function: the code_variant of a tuned program; its variants are fusions.
//
// In training a variant is planned, run until all it needs is made, and then timed by itself; what
// the program writes for its user is put back before each run, and compared with the default's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/program/program_choices.hpp>
#include <fettle/ndp/program/program_contents.hpp>
#include <fettle/ndp/program/program_graph.hpp>
#include <fettle/ndp/program/program_timing.hpp>
#include <fettle/ndp/program/tuned_program.hpp>
#include <fettle/ndp/tuned/candidate.hpp>
#include <fettle/ndp/tuned/context.hpp>
#include <fettle/variant/code_variant.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/selection/selection.hpp>

#ifdef FETTLE_NDP_TRAINING
#include <fettle/ndp/tuned/captured.hpp>
#endif

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// What belongs to one call.
struct program_call {
  bool in_race = false;      // the next run is one that is measured
  std::size_t repeated = 0;  // executions that are timed together; 0: not known yet
#ifdef FETTLE_NDP_TRAINING
  std::optional<captured> before{};  // what the program writes, as the first run found it
#else
  using is_only_deployed = void;
#endif
};

/// One variant. Returns the seconds of an execution.
template <typename Platform>
struct program_variant {
  static constexpr bool is_immutable = true;  // what calls read may hold a copy
  static constexpr double enough = 1e-3;      // seconds that are timed together
  static constexpr std::size_t most_repeated = 20;

  std::string name;

  /// What is fused; nothing where the program is not as it was when it was tuned.
  [[nodiscard]] std::optional<fusion> fused(const program_contents<Platform>& its) const {
    if (name == default_variant) return its.default_fusion();
    std::optional<fusion> found = fusion_named(its, name);
    if (found && !its.is_allowed(*found)) found.reset();
    return found;
  }

  double operator()(program_contents<Platform>& its, const Platform& on, program_call& call) const {
    const std::optional<fusion> wanted = fused(its);
    if (wanted && (!its.is_planned() || its.fused_now() != *wanted)) {
      its.plan(*wanted, "as the variant " + name + " says");
    }
    if (!std::exchange(call.in_race, false)) return seconds_of_executions(its, on, 1);
    its.execute(on);                                        // allocates
    const double once = seconds_of_executions(its, on, 1);  // records, on CUDA
    if (call.repeated == 0) {
      const double several = enough / std::max(once, 1e-9);
      call.repeated = several >= most_repeated ? most_repeated : static_cast<std::size_t>(several);
      call.repeated = std::max<std::size_t>(call.repeated, 1);
    }
    return seconds_of_executions(its, on, call.repeated);
  }
};

/// One for each program's name; made at the first execution, which loads the model.
template <fixed_string Name, typename Platform>
class program_function {
  using tuned = tuned_program<Name, Platform>;
  using policy = typename tuned::tuning_policy;
  using contents = program_contents<Platform>;
  using variant = program_variant<Platform>;
  using function = code_variant<policy, double(contents&, const Platform&, program_call&)>;

 public:
  static void execute(contents& its, const Platform& on) {
    static program_function chosen(its);
    chosen.run(its, on);
  }

 private:
  [[gnu::noinline, gnu::cold]] explicit program_function(const contents& its)
      : function_(tuning_context()) {
    add(default_variant);
#ifdef FETTLE_NDP_TRAINING
    for (const fusion& fused : fusions_to_measure(its)) add(variant_of(its, fused));
    compare_outputs();
#else
    static_cast<void>(its);
    refuse_training();
    for (const std::string_view name : tuned::variants) add(name);
#endif
    for_each_program_feature<Platform>([this](std::string_view name, auto feature) {
      function_.add_input_feature(
          name, [feature](const contents& program, const Platform& /*on*/,
                          const program_call& /*call*/) { return feature(program); });
    });
  }

  void add(std::string_view name) {
    const variant its{std::string(name)};
    function_.add_variant(its.name, its);
    if (name == default_variant) return;
    function_.add_constraint(
        name, [its](const contents& program, const Platform& /*on*/, const program_call& /*call*/) {
          return !!its.fused(program);
        });
  }

  void run(contents& its, const Platform& on) {
    program_call call;
    if (is_trained()) {
      static_cast<void>(function_(its, on, call));
      return;
    }
    if (!its.is_planned()) choose(its, on, call);
    its.execute(on);
  }

  void choose(contents& its, const Platform& on, program_call& call) {
    const selection chosen = function_.select(its, on, call);
    std::optional<fusion> fused = variant{std::string(chosen.variant)}.fused(its);
    std::string choice = "by the model of " + std::string(policy::name);
    if (chosen.reason == selection_reason::forced && fused) {
      choice = "by FETTLE_FORCE";
    } else if (chosen.reason != selection_reason::model || !fused) {
      choice = std::string(by_rule) + " (" + std::string(policy::name) + ": " +
               std::string(to_text(chosen.reason)) + ")";
    }
    its.plan(fused ? *std::move(fused) : its.default_fusion(), std::move(choice));
  }

  [[nodiscard]] static bool is_trained() {
    const fettle::detail::training_request* const request = fettle::detail::active_training();
    return request != nullptr && request->function == policy::name;
  }

#ifdef FETTLE_NDP_TRAINING
  void compare_outputs() {
    if (!is_trained()) return;
    const auto outputs = [](const contents& its, bool with_results, const Platform& on) {
      double bytes = 0;
      for (const program_node& node : its.graph().nodes) bytes += node.bytes_outside();
      return its.outputs(static_cast<index_t>(bytes / sizeof(double)), with_results, on);
    };
    function_.set_verify([outputs](const contents& its, const Platform& on,
                                   const program_call& /*call*/) { return outputs(its, true, on); },
                         [](const captured& reference, const captured& output) {
                           return reference.agrees_with(output);
                         });
    function_.set_reset([outputs](contents& its, const Platform& on, program_call& call) {
      if (!call.before) {
        call.before = outputs(its, false, on);
      } else {
        its.restore(*call.before, on);
      }
      call.in_race = true;
    });
  }
#else
  static void refuse_training() {
    if (!is_trained()) return;
    throw error(std::string(policy::name) +
                ": this program was not compiled for training; `fettle ndp tune` compiles it with "
                "FETTLE_NDP_TRAINING defined");
  }
#endif

  function function_;
};

}  // namespace fettle::ndp::detail
