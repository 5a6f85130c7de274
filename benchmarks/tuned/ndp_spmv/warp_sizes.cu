// Sparse matrix times vector by logical warps of 2 to 32 threads, and by blocks of several sizes
// (TACO 2016, figure 6): schedule independent>cooperative, a logical warp a row, all other
// parameters at their defaults. Beside them the default rule, which chooses by the rows' lengths.
//
//   warp_sizes [--measure] INPUT...     inputs: see matrix.hpp
#include <string>
#include <utility>

#include "product.hpp"

namespace ndp_tuned {
namespace {

template <int Block, int Lanes>
inline constexpr ndp::cuda::policy by_lanes{
    .block_size_x = Block,
    .logical_warp_size = Lanes,
    .level = {{}, {.resource = ndp::cuda::execution_resource::warp}}};

template <int Block, int Lanes, typename E, typename D>
[[nodiscard]] fb::contender warps(const platform_type& on, const E& e, const D& y) {
  using by_warps = ndp::schedule::independent<ndp::schedule::cooperative<>>;
  return {"block " + std::to_string(Block) + ", warp " + std::to_string(Lanes), fb::kind::kernel,
          [=] { ndp::execute(e, y, on, by_warps{}, ndp::constant<by_lanes<Block, Lanes>>{}); }};
}

template <int Block, int... Lanes, typename... Arguments>
void add_lanes(std::vector<fb::contender>& all, std::integer_sequence<int, Lanes...> /*each*/,
               const Arguments&... arguments) {
  (all.push_back(warps<Block, Lanes>(arguments...)), ...);
}

template <int Lanes, int... Blocks, typename... Arguments>
void add_blocks(std::vector<fb::contender>& all, std::integer_sequence<int, Blocks...> /*each*/,
                const Arguments&... arguments) {
  (all.push_back(warps<Blocks, Lanes>(arguments...)), ...);
}

void run(bench& b, const std::string& text) {
  matrix_times_vector p{text, b.on};
  const auto computed = p.expression(p.known);
  const auto to = ndp::make_sequence(p.y);
  fb::comparison c = p.comparison("warp_sizes", [&] { ndp::execute(computed, to, b.on); });
  add_lanes<128>(c.contenders, std::integer_sequence<int, 2, 4, 8, 16, 32>{}, b.on, computed, to);
  add_blocks<4>(c.contenders, std::integer_sequence<int, 32, 64, 256, 512, 1024>{}, b.on, computed,
                to);
  b.judge(c);
}

}  // namespace
}  // namespace ndp_tuned

int main(int count, char** values) {
  return ndp_tuned::run_benchmark("warp_sizes", count, values,
                                  "generate:power_law:rows=20000,mean=10,exponent=2.2,seed=1",
                                  ndp_tuned::run);
}
