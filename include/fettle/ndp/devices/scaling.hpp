// scaling: what a computation is estimated to take on 1, 2, ... devices, which decides how many of
// them the default rule uses, and what explain() prints.
//
//   seconds(n) = call + n part + bytes / (n bandwidth) + bytes from elsewhere / (n link)
#pragma once

#include <cstdio>
#include <string>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/leaves.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::devices {

/// What one device does in a microsecond, and what a division costs.
struct scaling_rates {
  double bytes = 1;  // that a device reads from its own memory
  double link = 1;   // that it reads from another device's
  double call = 0;   // microseconds of a call on one device
  double part = 0;   // more microseconds for each device of several
};

/// What moves: all bytes, and those that do not lie where they are computed on if there are several
/// devices.
struct scaling_problem {
  double bytes = 0;
  double elsewhere = 0;
};

[[nodiscard]] constexpr double estimated_us(const scaling_rates& r, const scaling_problem& p,
                                            int devices) noexcept {
  if (devices <= 1) return r.call + p.bytes / r.bytes;
  // Each of the others takes its part of what lies on one device through that one's link.
  const double remote = p.elsewhere * (devices - 1) / devices;
  const double own = (p.bytes - remote) / devices / r.bytes;
  const double linked = remote / r.link;
  return r.call + r.part * devices + (own > linked ? own : linked);
}

/// The number of devices, at most `most`, with the least estimate; the smaller of equal ones.
[[nodiscard]] constexpr int best_count(const scaling_rates& r, const scaling_problem& p,
                                       int most) noexcept {
  int best = 1;
  for (int n = 2; n <= most; ++n) {
    if (estimated_us(r, p, n) < estimated_us(r, p, best)) best = n;
  }
  return best;
}

/// The bytes of all sequences that `e` and its destination are made of.
template <typename E, typename D>
[[nodiscard]] double bytes_of(const E& e, const D& destination) {
  double bytes = 0;
  const auto add = [&](const auto& leaf) {
    using T = typename std::remove_cvref_t<decltype(leaf)>::value_type;
    bytes += static_cast<double>(leaf.size()) * static_cast<double>(sizeof(T));
  };
  for_each_leaf(e, add);
  if constexpr (!std::is_same_v<D, no_destination>) for_each_leaf(destination, add);
  return bytes;
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
  const double elsewhere = p.bytes > 0 ? p.elsewhere / p.bytes : 0;
  int last = 0;
  for (double bytes = 1024; bytes <= 1024.0 * (1 << 30); bytes *= 2) {
    const int n = best_count(r, {bytes, bytes * elsewhere}, most);
    if (n == last) continue;
    const bool mebi = bytes >= (1 << 20);
    std::snprintf(line, sizeof line, "%s from %.0f %s %d", last == 0 ? "" : ",",
                  bytes / (mebi ? 1 << 20 : 1024), mebi ? "MiB" : "KiB", n);
    text += line;
    last = n;
  }
  return text += '\n';
}

}  // namespace fettle::ndp::devices
