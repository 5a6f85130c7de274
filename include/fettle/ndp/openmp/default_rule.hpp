// default_rule: how an untuned computation runs on OpenMP.
#pragma once

#include <fettle/ndp/openmp/context.hpp>
#include <fettle/ndp/openmp/in_thread.hpp>
#include <fettle/ndp/openmp/node.hpp>
#include <fettle/ndp/openmp/realise.hpp>
#include <fettle/ndp/schedule.hpp>

namespace fettle::ndp::openmp {

/// Fewer elements than this are realised by the calling thread alone: waking a team costs more.
inline constexpr index_t serial_below = 16384;

template <scalar_reduce_node E>
[[nodiscard]] typename E::value_type value_by_default(const E& e) {
  const policy chosen;
  const context at{&chosen, thread_count(0)};
  if constexpr (team_reducible<E>) {
    if (e.source.size() >= serial_below) return reduce_on_team(at, e);
  }
  return value_in_thread<schedule::cooperative<>>(e, 0);
}

template <typename E, typename D>
void realise_by_default(const E& e, const D& destination) {
  const policy chosen;
  const context at{&chosen, thread_count(0)};
  if constexpr (scalar_reduce_node<E>) {
    store<element_t<D>>(destination[0], value_by_default(e));
  } else if constexpr (elements_node<E> || scatter_node<E>) {
    realise<schedule::independent<schedule::cooperative<>>>(at, e, destination);
  } else {
    realise_in_thread<schedule::cooperative<>>(e, destination, 0);
  }
}

}  // namespace fettle::ndp::openmp
