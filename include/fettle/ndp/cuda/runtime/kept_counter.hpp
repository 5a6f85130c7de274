// kept_counter: what the blocks of a kernel share in device memory: a counter, some room, and a
// queue. All but the room is zero before a kernel and zero after it.
#pragma once

#include <cstddef>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

inline constexpr std::size_t stream_room_bytes = 32768;
inline constexpr std::size_t stream_queue_bytes = 40960;

struct stream_counter {
  unsigned long long tally;
  unsigned int arrived;
  unsigned int second_tally;
};
struct alignas(128) stream_room {
  unsigned char bytes[stream_room_bytes];
};
struct alignas(128) stream_queue {
  unsigned char bytes[stream_queue_bytes];
};
struct kept_counter {
  alignas(128) stream_counter counter;
  stream_room room;
  stream_queue queue;
};

}  // namespace fettle::ndp::cuda::detail
