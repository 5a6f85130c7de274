// node_group: the NUMA nodes that work on one computation.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/merge_path.hpp>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/devices/group_like.hpp>
#include <fettle/ndp/openmp/policy/platform.hpp>
#include <fettle/ndp/openmp_nodes/node_team.hpp>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp_nodes::detail {

class node_group {
 public:
  using inner_platform = platform::openmp;
  static constexpr bool is_asynchronous = false;

  node_group(node_team& team, int nodes) : team_(team), nodes_(nodes) {}

  [[nodiscard]] int size() const noexcept { return nodes_; }

  template <typename Work>
  void in_parts(const computation& named, const devices::cuts& where, const Work& work) {
    run(
        named, [&](int node) { return node < where.parts && where.size(node) > 0; },
        [&](int node) { work(node, platform::openmp{}); });
  }
  template <typename Work>
  void in_parts_by_values(const computation& named, const devices::cuts& where, const Work& work) {
    in_parts(named, where, work);
  }
  template <typename Work>
  void whole(const computation& named, const Work& work) {
    run(named, [](int node) { return node == 0; }, [&](int /*node*/) { work(platform::openmp{}); });
  }
  static void wait(const computation& /*named*/) noexcept {}

  template <typename T>
  [[nodiscard]] T* room(const computation& /*named*/, int count) {
    room_ =
        std::make_unique<unit[]>(static_cast<std::size_t>(count) * sizeof(T) / sizeof(unit) + 1);
    T* const values = reinterpret_cast<T*>(room_.get());
    for (int i = 0; i < count; ++i) ::new (static_cast<void*>(values + i)) T();
    return values;
  }

  template <typename Rows>
  [[nodiscard]] static devices::cuts cut_work(const computation& /*named*/, const Rows& rows,
                                              int parts) {
    return devices::work_cuts(row_ends_of<Rows>{rows, rows.row_begin(0)}, rows.size(), parts);
  }

 private:
  struct alignas(std::max_align_t) unit {  // nvcc fails on a vector of std::max_align_t
    unsigned char bytes[sizeof(std::max_align_t)];
  };

  template <typename Wanted, typename Work>
  void run(const computation& named, const Wanted& wanted, const Work& work) {
    team_.run(wanted, work, [&](int node, const std::exception_ptr& failure) {
      try {
        std::rethrow_exception(failure);
      } catch (const error& found) {
        std::string_view message = found.what();
        if (names_computation(message, named)) message.remove_prefix(named.name.size() + 2);
        throw error(std::string(named.name) + ": node " + std::to_string(node) + " (CPUs " +
                    to_string(team_.cpus(node)) + "): " + std::string(message) +
                    (nodes_ > 1 ? "; other nodes may have written their results" : ""));
      }
    });
  }

  node_team& team_;
  int nodes_;
  std::unique_ptr<unit[]> room_;
};

static_assert(devices::detail::group_like<node_group>);

}  // namespace fettle::ndp::openmp_nodes::detail
