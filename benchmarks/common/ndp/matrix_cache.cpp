// Packs the patterns of Matrix Market files into one small file.
//
//   matrix_cache OUTPUT LEAST_NONZEROS FILE...      files of fewer nonzeros are left out
#include "matrix_cache.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "../../../examples/spmv/matrix_market.hpp"

namespace {

fettle_benchmarks::csr pattern_of(const std::string& path) {
  auto matrix = spmv::read_matrix_market(path);
  const std::string file = std::filesystem::path(path).filename().string();
  return {file.substr(0, file.find(".mtx")), matrix.columns_count, std::move(matrix.row_offsets),
          std::move(matrix.columns), false};
}

}  // namespace

int main(int count, char** arguments) try {
  if (count < 4) {
    std::fprintf(stderr, "usage: %s OUTPUT LEAST_NONZEROS FILE...\n", arguments[0]);
    return 2;
  }
  const long least = std::atol(arguments[2]);
  std::vector<fettle_benchmarks::csr> all;
  for (int i = 3; i < count; ++i) {
    auto one = pattern_of(arguments[i]);
    if (one.nonzeros() >= least) all.push_back(std::move(one));
  }
  // The largest first: what a run that has to end early leaves out are the small ones.
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.nonzeros() > b.nonzeros(); });
  std::string bytes(fettle_benchmarks::pattern_magic);
  for (const auto& one : all) fettle_benchmarks::append_pattern(bytes, one);
  std::ofstream file(arguments[1], std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) {
    std::fprintf(stderr, "%s cannot be written\n", arguments[1]);
    return 1;
  }
  std::printf("%zu matrices, %.1f MiB: %s\n", all.size(),
              static_cast<double>(bytes.size()) / 0x1p20, arguments[1]);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
