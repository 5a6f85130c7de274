// Introspection of programs of computations (ndp/program.hpp), beside that of single ones
// (introspect_program.hpp): a program that p.execute<"name">(...) executes reports that it can be
// tuned, and where it is reached, its computations and the fusions that are allowed.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/ndp/introspect_program.hpp>
#include <fettle/ndp/program/program_choices.hpp>
#include <fettle/ndp/program/program_contents.hpp>
#include <fettle/ndp/program/program_graph.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// A program's line, up to what is known of the one that is executed.
template <fixed_string Name, typename Platform>
void describe_program(json_writer& out) {
  const std::string name(Name.view());
  out.begin_object()
      .field("name", name)
      .field("function", name + '.' + std::string(Platform::name));
  out.field("expression", "program").field("input", "program");
  out.key("elements").begin_array().end_array().field("result", "none");
  out.field("platform", Platform::name);
  out.key("schedules").begin_array().end_array().key("pruned").begin_array().end_array();
  out.field("signature", "program " + name).field("form", "update");
  out.key("features").begin_array();
  for_each_program_feature<Platform>([&](std::string_view its, auto&&) { out.value(its); });
  out.end_array();
}

template <typename Platform>
void describe_fusions(json_writer& out, const program_contents<Platform>& its) {
  out.key("computations").begin_array();
  for (const program_node& node : its.graph().nodes) {
    out.begin_object().field("name", node.name).field("expression", node.expression);
    out.key("reads").begin_array();
    for (const std::size_t read : node.results) out.value(its.graph().nodes[read].name);
    out.end_array().end_object();
  }
  out.end_array().key("fusions").begin_array();
  for (const fusion& fused : its.allowed_fusions()) out.value(variant_of(its, fused));
  out.end_array();
}

/// One program of the source.
template <fixed_string Name, typename Platform>
struct introspected_fusions {
  static inline const bool is_reported = [] {
    std::string text;
    json_writer out(text);
    describe_program<Name, Platform>(out);
    out.end_object();
    return report_line(std::move(text));
  }();

  [[noreturn]] static void end_program(const program_contents<Platform>& its) {
    if (!is_reported) std::abort();
    std::string text;
    json_writer out(text);
    describe_program<Name, Platform>(out);
    describe_fusions(out, its);
    out.end_object();
    report_line(std::move(text));
    end_introspection();
  }
};

/// The line for a computation under one of its program's fusions. The computation also has a line
/// as others have; this one says that the program tunes it.
template <fixed_string Name, typename... Arguments>
struct part_of_program {
  using platform =
      std::remove_cvref_t<std::tuple_element_t<sizeof...(Arguments) - 1, std::tuple<Arguments...>>>;
  static inline const bool is_reported = [] {
    std::string text;
    json_writer(text)
        .begin_object()
        .field("part_of_program", Name.view())
        .field("platform", platform::name)
        .end_object();
    return report_line(std::move(text));
  }();

  static void report() {
    if (!is_reported) std::abort();
  }
};

}  // namespace fettle::ndp::detail
