// row_scratch: memory of a thread for what a row program computes of one row, until the next row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Blocks that stay where they are, so that what was taken stays valid; all are free again with the
/// next row.
class row_scratch {
 public:
  [[nodiscard]] static row_scratch& of_thread() {
    thread_local row_scratch scratch;
    return scratch;
  }

  /// All that the thread has taken is free again. (Most rows take nothing, and are as short as the
  /// access to an object that has to be constructed and destroyed.)
  static void begin_row() noexcept {
    if (!is_taken) return;
    is_taken = false;
    row_scratch& own = of_thread();
    own.block_ = 0;
    own.used_ = 0;
  }

  /// Room for `count` values, not initialised.
  template <typename T>
  [[nodiscard]] T* take(std::size_t count) {
    is_taken = true;
    const std::size_t bytes = (count * sizeof(T) + alignment - 1) / alignment * alignment;
    if (block_ == blocks_.size() || used_ + bytes > blocks_[block_].bytes) find_block(bytes);
    auto* const out = reinterpret_cast<std::byte*>(blocks_[block_].lines.get()) + used_;
    used_ += bytes;
    return reinterpret_cast<T*>(out);
  }

 private:
  // Not inlined: rows seldom need another block.
  [[gnu::noinline]] void find_block(std::size_t bytes) {
    while (block_ < blocks_.size() && used_ + bytes > blocks_[block_].bytes) {
      ++block_;
      used_ = 0;
    }
    if (block_ < blocks_.size()) return;
    const std::size_t room = std::max(bytes, first_bytes << blocks_.size());
    blocks_.push_back({std::make_unique_for_overwrite<line[]>(room / sizeof(line)), room});
  }

  static constexpr std::size_t alignment = 64;
  static constexpr std::size_t first_bytes = 16384;
  struct alignas(alignment) line {
    std::byte bytes[alignment];
  };
  struct block {
    std::unique_ptr<line[]> lines;
    std::size_t bytes;
  };

  static inline thread_local constinit bool is_taken = false;

  std::vector<block> blocks_;
  std::size_t block_ = 0;
  std::size_t used_ = 0;
};

}  // namespace fettle::ndp::host::detail
