// compare_calls: an operator of Fettle beside calls of CUB and Thrust that write the same results.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "bench.cuh"

namespace ndp_gpu {

/// A contender that writes its results to `to`.
template <typename T>
struct call {
  const char* name;
  std::function<void(T* to)> run;
};

/// A call of CUB's with its memory allocated beforehand: function(memory, bytes, to).
template <typename T, typename Function>
[[nodiscard]] call<T> cub_call(Function function, T* to) {
  std::size_t bytes = 0;
  check(function(nullptr, bytes, to), "CUB's temporary memory");
  const auto memory = std::make_shared<device_array<char>>(bytes);
  return {"cub", [=](T* destination) {
            std::size_t size = memory->size();
            check(function(static_cast<void*>(memory->data()), size, destination), "CUB");
          }};
}

/// `count` numbers in [0, distinct) in runs of `run` on average.
template <typename T>
[[nodiscard]] std::vector<T> numbers_in_runs(fb::index count, double distinct, std::uint64_t run) {
  std::vector<T> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = static_cast<T>(distinct * fb::unit(i / run, 7));
  }
  return all;
}

/// The peers that `peers(array)` makes for the memory `array`; the first one's results are those
/// that the others have to have.
template <typename T, typename Ours, typename Peers>
void compare_calls(bench& b, const fb::input& on, std::size_t results, const Ours& ours,
                   const Peers& peers) {
  const device_array<T> expected(results);
  const device_array<T> out(results);
  const std::vector<call<T>> others = peers(out.data());
  others.front().run(expected.data());
  fb::comparison c{on,
                   {},
                   [&] { out.poison(b.stream); },
                   [&] { return equal(out, expected.data(), results, b.stream); }};
  c.contenders.push_back({"fettle", fb::kind::ours, [&] {
                            ours(ndp::sequence<T>(out.data(), static_cast<ndp::index_t>(results)));
                          }});
  for (const call<T>& one : others) {
    c.contenders.push_back({one.name, fb::kind::peer, [&] { one.run(out.data()); }});
  }
  b.compare(c);
}

}  // namespace ndp_gpu
