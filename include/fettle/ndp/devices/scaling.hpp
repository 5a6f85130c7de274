// scaling: what a computation is estimated to take on 1, 2, ... devices, which decides how many of
// them the default rule uses, and what explain() prints.
//
//   seconds(1) = call + max(bytes / bandwidth, linked(1) / link)
//   seconds(n) = call + n part + steps + max((bytes + again) / (n bandwidth), linked(n) / link)
//
// linked(n) bytes pass the link of the busiest device (placement.hpp); steps are what parts are
// combined by.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/leaves.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::devices::detail {

/// What one device does in a microsecond, and what a division costs in microseconds.
struct scaling_rates {
  double bytes = 1;  // that a device reads from its own memory
  double link = 1;   // that it reads from another device's
  double call = 0;   // of a call on one device
  double part = 0;   // more, for each device of several
  double step = 0;   // more, for each step that combines parts
  double wait = 0;   // more, where the host waits for values of parts
};

/// What several devices have to do that one has not.
struct division_steps {
  int steps = 0;
  int waits = 0;
  double again = 0;  // bytes that all parts read a second time
};

/// What moves.
struct scaling_problem {
  double bytes = 0;
  std::vector<double> linked{};  // through the busiest link, with 1, 2, ... devices; empty: none
  division_steps more{};

  [[nodiscard]] double linked_with(int devices) const {
    return linked.empty() ? 0 : linked[static_cast<std::size_t>(devices - 1)];
  }
};

[[nodiscard]] inline double estimated_us(const scaling_rates& r, const scaling_problem& p,
                                         int devices) {
  const double linked = p.linked_with(devices) / r.link;
  if (devices <= 1) return r.call + std::max(p.bytes / r.bytes, linked);
  const double fixed = r.call + r.part * devices + r.step * p.more.steps + r.wait * p.more.waits;
  return fixed + std::max((p.bytes + p.more.again) / devices / r.bytes, linked);
}

/// The number of devices, at most `most`, with the least estimate; the smaller of equal ones.
[[nodiscard]] inline int best_count(const scaling_rates& r, const scaling_problem& p, int most) {
  int best = 1;
  for (int n = 2; n <= most; ++n) {
    if (estimated_us(r, p, n) < estimated_us(r, p, best)) best = n;
  }
  return best;
}

/// The bytes of all sequences that `e` is made of.
template <typename E>
[[nodiscard]] double bytes_of(const E& e) {
  double bytes = 0;
  for_each_leaf(e, [&](const auto& leaf) {
    using T = typename std::remove_cvref_t<decltype(leaf)>::value_type;
    bytes += static_cast<double>(leaf.size()) * static_cast<double>(sizeof(T));
  });
  return bytes;
}
/// Those of its results, which explain() is not given: one for each element.
template <typename E>
[[nodiscard]] double result_bytes(const E& e) {
  using T = typename E::value_type;
  if constexpr (scalar_reduce_node<E> || std::is_void_v<T> || sequence_like<T> ||
                !requires { e.size(); }) {
    return 0;
  } else {
    return static_cast<double>(e.size()) * static_cast<double>(sizeof(T));
  }
}
template <typename E, typename D>
[[nodiscard]] double bytes_of(const E& e, const D& destination) {
  if constexpr (std::is_same_v<D, no_destination>) {
    return bytes_of(e) + result_bytes(e);
  } else {
    return bytes_of(e) + bytes_of(destination);
  }
}

/// By the kind of computation: reduce.hpp and reduce_by_key.hpp say what is done.
template <typename E, typename D>
[[nodiscard]] division_steps steps_of(const E& e) {
  if constexpr (scalar_reduce_node<E>) {
    constexpr bool is_waited_for = std::is_same_v<D, no_destination>;
    return {.steps = is_waited_for ? 0 : 1, .waits = is_waited_for ? 1 : 0};
  } else if constexpr (scan_node<E>) {
    return {.steps = 1, .waits = 1, .again = bytes_of(e.source)};
  } else if constexpr (requires { e.keys; }) {
    return {.steps = 4, .waits = 1, .again = bytes_of(e.keys)};
  } else {
    return {};
  }
}

/// "  2 devices: 331.2 us, 1.96 of one\n" for each number, then from which size on each is chosen.
[[nodiscard]] inline std::string scaling_text(const scaling_rates& r, const scaling_problem& p,
                                              int most, const char* one, const char* several) {
  std::string text;
  char line[128];
  for (int n = 1; n <= most; ++n) {
    const double us = estimated_us(r, p, n);
    std::snprintf(line, sizeof line, "  %d %s: %.1f us, %.2f of one\n", n, n == 1 ? one : several,
                  us, estimated_us(r, p, 1) / us);
    text += line;
  }
  text += "  by size:";
  int last = 0;
  for (double bytes = 1024; bytes <= 1024.0 * (1 << 30); bytes *= 2) {
    const double factor = p.bytes > 0 ? bytes / p.bytes : 0;
    scaling_problem other{bytes, p.linked, p.more};
    for (double& linked : other.linked) linked *= factor;
    other.more.again *= factor;
    const int n = best_count(r, other, most);
    if (n == last) continue;
    const bool mebi = bytes >= (1 << 20);
    std::snprintf(line, sizeof line, "%s from %.0f %s %d", last == 0 ? "" : ",",
                  bytes / (mebi ? 1 << 20 : 1024), mebi ? "MiB" : "KiB", n);
    text += line;
    last = n;
  }
  return text += '\n';
}

}  // namespace fettle::ndp::devices::detail
