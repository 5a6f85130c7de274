#include "ndp/execute/program_cases.hpp"
#include "ndp/execute/program_operator_cases.hpp"
#include "ndp/execute/program_pass_cases.hpp"
#include "support/needs_gpu.hpp"

TEST_CASE("rows are reduced in one pass by default where they are known to be short") {
  const data<double> in(made_up<double>(6));
  const data<index_t> begins(std::vector<index_t>{0, 2, 5, 5, 6});
  data<double> sums = room_for<double>(4);
  data<double> total = room_for<double>(1);
  const auto is_one_pass = [&](const ndp::row_statistics& known) {
    tested_program p;
    p.add<"sums", "total">(
        ndp::map(program_row_sum{}, ndp::nest(in.read(), begins.read(), known)), sums.write(),
        [](const auto& values) { return ndp::reduce(ndp::plus{}, values, 0.0); }, total.write());
    return ndp::explain(p).find("in one pass") != std::string::npos;
  };
  CHECK(!is_one_pass({}));
  CHECK(is_one_pass({.longest = 3}));
  CHECK(!is_one_pass({.longest = 1000}));
}
