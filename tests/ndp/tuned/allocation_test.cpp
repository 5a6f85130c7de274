// Choosing an implementation inside execute allocates nothing after the first call.
#include <string>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/tuned.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/model_files.hpp"

namespace ndp = fettle::ndp;

template <>
struct fettle::ndp::tuned_computation<"sums", fettle::ndp::platform::openmp> {
  using tuning_policy = fettle::policy<"sums">;
  using candidates = fettle::ndp::candidate_list<
      fettle::ndp::candidate<fettle::ndp::schedule::independent<>,
                             fettle::ndp::openmp::policy{.num_threads = 1}>,
      fettle::ndp::candidate<fettle::ndp::schedule::sequential<>, fettle::ndp::openmp::policy{}>>;
  template <typename E>
  static constexpr void check() {}
};

namespace {

struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};

}  // namespace

#ifndef TEST_CANNOT_COUNT_ALLOCATIONS
TEST_CASE("calls of a tuned computation allocate nothing after the first one") {
  const test::scratch folder;
  test::split_model model;
  model.function = "sums";
  model.variants = {"default", "independent%20num_threads%3D1", "sequential"};
  model.features = {
      "rows",       "average_row_length",   "elements",     "longest_row", "row_variation",
      "empty_rows", "work_in_longest_rows", "busiest_share"};
  model.below = {1.0, 1.0, 0.0};
  model.above = {1.0, 0.0, 1.0};
  test::write_model(folder.path(), model);
  std::vector<std::string> warnings;
  ndp::set_tuning_options(
      {.model_directory = folder.path(),
       .on_warning = [&](std::string_view text) { warnings.emplace_back(text); }});

  const std::vector<double> values(60, 1.0);
  std::vector<int> offsets{0};
  for (int i = 0; i < 20; ++i) offsets.push_back(offsets.back() + i % 4);
  std::vector<double> sums(20);
  const auto call = [&](ndp::index_t rows) {
    ndp::execute<"sums">(
        ndp::map(row_sum{}, ndp::nest(ndp::make_sequence(values),
                                      ndp::subsequence(ndp::make_sequence(offsets), 0, rows + 1))),
        ndp::make_sequence(sums), ndp::platform::openmp{});
  };
  call(5);
  call(20);
  const std::size_t before = test::allocations;
  for (int round = 0; round < 100; ++round) {
    call(5);
    call(20);
  }
  CHECK(test::allocations == before);
  CHECK(sums[3] == 3.0);
  CHECK(warnings.empty());
}
#endif
