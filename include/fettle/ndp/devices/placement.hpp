// placement: what devices read through their links, by where sequences lie: the number of devices
// is chosen by it. Equal pieces of each sequence stand for all of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/operator/gather.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::devices::detail {

/// The owner of memory that is copied to each device that computes, all of it.
inline constexpr int no_device = -1;

/// Of a sequence whose elements are read in no order: gathered ones.
enum class read_order : bool { by_parts, any };

/// The bytes that pass the busiest device's link, for each number of devices from 1 on.
class link_traffic {
 public:
  explicit link_traffic(int most) {
    into_.reserve(static_cast<std::size_t>(most));
    out_of_.reserve(static_cast<std::size_t>(most));
    for (int n = 1; n <= most; ++n) {
      into_.emplace_back(static_cast<std::size_t>(n));
      out_of_.emplace_back(static_cast<std::size_t>(most));
    }
  }

  /// owners[k] is the device, by its number in the list, that has the k-th of equal pieces of a
  /// sequence.
  void add(double bytes, const std::vector<int>& owners, read_order order) {
    const auto pieces = static_cast<int>(owners.size());
    const double piece = bytes / pieces;
    for (int n = 1; n <= static_cast<int>(into_.size()); ++n) {
      for (int k = 0; k < pieces; ++k) {
        const int owner = owners[static_cast<std::size_t>(k)];
        if (owner == no_device) {
          for (int p = 0; p < n; ++p) into(n, p) += piece;
        } else if (order == read_order::any) {
          for (int p = 0; p < n; ++p) move(n, owner, p, piece / n);
        } else {
          move(n, owner, k * n / pieces, piece);
        }
      }
    }
  }

  /// With n devices.
  [[nodiscard]] double busiest(int n) const {
    const auto& in = into_[static_cast<std::size_t>(n - 1)];
    const auto& out = out_of_[static_cast<std::size_t>(n - 1)];
    return std::max(*std::max_element(in.begin(), in.end()),
                    *std::max_element(out.begin(), out.end()));
  }

 private:
  void move(int n, int owner, int reader, double bytes) {
    if (owner == reader) return;
    into(n, reader) += bytes;
    out_of_[static_cast<std::size_t>(n - 1)][static_cast<std::size_t>(owner)] += bytes;
  }
  [[nodiscard]] double& into(int n, int p) {
    return into_[static_cast<std::size_t>(n - 1)][static_cast<std::size_t>(p)];
  }

  std::vector<std::vector<double>> into_;
  std::vector<std::vector<double>> out_of_;
};

template <typename S>
inline constexpr bool is_gathered_v = false;
template <typename S, typename Indices>
inline constexpr bool is_gathered_v<gathered_sequence<S, Indices>> = true;
/// Elements of an array that are worth several devices: those of 128 MiB of doubles, from which on
/// two H100 are no slower than one at what is divided (a map 1.56 times as fast, a reduction 1.12,
/// a scan 1.00). By elements and not by bytes, so that the arrays of one computation lie alike.
inline constexpr index_t least_divided_count = index_t{1} << 24;

/// Where an array is cut if nothing else is said: into equal parts, or into one on the first device
/// where a computation over it is faster there.
[[nodiscard]] constexpr cuts array_cuts(index_t count, int parts) noexcept {
  if (count >= least_divided_count) return equal_cuts(count, parts);
  cuts made{.parts = parts};
  for (int p = 1; p <= parts; ++p) made.at[p] = count;
  return made;
}

}  // namespace fettle::ndp::devices::detail
