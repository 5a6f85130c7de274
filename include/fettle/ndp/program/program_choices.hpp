// program_choices: what may be fused in a program, as the variants of a tuned function: their
// names, those that are worth measuring, and the features of a program that they are chosen by.
//
//   bytes                that the computations read and write outside of the program's memory
//   intermediate_bytes   of all results in the program's memory, where nothing is fused
//   largest_result       bytes of the largest of these
//   bytes_a_result       the first over the second
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/program/program_contents.hpp>
#include <fettle/ndp/program/program_graph.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

inline constexpr std::string_view unfused_variant = "unfused";

/// More than so many fusions are measured in part: those that differ in one computation from the
/// default rule's, the one without any, and the one with most.
inline constexpr std::size_t most_variants = 64;

/// "norms+scores": the computations that are fused.
template <typename Platform>
[[nodiscard]] std::string variant_of(const program_contents<Platform>& its, const fusion& fused) {
  std::string text;
  for (const std::string_view name : its.names_of(fused)) {
    if (!text.empty()) text += '+';
    text += name;
  }
  return text.empty() ? std::string(unfused_variant) : text;
}

/// The fusion of that name; none where the program lacks one of the computations.
template <typename Platform>
[[nodiscard]] std::optional<fusion> fusion_named(const program_contents<Platform>& its,
                                                 std::string_view variant) {
  fusion found = its.no_fusion();
  if (variant == unfused_variant) return found;
  while (!variant.empty()) {
    const std::string_view name = variant.substr(0, variant.find('+'));
    variant.remove_prefix(std::min(variant.size(), name.size() + 1));
    const std::optional<std::size_t> index = its.find(name);
    if (!index) return std::nullopt;
    found[*index] = true;
  }
  return found;
}

/// Those that are measured, the default rule's among them, which differs from size to size. They
/// are the same for all sizes: what a size does not allow is a variant whose constraint fails.
template <typename Platform>
[[nodiscard]] std::vector<fusion> fusions_to_measure(const program_contents<Platform>& its) {
  const fusion usual = its.default_fusion();
  std::vector<fusion> all = its.allowed_fusions(true);
  if (all.size() > most_variants) {
    const auto count = [](const fusion& fused) {
      return std::count(fused.begin(), fused.end(), true);
    };
    const auto most = std::max_element(
        all.begin(), all.end(), [&](const auto& a, const auto& b) { return count(a) < count(b); });
    std::vector<fusion> near{its.no_fusion(), *most};
    for (std::size_t i = 0; i < usual.size() && near.size() < most_variants; ++i) {
      fusion next = usual;
      next[i].flip();
      if (its.is_allowed(next, true)) near.push_back(std::move(next));
    }
    all = std::move(near);
  }
  return all;
}

/// visit(name, feature) for each; a feature is called with the program's contents.
template <typename Platform, typename Visit>
void for_each_program_feature(const Visit& visit) {
  using contents = program_contents<Platform>;
  constexpr auto outside = [](const contents& its) {
    double bytes = 0;
    for (const program_node& node : its.graph().nodes) bytes += node.bytes_outside();
    return bytes;
  };
  constexpr auto inside = [](const contents& its) {
    double bytes = 0;
    for (const program_node& node : its.graph().nodes) bytes += static_cast<double>(node.bytes);
    return bytes;
  };
  visit("bytes", outside);
  visit("intermediate_bytes", inside);
  visit("largest_result", [](const contents& its) {
    std::size_t bytes = 0;
    for (const program_node& node : its.graph().nodes) bytes = std::max(bytes, node.bytes);
    return static_cast<double>(bytes);
  });
  visit("bytes_a_result",
        [=](const contents& its) { return outside(its) / std::max(inside(its), 1.0); });
}

}  // namespace fettle::ndp::detail
