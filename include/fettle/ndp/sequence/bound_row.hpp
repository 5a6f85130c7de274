// bound_row: a row that a team of threads works on together while a row program runs.
//
// A row program is a function given to map that computes several things of its row, one from
// another. It is called by every thread of a team, with the row bound to the team: there a reduce
// of the row, or of what is made of it, is not an expression but a value, which the team computes
// when the function gets there and which all threads have.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// The row, and by its type the team: a class whose static reduce(op, source, seed) yields a value.
/// A team may also have a static map(f, sources...), which makes a bound row at once.
template <typename Row, typename Team>
struct bound_row : Row {
  using team_type = Team;

  FETTLE_HOST_DEVICE constexpr explicit bound_row(const Row& row) : Row(row) {}
};

/// The team of the bound rows that S is made of; void where there are none.
template <typename S>
struct team_of {
  using type = void;
};

template <typename... S>
struct first_team {
  using type = void;
};
template <typename S, typename... Others>
struct first_team<S, Others...> {
  using here = typename team_of<S>::type;
  using type = std::conditional_t<std::is_void_v<here>, typename first_team<Others...>::type, here>;
};

template <template <typename...> typename Node, typename... S>
struct team_of<Node<S...>> : first_team<S...> {};
template <typename Row, typename Team>
struct team_of<bound_row<Row, Team>> {
  using type = Team;
};

template <typename S>
using team_of_t = typename team_of<std::remove_cvref_t<S>>::type;

/// S is a bound row, or an operator on one.
template <typename S>
inline constexpr bool is_bound_v = !std::is_void_v<team_of_t<S>>;

/// S is what a bound map yields that is computed where it is first read by its name. Of a
/// temporary, which is read once, a reduce may compute the elements while it combines them: the
/// team has a static reduce_once(op, source, seed).
template <typename S>
inline constexpr bool is_pending_v = false;

/// S without its teams: what the threads evaluate, with the loads that plain rows have. An operator
/// that has no specialisation keeps its bound rows, which is right but slower.
template <typename S>
struct without_teams {
  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr const S& of(const S& s) { return s; }
};
template <typename Row, typename Team>
struct without_teams<bound_row<Row, Team>> {
  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr Row of(const bound_row<Row, Team>& row) {
    return row;
  }
};

/// S as the result of a row program.
template <typename S>
struct yielded : without_teams<S> {};

template <typename S>
using without_teams_t =
    std::remove_cvref_t<decltype(without_teams<S>::of(std::declval<const S&>()))>;

template <typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr without_teams_t<S> unbound(const S& s) {
  return without_teams<S>::of(s);
}

}  // namespace fettle::ndp::detail
