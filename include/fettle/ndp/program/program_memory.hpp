// program_memory: the one allocation of a program's intermediate results, on a platform of the
// host. A platform that has its own memory says so in its trait (`program_memory`).
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/program/memory_plan.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// Of the host; not touched before the computations write to it.
class host_program_memory {
 public:
  template <typename Platform>
  host_program_memory(const Platform& /*on*/, const computation& /*named*/, std::size_t bytes,
                      const std::vector<result_range>& /*results*/)
      : data_(bytes == 0 ? nullptr : ::operator new(bytes, alignment)) {}

  [[nodiscard]] void* data() const noexcept { return data_.get(); }

 private:
  static constexpr std::align_val_t alignment{result_alignment};
  struct give_back {
    void operator()(void* data) const noexcept { ::operator delete(data, alignment); }
  };
  std::unique_ptr<void, give_back> data_;
};

/// How the computations of a program are started: on a platform that has nothing better, one after
/// the other.
class plain_start {
 public:
  template <typename Platform, typename Run>
  void operator()(const Platform& on, const computation& /*named*/, const Run& run) {
    run(on);
  }
};

template <typename Platform>
struct program_support {
  using memory = host_program_memory;
  using start = plain_start;
};
template <typename Platform>
  requires requires { typename platform_traits<Platform>::program_memory; }
struct program_support<Platform> {
  using memory = typename platform_traits<Platform>::program_memory;
  using start = typename platform_traits<Platform>::program_start;
};

}  // namespace fettle::ndp::detail
