// arena: where a computation's tasks run.
#pragma once

#include <map>
#include <oneapi/tbb/task_arena.h>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::tbb::detail {

/// The threads of the calling thread's arena, itself included.
[[nodiscard]] inline int arena_threads() noexcept {
  return ::tbb::this_task_arena::max_concurrency();
}

/// work() in an arena of `threads` threads. The calling thread keeps an arena for each number of
/// threads, because making one costs more than a small computation, and other callers' tasks are
/// not to take its threads.
template <typename Work>
decltype(auto) in_arena(int threads, const Work& work) {
  thread_local std::map<int, ::tbb::task_arena> arenas;
  return arenas.try_emplace(threads, threads).first->second.execute(work);
}

}  // namespace fettle::ndp::tbb::detail
