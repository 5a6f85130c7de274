// The model files of rank 0 on every rank: one read of a shared file system, and the same model
// everywhere, also where a tuner replaces it meanwhile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mpi.h>
#include <stdexcept>
#include <stdlib.h>
#include <string>
#include <vector>

/// A folder of this rank with the models, removed with the object. Where rank 0 finds none, it is
/// empty, and every rank runs the default variants.
class broadcast_models {
 public:
  /// All ranks of `ranks` call this; `directory` counts on rank 0 alone.
  broadcast_models(const std::filesystem::path& directory, MPI_Comm ranks) {
    int rank = 0;
    MPI_Comm_rank(ranks, &rank);
    std::string all = rank == 0 ? packed(directory) : std::string();
    std::uint64_t size = all.size();
    MPI_Bcast(&size, 1, MPI_UINT64_T, 0, ranks);
    all.resize(size);
    MPI_Bcast(all.data(), static_cast<int>(size), MPI_CHAR, 0, ranks);
    std::string pattern = (std::filesystem::temp_directory_path() / "models-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
    folder_ = pattern;
    unpack(all);
  }
  broadcast_models(const broadcast_models&) = delete;
  broadcast_models& operator=(const broadcast_models&) = delete;
  ~broadcast_models() { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return folder_.string(); }

 private:
  // Each file is its name, a line end, its size in digits, a line end, and its bytes.
  static std::string packed(const std::filesystem::path& directory) {
    std::string all;
    if (!std::filesystem::is_directory(directory)) return all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      all += std::filesystem::relative(entry.path(), directory).string() + '\n' +
             std::to_string(text.size()) + '\n' + text;
    }
    return all;
  }

  void unpack(const std::string& all) const {
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t name_end = all.find('\n', at);
      const std::size_t size_end = all.find('\n', name_end + 1);
      const std::size_t size = std::stoull(all.substr(name_end + 1, size_end - name_end - 1));
      const std::filesystem::path file = folder_ / all.substr(at, name_end - at);
      std::filesystem::create_directories(file.parent_path());
      std::ofstream(file, std::ios::binary) << all.substr(size_end + 1, size);
      at = size_end + 1 + size;
    }
  }

  std::filesystem::path folder_;
};
