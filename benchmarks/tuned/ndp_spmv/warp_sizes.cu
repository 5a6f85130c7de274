// Sparse matrix times vector by logical warps of 2 to 32 threads, and by blocks of several sizes
// (TACO 2016, figure 6): schedule independent>cooperative, a logical warp a row, all other
// parameters at their defaults. Beside them the default rule, which chooses by the rows' lengths.
//
//   warp_sizes [--measure] INPUT...     inputs: see matrix.hpp
#include <string>
#include <utility>

#include <fettle/ndp/shape/inspect_rows.hpp>

#include "../../common/ndp/computations.hpp"
#include "../common/bench.hpp"
#include "matrix.hpp"

namespace ndp_tuned {
namespace {

using examples::read_only;

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
  const fb::csr a = make_matrix(text);
  const std::vector<std::int32_t> expected = fb::serial_product(a);
  const auto some = [](fb::index count, std::uint64_t seed) {
    return fb::small_integers<double>(static_cast<std::size_t>(count), seed);
  };
  const auto values = examples::copy_to(b.on, some(a.nonzeros(), fb::values_seed));
  const auto columns = examples::copy_to(b.on, a.columns);
  const auto offsets = examples::copy_to(b.on, a.offsets);
  const auto x = examples::copy_to(b.on, some(a.columns_count, fb::vector_seed));
  examples::vector_on<platform_type, double> y(expected.size());
  const ndp::row_statistics known =
      ndp::inspect_rows(ndp::nest(read_only(values), read_only(offsets)), b.on);
  const auto product = fb::sparse_product(read_only(values), read_only(columns), read_only(offsets),
                                          read_only(x), known);
  const auto to = ndp::make_sequence(y);
  fb::comparison c{{"warp_sizes", text, "double", a.rows(), a.nonzeros(),
                    a.least_bytes(sizeof(double)), a.generated},
                   {{our_name, fb::kind::ours, [&] { ndp::execute(product, to, b.on); }}},
                   [&] { poison(y); },
                   [&] { return holds(y, expected); }};
  add_lanes<128>(c.contenders, std::integer_sequence<int, 2, 4, 8, 16, 32>{}, b.on, product, to);
  add_blocks<4>(c.contenders, std::integer_sequence<int, 32, 64, 256, 512, 1024>{}, b.on, product,
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
