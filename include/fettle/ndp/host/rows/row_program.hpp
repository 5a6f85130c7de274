// row_program: the team of a row program on a processor is one thread, with its vector lanes. The
// row stays in the thread's cache while the function reads it again, and so does what the function
// maps it to: a map by a function of the user's is computed once (pending_map.hpp).
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/host/lanes/cheap.hpp>
#include <fettle/ndp/host/lanes/fold_loops.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/rows/in_thread.hpp>
#include <fettle/ndp/host/rows/pending_map.hpp>
#include <fettle/ndp/host/rows/row_scratch.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/row_function.hpp>
#include <fettle/ndp/operator/windows.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/bound_row.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// The marks of a program: it keeps what it maps until the next row; it was compiled without that.
template <typename Program>
struct keeps_maps {};
template <typename Program>
struct keeps_nothing {};

/// One thread, by its lanes where elements may be combined in another order. Where a program's rows
/// begin nothing is done, unless it keeps something: then a loop over rows of a few elements, which
/// the compiler unrolls, may be vectorised. (A program whose maps are seen too late, because they
/// are in another function that states its return type, computes them anew where it reads
/// them.)
template <bool ByLanes, typename Program>
struct row_thread {
  /// `Result`: what the program yields, so that the compiler has seen what it does.
  template <typename Result>
  [[gnu::always_inline]] static auto begin_row() {
    if constexpr (ndp::detail::has_mark<keeps_maps<Program>>()) {
      row_scratch::begin_row();
    } else {
      static_assert(ndp::detail::mark_use<keeps_nothing<Program>>::value);
    }
  }

  template <typename F, typename... S>
    requires(ndp::detail::is_bound_v<S> || ...)
  [[nodiscard]] static auto map(const F& function, const S&... sources) {
    using namespace ndp::detail;
    const transformed_sequence<F, without_teams_t<S>...> here{
        function, tuple_of<without_teams_t<S>...>(unbound(sources)...)};
    using mapped = std::remove_cvref_t<decltype(here)>;
    using value = typename mapped::value_type;
    if constexpr (std::is_trivially_copyable_v<value> &&
                  std::is_trivially_default_constructible_v<value> && !operation<value> &&
                  !sequence_like<value> && sizeof(value) <= 16 && !is_cheap_v<mapped> &&
                  !has_mark<keeps_nothing<Program>>()) {
      static_assert(mark_use<keeps_maps<Program>>::value);
      return pending_map<mapped, ByLanes, row_thread>(here);
    } else {
      return transformed_sequence<F, S...>{function, tuple_of<S...>(sources...)};
    }
  }

  template <typename Op, typename S, typename P>
  [[nodiscard, gnu::always_inline]] static constexpr auto reduce(const Op& op, const S& source,
                                                                 const P& seed) {
    using schedule = std::conditional_t<ByLanes, schedule::cooperative<>, schedule::sequential<>>;
    using namespace ndp::detail;
    return value_in_thread<schedule>(reduced<Op, without_teams_t<S>, P>{op, unbound(source), seed},
                                     {});
  }

  /// Of a map that nothing else reads.
  template <typename Op, typename Map, typename P>
  [[nodiscard, gnu::always_inline]] static auto reduce_once(
      const Op& op, const pending_map<Map, ByLanes, row_thread>& source, const P& seed) {
    using schedule = std::conditional_t<ByLanes, schedule::cooperative<>, schedule::sequential<>>;
    return value_in_thread<schedule>(reduced<Op, Map, P>{op, source.expression(), seed}, {});
  }
};

/// Whether rows are windows that begin beside each other, of so few elements that all of a
/// program's loops are written out: then the loop over the windows is vectorised.
template <typename S>
inline constexpr bool is_short_window_v = false;
template <typename S, constant_number Length>
inline constexpr bool is_short_window_v<windowed_sequence<S, Length, unit_stride>> =
    Length::value <= longest_written_out_in_order;
template <typename E>
inline constexpr bool has_written_out_rows_v = false;
template <typename F, typename... S>
inline constexpr bool has_written_out_rows_v<transformed_sequence<F, S...>> =
    ((is_short_window_v<S> || !nested<S>) && ...) && (nested<S> || ...);

/// `e` itself, or where it is the map of a row program, the one for a thread of the host.
template <bool ByLanes, typename E>
[[nodiscard]] constexpr decltype(auto) on_host(const E& e) {
  if constexpr (ndp::detail::is_map_of_programs_v<E>) {
    return ndp::detail::with_team<row_thread<ByLanes && !has_written_out_rows_v<E>, E>>(e);
  } else {
    return (e);
  }
}

/// What a schedule of map > row program says of the map whose elements are the programs' results:
/// rows of elements, for which the inner level says how they are assigned, or values.
template <typename Schedule, typename E>
struct row_program_schedule {
  using type = Schedule;
};
template <template <typename> typename Outer, typename Inner, typename E>
  requires(ndp::detail::is_map_of_programs_v<E> &&
           schedule::kind_v<Inner> == schedule::kind::cooperative)
struct row_program_schedule<Outer<Inner>, E> {
  using type = Outer<std::conditional_t<nested_node<E>, schedule::independent<>, schedule::none>>;
};
template <typename Schedule, typename E>
using row_program_schedule_t = typename row_program_schedule<Schedule, E>::type;

}  // namespace fettle::ndp::host::detail
