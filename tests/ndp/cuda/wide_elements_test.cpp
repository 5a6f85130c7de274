// Structures that are read by wide accesses, on the host: which they are, and that they and what is
// made of them stay the same, wherever they begin.
#include <array>
#include <cstddef>
#include <new>
#include <vector>

#include <fettle/ndp/cuda/block/wide_elements.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/window.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace cuda = fettle::ndp::cuda::detail;
using ndp::index_t;

namespace {

struct quad {
  float x[4];
};
struct nine {
  float x[9];
};
struct pair {
  float x;
  int i;
};
struct quaternion {
  double w, x, y, z;
};
struct alignas(16) aligned {
  float x[4];
};
struct sum_of_quad {
  float operator()(const quad& q) const { return q.x[0] + q.x[1] + q.x[2] + q.x[3]; }
};
struct part_of_quad {
  const float& operator()(const quad& q) const { return q.x[0]; }
};
struct first_of_quad {
  const float& operator()(quad& q) const { return q.x[0]; }
};

static_assert(cuda::is_narrow_structure_v<quad>);
static_assert(cuda::is_narrow_structure_v<quaternion>);
static_assert(!cuda::is_narrow_structure_v<nine>);     // no access is wider than four bytes
static_assert(!cuda::is_narrow_structure_v<pair>);     // a packet's
static_assert(!cuda::is_narrow_structure_v<aligned>);  // compilers do it
static_assert(!cuda::is_narrow_structure_v<double>);

using quads = ndp::sequence<quad>;
using indices = ndp::sequence<const int>;
static_assert(cuda::has_narrow_structures_v<ndp::transformed_sequence<sum_of_quad, quads>>);
// A function that needs the element itself, or yields a part of it, gets it.
static_assert(!cuda::has_narrow_structures_v<ndp::transformed_sequence<part_of_quad, quads>>);
static_assert(!cuda::has_narrow_structures_v<ndp::transformed_sequence<first_of_quad, quads>>);
static_assert(!cuda::has_narrow_structures_v<ndp::gathered_sequence<indices, indices>>);

}  // namespace

TEST_CASE("structures are the same however widely they are read") {
  constexpr std::size_t count = 8;
  constexpr std::array<int, 5> at = {7, 0, 3, 3, 1};
  for (const std::size_t shift : {std::size_t{0}, sizeof(float)}) {
    CAPTURE(shift);
    alignas(16) std::array<std::byte, (count + 1) * sizeof(quad)> memory{};
    auto* const begin = reinterpret_cast<quad*>(memory.data() + shift);
    for (std::size_t i = 0; i < count; ++i) {
      const auto x = static_cast<float>(i);
      new (begin + i) quad{{x, x + 10, x + 20, x + 30}};
    }
    const quads all(begin, count);
    const auto gathered = ndp::gather(all, indices(at.data(), 5));
    const auto sums = ndp::map(sum_of_quad{}, ndp::subsequence(gathered, 1, 4));
    std::vector<float> found;
    bool is_wide = false;
    cuda::with_wide_elements(sums, [&]<typename S>(const S& s) {
      is_wide = !std::is_same_v<S, std::remove_const_t<decltype(sums)>>;
      for (index_t i = 0; i < s.size(); ++i) found.push_back(s[i]);
    });
    REQUIRE(is_wide == (shift == 0));
    REQUIRE(found == std::vector<float>{60, 72, 72, 64});
  }
}
