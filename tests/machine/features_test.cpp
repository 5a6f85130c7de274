#include <algorithm>
#include <string>

#include <fettle/machine/gpu_features.hpp>
#include <fettle/machine/measured_features.hpp>
#include <fettle/machine/processor_features.hpp>

#include "support/catch.hpp"

namespace {

double value_of(const fettle::device_features& features, const std::string& name) {
  const auto found =
      std::find_if(features.begin(), features.end(),
                   [&](const fettle::device_feature& one) { return one.name == name; });
  return found == features.end() ? -1 : found->value;
}

}  // namespace

TEST_CASE("the system says what the processor is like") {
  const fettle::device_features features = fettle::processor_features();
  CHECK(value_of(features, "cores") >= 1);
  CHECK(value_of(features, "sockets") >= 1);
  CHECK(value_of(features, "sockets") <= value_of(features, "cores"));
  CHECK(value_of(features, "simd_width_bits") >= 128);
  CHECK(value_of(features, "memory_gib") > 0.1);
}

TEST_CASE("what is measured is positive, and plausible") {
  const fettle::device_features features = fettle::measure_processor(0.2);
  REQUIRE(features.size() == 8);
  for (const fettle::device_feature& one : features) {
    INFO(one.name);
    CHECK(one.value > 0);
  }
  CHECK(value_of(features, "copy_gb_s") < 1e5);
  CHECK(value_of(features, "gather_ns") < 1e5);
  CHECK(value_of(features, "atomic_add_ns") < 1e4);
  CHECK(value_of(features, "fp64_gflops_a_core") < 1e4);
}

TEST_CASE("a GPU has a name and features, or there is none") {
  const fettle::gpu_description gpu = fettle::describe_gpu();
  CHECK(gpu.name.empty() == gpu.features.empty());
  if (!gpu.name.empty()) CHECK(value_of(gpu.features, "cuda_cores") > 0);
  CHECK(fettle::describe_gpu(1000).features.empty());
}
