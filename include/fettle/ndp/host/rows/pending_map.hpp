// pending_map: what a row program on a thread maps, not computed until it is read.
//
// A temporary that a reduce takes is read once: the reduce computes its elements while it combines
// them. What has a name may be read again, and is kept in memory of the thread when it is read the
// first time; a copy, such as another operator makes, is a reader too. What the program returns
// unread is computed where it is stored.
#pragma once

#include <cstddef>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/computed_block.hpp>
#include <fettle/ndp/host/rows/row_scratch.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/bound_row.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Whether each element is made of others at its index alone, so that they may be overwritten one
/// after the other.
template <typename S>
inline constexpr bool is_index_wise_v = is_of_neighbours_v<S>;
template <typename S>
inline constexpr bool is_index_wise_v<window<S>> = false;
template <typename F, typename... S>
inline constexpr bool is_index_wise_v<transformed_sequence<F, S...>> =
    holds_numbers_v<F> && (is_index_wise_v<S> && ...);

/// What a row program returns: an index-wise map, and its elements in memory where the program has
/// read them.
template <typename Map>
class yielded_map {
 public:
  using value_type = typename Map::value_type;

  yielded_map(const Map& map, const value_type* kept) : map_(map), kept_(kept) {}

  [[nodiscard]] index_t size() const { return map_.size(); }
  value_type operator[](index_t i) const { return kept_ != nullptr ? kept_[i] : map_[i]; }

  /// to[i] = the same [i], for all of them.
  template <typename D>
  [[gnu::always_inline]] void assign_to(const D& to) const {
    if (kept_ != nullptr) {
      assign(to, sequence<const value_type>(kept_, size()), 0, size());
    } else {
      assign(to, map_, 0, size());
    }
  }

 private:
  Map map_;
  const value_type* kept_;
};

/// `Map`: an expression of rows without teams. By lanes: computed in any order.
template <typename Map, bool ByLanes, typename Team>
class pending_map {
 public:
  using value_type = typename Map::value_type;

  explicit pending_map(const Map& map) : map_(map) {}
  pending_map(const pending_map& other) : map_(other.map_), kept_(other.keep()) {}
  pending_map& operator=(const pending_map&) = delete;
  ~pending_map() = default;

  [[nodiscard]] index_t size() const { return map_.size(); }
  const value_type& operator[](index_t i) const { return keep()[i]; }

  /// What it is computed from.
  [[nodiscard]] const Map& expression() const { return map_; }
  /// As the result of a program that has no other use for it.
  [[nodiscard]] yielded_map<Map> yielded() const { return {map_, kept_}; }
  /// Its elements in memory.
  [[nodiscard]] sequence<const value_type> elements() const { return {keep(), size()}; }

 private:
  const value_type* keep() const {
    if (kept_ == nullptr) {
      const index_t count = size();
      auto* const room =
          row_scratch::of_thread().template take<value_type>(static_cast<std::size_t>(count));
      if constexpr (ByLanes) {
        assign(sequence<value_type>(room, count), map_, 0, count);
      } else {
        assign_in_order(sequence<value_type>(room, count), map_, 0, count);
      }
      kept_ = room;
    }
    return kept_;
  }

  Map map_;
  mutable const value_type* kept_ = nullptr;
};

}  // namespace fettle::ndp::host::detail

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

template <typename Map, bool ByLanes, typename Team>
struct team_of<host::detail::pending_map<Map, ByLanes, Team>> {
  using type = Team;
};
template <typename Map, bool ByLanes, typename Team>
inline constexpr bool is_pending_v<host::detail::pending_map<Map, ByLanes, Team>> = true;

template <typename Map, typename Team>
  requires host::detail::is_index_wise_v<Map>
struct yielded<host::detail::pending_map<Map, true, Team>> {
  [[nodiscard]] static auto of(const host::detail::pending_map<Map, true, Team>& m) {
    return m.yielded();
  }
};

template <typename Map, bool ByLanes, typename Team>
struct without_teams<host::detail::pending_map<Map, ByLanes, Team>> {
  [[nodiscard]] static auto of(const host::detail::pending_map<Map, ByLanes, Team>& m) {
    return m.elements();
  }
};

}  // namespace fettle::ndp::detail
