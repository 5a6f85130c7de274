// Checks one realisation of an expression, where all of them would make the program too large; and
// the integers of every width, of which that is true.
#pragma once

#include <cstdint>
#include <vector>

#include <fettle/core/type_list.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

using integers = fettle::type_list<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                   std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;

/// What execute(e, room, by_hand...) leaves in room for `expected`, which it has to be.
template <typename E, typename T, typename... ByHand>
void check_one(const E& e, const std::vector<T>& expected, const ByHand&... by_hand) {
  data<T> result = room_for<T>(static_cast<index_t>(expected.size()));
  fettle::ndp::execute(e, result.write(), tested_platform{}, by_hand...);
  REQUIRE(result.values() == with_margin(expected));
  ++checked_realisations.realisations;
}

}  // namespace ndp_test
