// A file of sparse patterns, small enough to be carried to another machine, with a reader that
// needs no library. The program matrix_cache writes it from Matrix Market files.
//
// The text "fettle-patterns 1\n", then for each matrix: its name's length and characters, rows,
// columns; the length of each row; the columns of each row, ascending, each less its predecessor
// (the first as it is). Every number is unsigned, seven bits a byte, lowest first, the high bit set
// on all bytes but the last.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "csr.hpp"

namespace fettle_benchmarks {

inline constexpr std::string_view pattern_magic = "fettle-patterns 1\n";

inline void append_number(std::string& out, std::uint32_t number) {
  for (; number >= 128; number >>= 7) out += static_cast<char>(number | 128u);
  out += static_cast<char>(number);
}

inline void append_pattern(std::string& out, const csr& a) {
  append_number(out, static_cast<std::uint32_t>(a.name.size()));
  out += a.name;
  append_number(out, static_cast<std::uint32_t>(a.rows()));
  append_number(out, static_cast<std::uint32_t>(a.columns_count));
  const auto rows = static_cast<std::size_t>(a.rows());
  for (std::size_t r = 0; r < rows; ++r) {
    append_number(out, static_cast<std::uint32_t>(a.offsets[r + 1] - a.offsets[r]));
  }
  for (std::size_t r = 0; r < rows; ++r) {
    index last = 0;
    for (index k = a.offsets[r]; k < a.offsets[r + 1]; ++k) {
      const index column = a.columns[static_cast<std::size_t>(k)];
      append_number(out, static_cast<std::uint32_t>(column - last));
      last = column;
    }
  }
}

/// Reads what append_pattern wrote; std::runtime_error where the bytes end too early or a column
/// lies outside the matrix.
class pattern_reader {
 public:
  pattern_reader(std::string_view bytes, std::string file) : rest_(bytes), file_(std::move(file)) {
    if (!rest_.starts_with(pattern_magic)) fail("is not a file of patterns of this version");
    rest_.remove_prefix(pattern_magic.size());
  }

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  [[nodiscard]] csr next() {
    csr a;
    a.generated = false;
    const std::size_t length = number();
    if (length > rest_.size()) fail("ends in the middle of a name");
    a.name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    const std::size_t rows = number();
    if (rows > rest_.size()) fail("announces more rows than it has bytes");
    a.columns_count = static_cast<index>(number());
    a.offsets.reserve(rows + 1);
    for (std::size_t r = 0; r < rows; ++r) {
      a.offsets.push_back(a.offsets.back() + static_cast<index>(number()));
    }
    if (static_cast<std::size_t>(a.nonzeros()) > rest_.size()) fail("ends in the middle of a row");
    a.columns.reserve(static_cast<std::size_t>(a.nonzeros()));
    for (std::size_t r = 0; r < rows; ++r) {
      index column = 0;
      for (index k = a.offsets[r]; k < a.offsets[r + 1]; ++k) {
        column += static_cast<index>(number());
        if (column < 0 || column >= a.columns_count) fail("has a column outside its matrix");
        a.columns.push_back(column);
      }
    }
    return a;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw std::runtime_error(file_ + " " + what + "; write it anew with matrix_cache");
  }

  std::uint32_t number() {
    std::uint32_t out = 0;
    for (int shift = 0; shift < 32; shift += 7) {
      if (rest_.empty()) fail("ends too early");
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      out |= static_cast<std::uint32_t>(byte & 127u) << shift;
      if (byte < 128) return out;
    }
    fail("holds a number that is too large");
  }

  std::string_view rest_;
  std::string file_;
};

/// All matrices of the file; none where there is no such file.
[[nodiscard]] inline std::vector<csr> read_pattern_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<csr> all;
  for (pattern_reader reader(bytes, path); !reader.at_end();) all.push_back(reader.next());
  return all;
}

}  // namespace fettle_benchmarks
