// One program of files that were compiled by different flags: each file's kernels are those of its
// own vector instructions, and each file's indices are checked where it says so (core/abi.hpp).
#include <cstdio>
#include <vector>

#include <fettle/core/error.hpp>

#include "part.hpp"

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("failed: %s\n", what);
  ++failures;
}

bool refuses(double (*element)(const std::vector<double>&)) {
  try {
    return element({1.0, 2.0}) != 2.0;
  } catch (const fettle::error&) {  // one type in all files, whatever their flags are
    return true;
  }
}

}  // namespace

int main() {
  const std::vector<double> values(1001, 1.0);
  expect(baseline_part::lanes_of_double() == 2, "16-byte vectors without flags");
  expect(checked_part::lanes_of_double() == 2, "16-byte vectors in the checked file");
  expect(avx_part::lanes_of_double() == 4, "32-byte vectors with -mavx2");
  expect(baseline_part::sum_of(values) == 1001.0, "a sum without flags");
  expect(checked_part::sum_of(values) == 1001.0, "a sum in the checked file");
  if (__builtin_cpu_supports("avx2") != 0) {
    expect(avx_part::sum_of(values) == 1001.0, "a sum with -mavx2");
  }
  expect(!refuses(baseline_part::element_behind_the_end), "indices unchecked without flags");
  expect(refuses(checked_part::element_behind_the_end), "indices checked with FETTLE_CHECKED");
  return failures;
}
