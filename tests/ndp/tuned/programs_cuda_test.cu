// Training on a GPU: a program and shards that have a CUDA runtime of their own each.
#include <string>

#include "ndp/tuned/run_program.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace {

const std::string program = TRAINING_CUDA " 2000 8 skewed";
const std::string both_shards = SHARD_1_CUDA ":" SHARD_2_CUDA;

}  // namespace

TEST_CASE("kernels of shards run on the program's memory and stream, and agree with the default") {
  const test::trained seen = test::train("spmv.tested", both_shards, program);
  INFO(seen.output);
  CHECK(seen.status == 0);
  CHECK(seen.count(
            R"("variants":["default","independent>sequential block_size_x=128","flattened"])") ==
        1);
  CHECK(seen.count(R"("unit":"returned")") == 1);
  CHECK(seen.count(R"("variant":"default","event":"sample")") > 0);
  CHECK(seen.count(R"("variant":"independent>sequential block_size_x=128","event":"sample")") > 0);
  CHECK(seen.count(R"("variant":"flattened","event":"sample")") > 0);
  CHECK(seen.count(R"("event":"end")") == 1);
  CHECK(seen.count("failed") == 0);
}

TEST_CASE("a value is waited for in shards too") {
  const test::trained seen = test::train("total.tested", both_shards, program);
  INFO(seen.output);
  CHECK(seen.status == 0);
  CHECK(seen.count(R"("variants":["default","sequential"])") == 1);
  CHECK(seen.count(R"("variant":"sequential","event":"sample")") > 0);
  CHECK(seen.count("failed") == 0);
}
