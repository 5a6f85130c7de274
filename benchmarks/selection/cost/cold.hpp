// What a call finds when something else has had the caches in between: nothing of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fettle/core/cache_lines.hpp>

#ifdef __x86_64__
#include <emmintrin.h>
#endif

namespace selection_cost {

using fettle::detail::cache_line;

/// Work that fills the first two levels of the caches; what was there is in the last one, or in
/// memory.
class other_work {
 public:
  explicit other_work(std::size_t bytes = std::size_t{4} << 20) : lines_(bytes / sizeof(line)) {}

  void run() noexcept {
    for (line& one : lines_) ++one.values[0];
    asm volatile("" ::"r"(lines_.data()) : "memory");
  }

 private:
  struct alignas(cache_line) line {
    std::uint64_t values[cache_line / sizeof(std::uint64_t)] = {};
  };
  std::vector<line> lines_;
};

/// What a program reads when it makes a call: its own code, constants and variables, and the heap.
class program_memory {
 public:
  /// As it is now. Libraries, the stack, and large blocks outside the heap are not among it.
  program_memory() {
    std::ifstream maps("/proc/self/maps");
    std::string own;
    for (std::string text; std::getline(maps, text);) {
      std::istringstream words(text);
      range one{};
      char dash = 0;
      std::string access;
      std::string offset;
      std::string device;
      std::string number;
      std::string path;
      words >> std::hex >> one.begin >> dash >> one.end >> access >> offset >> device >> number;
      words >> path;
      if (own.empty()) own = path;  // the program comes first
      // Variables that begin as zeros lie right behind the program, without a name.
      const bool follows = path.empty() && !ranges_.empty() && ranges_.back().end == one.begin;
      if (path == own || path == "[heap]" || follows) ranges_.push_back(one);
    }
  }

  /// Drops every line from all caches. Returns false where the processor has no way to.
  bool flush() const noexcept {
#ifdef __x86_64__
    for (const range& one : ranges_) {
      for (std::uintptr_t at = one.begin; at < one.end; at += cache_line) {
        _mm_clflush(reinterpret_cast<const void*>(at));
      }
    }
    _mm_mfence();
    return true;
#else
    return false;
#endif
  }

 private:
  struct range {
    std::uintptr_t begin;
    std::uintptr_t end;
  };

  std::vector<range> ranges_;
};

}  // namespace selection_cost
