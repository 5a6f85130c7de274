// Which kernel a schedule has on CUDA, and which fields of a policy the kernel reads: what
// dispatch.cuh decides by its overloads, as values, for the tuner. Needs no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

enum class kernel : std::uint8_t {
  vectors_by_key,
  runs,
  vectors,
  flattened,
  device,
  rows,
  threads,
  one_by_one,
  one_thread,
};

[[nodiscard]] constexpr std::string_view to_string(kernel its) noexcept {
  constexpr std::string_view names[] = {"vectors by key", "runs",       "vectors",
                                        "flattened",      "device",     "rows",
                                        "threads",        "one by one", "one thread"};
  return names[static_cast<std::size_t>(its)];
}

/// What the kernel does, as the end of a sentence: "... has no effect where rows are ...".
[[nodiscard]] constexpr std::string_view description(kernel its) noexcept {
  constexpr std::string_view texts[] = {
      "vectors are reduced by key",    "CUB reduces runs of equal keys",
      "vectors are reduced",           "all threads get tiles of equal size",
      "the whole device cooperates",   "a warp or a block computes a row",
      "a thread computes a row",       "rows are computed one after the other",
      "one thread computes everything"};
  return texts[static_cast<std::size_t>(its)];
}

/// A schedule and the operators that it is for, one a nesting level, outermost first.
struct scheduled_operators {
  schedule::nodes nodes;
  std::span<const std::string_view> operators;

  [[nodiscard]] constexpr int levels() const noexcept { return static_cast<int>(operators.size()); }
  [[nodiscard]] constexpr std::string_view operator_at(int level) const noexcept {
    return operators[static_cast<std::size_t>(level - 1)];
  }
  [[nodiscard]] constexpr bool is_sequential(int level) const noexcept {
    return nodes.at_level(level) == schedule::kind::sequential;
  }
};

[[nodiscard]] constexpr kernel kernel_of(const scheduled_operators& its) noexcept {
  const bool has_rows = its.levels() > 1;
  for (const std::string_view name :
       {op::filter::name, op::partition::name, op::unique::name, op::runs_by_key::name,
        op::reduce_by_index::name, op::sort::name, op::sort_by_key::name}) {
    if (its.operator_at(1) == name) return kernel::runs;
  }
  if (its.operator_at(1) == op::reduce_by_key::name) {
    return has_rows ? kernel::vectors_by_key : kernel::runs;
  }
  if (its.operator_at(1) == op::reduce::name && has_rows) return kernel::vectors;
  if (its.nodes.at_level(1) == schedule::kind::flattened) return kernel::flattened;
  if (its.nodes.at_level(1) == schedule::kind::cooperative) return kernel::device;
  bool parallel_rows = false;
  for (int level = 2; level <= its.levels(); ++level) {
    parallel_rows = parallel_rows || !its.is_sequential(level);
  }
  if (its.is_sequential(1)) return parallel_rows ? kernel::one_by_one : kernel::one_thread;
  return parallel_rows ? kernel::rows : kernel::threads;
}

/// Calls visit(level, name) for every field of a policy that the schedule's kernel reads; level 0
/// is the whole computation's.
template <typename Visit>
constexpr void visit_fields_read(const scheduled_operators& its, Visit&& visit) {
  const kernel its_kernel = kernel_of(its);
  const bool cooperates = its.nodes.at_level(1) == schedule::kind::cooperative;
  const auto visit_unroll = [&] {
    if (its.is_sequential(its.levels())) visit(its.levels(), "unroll");
  };
  switch (its_kernel) {
    case kernel::vectors_by_key:
      visit(0, "block_size_x");
      if (cooperates) visit(0, "block_size_y");
      return;
    case kernel::runs:
      return;
    case kernel::vectors:
      if (!cooperates) return;
      visit(0, "block_size_x");
      visit(1, "block_reduce_algo");
      return;
    case kernel::flattened:
      visit(0, "block_size_x");
      visit(1, "grain_size");
      return;
    case kernel::threads:
      visit(0, "block_size_x");
      visit(1, "grain_size");
      if (its.levels() == 1) return;
      visit(1, "resource");
      return visit_unroll();
    case kernel::one_thread:
      return visit_unroll();
    default:
      break;
  }
  const int level = its_kernel == kernel::device ? 1 : 2;
  visit(0, "block_size_x");
  visit(0, "logical_warp_size");
  visit_unroll();
  visit(level, "resource");
  if (its.nodes.at_level(level) == schedule::kind::independent) {
    visit(level, "grain_size");
  } else if (its.operator_at(level) == op::row_program::name) {
    visit(level, "grain_size");
    visit(level, "block_reduce_algo");
  } else if (its.operator_at(level) == op::reduce::name) {
    visit(level, "block_reduce_algo");
  } else {
    visit(level, "block_scan_algo");
    visit(level, "block_scan_grain_size");
  }
  if (its_kernel == kernel::rows) {
    visit(1, "grain_size");
    visit(1, "resource");
  }
}

}  // namespace fettle::ndp::cuda::detail
