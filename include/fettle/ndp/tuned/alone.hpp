// What one thread or one block of a GPU is asked to do alone: only what is so little that launching
// it is all that counts. Beyond that it takes seconds where others take microseconds, which would
// spoil training, and a program whose model errs.
#pragma once

#include <string_view>

#include <fettle/ndp/index.hpp>
#include <fettle/ndp/tuned/features.hpp>

namespace fettle::ndp::detail {

/// Elements and rows.
inline constexpr index_t most_work_alone = index_t{1} << 19;

/// Whether a variant's outermost level is sequential.
[[nodiscard]] constexpr bool works_alone(std::string_view variant) noexcept {
  return variant.starts_with("sequential");
}

template <typename E>
[[nodiscard]] bool is_little_work(const E& e) {
  return elements_going_in(e) + featured_input(e).size() <= most_work_alone;
}

}  // namespace fettle::ndp::detail
