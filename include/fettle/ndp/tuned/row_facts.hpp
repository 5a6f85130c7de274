// row_facts: the statistics of one call's rows, found at most once, when a feature asks first.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>
#include <fettle/ndp/shape/inspect_rows.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// Made for every call of a tuned computation; its features share it.
class row_facts {
 public:
  /// `shared`: what one feature has found, the next one need not. Not so in training, where every
  /// feature is timed by itself.
  explicit row_facts(bool shared = true) : shared_(shared) {}

  /// One figure of the rows: what the program said of it in nest(), or else what a pass over the
  /// rows' offsets tells, once for all figures.
  template <has_row_offsets Rows, platform_like Platform, typename Figure>
  [[nodiscard]] double figure(const Rows& rows, const Platform& on,
                              Figure row_statistics::* which) {
    if (const auto stated = statistics_of_rows(rows).*which; stated >= 0) {
      return static_cast<double>(stated);
    }
    if (!inspected_ || !shared_) {
      found_ = inspect_rows(rows, on);
      inspected_ = true;
    }
    return static_cast<double>(found_.*which);
  }

 private:
  row_statistics found_{};
  bool inspected_ = false;
  bool shared_;
};

}  // namespace fettle::ndp
