// A gather of wide elements by words, on the host, compared with the elements.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/ndp/cuda/block/wide_gather.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace cuda = fettle::ndp::cuda::detail;
using ndp::index_t;

namespace {

struct text {
  std::array<char, 48> letters{};
  friend bool operator==(const text&, const text&) = default;
};

template <typename T>
using gathered = ndp::gathered_sequence<ndp::sequence<const T>, ndp::sequence<const int>>;
template <typename T>
constexpr int words_of = cuda::wide_words_v<gathered<T>, ndp::sequence<T>>;

static_assert(words_of<text> == 3);
static_assert(words_of<double> == 0);
static_assert(words_of<std::array<float, 9>> == 0);
static_assert(words_of<std::array<double, 32>> == 0);

}  // namespace

TEST_CASE("wide elements are gathered word by word") {
  std::vector<text> all(20);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = 0; k < 48; ++k) all[i].letters[k] = static_cast<char>(7 * i + k);
  }
  const std::vector<int> at = {3, 19, 0, 3, 11};
  std::vector<text> out(at.size());
  const auto e = ndp::gather(ndp::sequence<const text>(all.data(), 20),
                             ndp::sequence<const int>(at.data(), 5));
  const ndp::sequence<text> to(out.data(), 5);
  REQUIRE(cuda::has_wide_words(e, to));
  for (index_t k = 0; k < 15; ++k) cuda::copy_wide_word<3>(e, to, k);
  for (std::size_t i = 0; i < at.size(); ++i) {
    CHECK(out[i] == all[static_cast<std::size_t>(at[i])]);
  }
  auto* const between = reinterpret_cast<text*>(reinterpret_cast<char*>(out.data()) + 8);
  CHECK(!cuda::has_wide_words(e, ndp::sequence<text>(between, 4)));
}
