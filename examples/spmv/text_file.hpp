// Reads a whole file, plain or xz-compressed, into memory.
#pragma once

#include <array>
#include <cstdio>
#include <lzma.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace spmv {
namespace detail {

inline std::string xz_problem(lzma_ret code) {
  switch (code) {
    case LZMA_MEM_ERROR:
      return "not enough memory to decompress it";
    case LZMA_MEMLIMIT_ERROR:
      return "decompressing it needs more than 1 GiB of memory";
    case LZMA_DATA_ERROR:
      return "its compressed data are damaged; fetch the file again";
    case LZMA_OPTIONS_ERROR:
      return "it uses xz options that this liblzma does not know";
    case LZMA_BUF_ERROR:
      return "its compressed data end too early; fetch the file again";
    default:
      return "liblzma could not decompress it (code " + std::to_string(code) + ")";
  }
}

}  // namespace detail

/// Decompresses xz data. Throws std::runtime_error naming `name` where they are damaged, truncated
/// or larger than `most_bytes` when decompressed.
inline std::string decompress_xz(std::string_view data, const std::string& name,
                                 std::size_t most_bytes = std::size_t{1} << 33) {
  constexpr std::uint64_t memory_limit = std::uint64_t{1} << 30;
  lzma_stream stream = LZMA_STREAM_INIT;
  const std::unique_ptr<lzma_stream, decltype(&lzma_end)> closer(&stream, &lzma_end);
  lzma_ret code = lzma_stream_decoder(&stream, memory_limit, LZMA_CONCATENATED);
  stream.next_in = reinterpret_cast<const std::uint8_t*>(data.data());
  stream.avail_in = data.size();
  std::string text;
  std::array<char, 1 << 16> piece;
  while (code == LZMA_OK) {
    stream.next_out = reinterpret_cast<std::uint8_t*>(piece.data());
    stream.avail_out = piece.size();
    code = lzma_code(&stream, LZMA_FINISH);
    text.append(piece.data(), piece.size() - stream.avail_out);
    if (text.size() > most_bytes)
      throw std::runtime_error(
          name + ": more than " + std::to_string(most_bytes) +
          " bytes when decompressed; this is not a matrix file for this example");
  }
  if (code != LZMA_STREAM_END) throw std::runtime_error(name + ": " + detail::xz_problem(code));
  return text;
}

/// The bytes of the file, decompressed where it starts with xz's magic number (whatever its name).
/// Throws std::runtime_error naming the file where it cannot be read.
inline std::string read_text_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) throw std::runtime_error(path + ": cannot be opened; is the path right?");
  std::string bytes;
  std::array<char, 1 << 16> piece;
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), file.get()))
    bytes.append(piece.data(), count);
  if (std::ferror(file.get()) != 0)
    throw std::runtime_error(path + ": cannot be read; is it a folder?");
  if (bytes.starts_with(std::string_view("\xFD"
                                         "7zXZ\0",
                                         6)))
    return decompress_xz(bytes, path);
  return bytes;
}

}  // namespace spmv
