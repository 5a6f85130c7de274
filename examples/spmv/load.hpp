// From a name on the command line to a matrix in all its formats.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "generate_by_name.hpp"
#include "matrix_market.hpp"
#include "sparse_matrix.hpp"

namespace spmv {

/// `name` is a Matrix Market file (plain or .xz) or a "generate:..." description. Throws
/// std::exception with a message that quotes the name.
inline sparse_matrix load(const std::string& name) {
  return with_all_formats(name.starts_with(generated_prefix) ? generate_by_name(name)
                                                             : read_matrix_market(name));
}

/// The name itself, or for a folder the matrices in it (*.mtx, *.mtx.xz), smallest file first.
/// Throws std::runtime_error for a folder without any.
inline std::vector<std::string> matrices_at(const std::string& name) {
  namespace fs = std::filesystem;
  if (name.starts_with(generated_prefix) || !fs::is_directory(name)) return {name};
  std::vector<std::pair<std::uintmax_t, std::string>> found;
  for (const auto& file : fs::directory_iterator(name))
    if (const std::string path = file.path().string();
        path.ends_with(".mtx") || path.ends_with(".mtx.xz"))
      found.emplace_back(file.file_size(), path);
  if (found.empty()) throw std::runtime_error(name + ": the folder holds no .mtx or .mtx.xz file");
  std::sort(found.begin(), found.end());
  std::vector<std::string> paths;
  for (auto& [size, path] : found) paths.push_back(std::move(path));
  return paths;
}

/// The vector that matrices are multiplied with: the same values each time, no two alike nearby.
inline std::vector<double> some_vector(index size) {
  random_numbers random(42);
  std::vector<double> x(static_cast<std::size_t>(size));
  for (double& value : x) value = 0.5 + random.unit();
  return x;
}

}  // namespace spmv
