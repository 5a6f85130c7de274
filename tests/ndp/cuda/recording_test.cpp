// recording: what replays repeat, and when its memory is given back.
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fettle/ndp/cuda/runtime/recording.hpp>

#include "support/catch.hpp"

namespace detail = fettle::ndp::cuda::detail;
using detail::recorded_arguments;
using detail::recording;
using detail::recording_scope;

namespace {

struct three {
  double x, y, z;
};

}  // namespace

TEST_CASE("arguments are copied, each at an aligned address") {
  char letter = 'a';
  three wide{1, 2, 3};
  int number = 7;
  void* const addresses[] = {&letter, &wide, &number};
  const std::size_t sizes[] = {sizeof letter, sizeof wide, sizeof number};
  recorded_arguments first(addresses, sizes, 3);
  letter = 'b';
  wide.y = 0;
  number = 0;
  recorded_arguments copies = std::move(first);
  CHECK(*static_cast<char*>(copies.addresses()[0]) == 'a');
  CHECK(static_cast<three*>(copies.addresses()[1])->y == 2);
  CHECK(*static_cast<int*>(copies.addresses()[2]) == 7);
  for (int i = 0; i < 3; ++i) {
    const auto address = reinterpret_cast<std::size_t>(copies.addresses()[i]);
    CHECK(address % alignof(std::max_align_t) == 0);
  }
}

TEST_CASE("a replay repeats the steps in their order") {
  std::string done;
  recording its;
  its.add([&done] { done += 'a'; });
  its.add([&done, calls = 0]() mutable { done += static_cast<char>('0' + calls++); });
  CHECK(done.empty());
  its.replay();
  its.replay();
  CHECK(done == "a0a1");
  CHECK(its.steps() == 2);
}

TEST_CASE("memory is released when the recording ends, after its steps") {
  std::vector<int> released;
  const auto releases = [&](int what) {
    return std::shared_ptr<const void>(
        nullptr, [&released, what](const void*) { released.push_back(what); });
  };
  {
    recording its;
    its.keep(releases(1));
    its.add([held = releases(2)] { static_cast<void>(held); });
    its.replay();
    CHECK(released.empty());
  }
  CHECK(released == std::vector<int>{2, 1});
}

TEST_CASE("a thread records while a scope lives, into the innermost one") {
  CHECK(recording::current() == nullptr);
  recording outer;
  recording inner;
  {
    const recording_scope to_outer(outer);
    CHECK(recording::current() == &outer);
    {
      const recording_scope to_inner(inner);
      CHECK(recording::current() == &inner);
    }
    CHECK(recording::current() == &outer);
  }
  CHECK(recording::current() == nullptr);
}
