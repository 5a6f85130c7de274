// Samplesort in place on one thread or several, after Axtmann, Witt, Ferizovic and Sanders,
// "In-place Parallel Super Scalar Samplesort (IPS4o)", ESA 2017: keys are classified by a tree of
// splitters without branches, gathered in a block a bucket, and full blocks are permuted in place.
// Unlike there, the sample is copied, a lock a bucket guards its pointers, one thread fills the
// gaps between the stripes of the threads and moves what protrudes from buckets, and the recursion
// has a stack: O(threads * buckets * block) memory. Keys are compared as integers.
#pragma once

#include <mutex>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "splitters.hpp"

namespace sorting {
namespace detail {

/// One step: orders keys by buckets.
template <class Key>
class distribution {
 public:
  using part = stripe<Key>;

  distribution(Key* keys, std::size_t n, std::span<part> parts)
      : keys_(keys), n_(n), parts_(parts), tree_(keys, n, levels_of(n)) {
    const std::size_t most = round_up((n + parts.size() - 1) / parts.size());
    each(parts.size(), [&](std::size_t k) {
      parts_[k].first = keys + std::min(n, k * most);
      parts_[k].last = keys + std::min(n, (k + 1) * most);
      parts_[k].classify(tree_);
    });
    const auto full = static_cast<std::size_t>(close_gaps() - keys);
    begin_[0] = 0;
    for (std::size_t b = 0; b < buckets(); ++b) {
      begin_[b + 1] = begin_[b];
      for (const part& one : parts_) begin_[b + 1] += one.written[b] + one.filled[b];
      write_[b] = round_up(begin_[b]);
      read_[b] = std::clamp(full, write_[b], round_up(begin_[b + 1]));
    }
    if (parts.size() > 1) locks_ = std::make_unique<std::mutex[]>(buckets());
    each(parts.size(), [&](std::size_t k) { permute(k * buckets() / parts_.size()); });
    move_protruding();
    each(buckets(), [&](std::size_t b) { fill(b); });
  }

  /// Calls sort(first key, number) for the buckets whose keys may differ.
  template <class Sort>
  void sort_buckets(const Sort& sort) const {
    each(buckets(), [&](std::size_t b) {
      if (tree_.repeats() && b % 2 == 1) return;
      Key* const first = keys_ + begin_[b];
      const std::size_t size = begin_[b + 1] - begin_[b];
      if (size == n_)  // whose repetitions the sample has missed
        std::sort(first, first + size, in_order{});
      else
        sort(first, size);
    });
  }

 private:
  static constexpr std::size_t block = part::block;

  std::size_t buckets() const { return tree_.buckets(); }
  static std::size_t round_up(std::size_t n) { return (n + block - 1) / block * block; }

  /// Buckets have about 24 keys after as few steps as possible, which are about equal.
  static unsigned levels_of(std::size_t n) {
    const auto all = static_cast<unsigned>(std::bit_width(n / 24));
    return std::max(1U, all <= 8 ? all : all <= 16 ? (all + 1) / 2 : 8);
  }

  template <class Do>
  void each(std::size_t count, const Do& run) const {
    if (parts_.size() > 1) return tbb::parallel_for(std::size_t{0}, count, run);
    for (std::size_t k = 0; k < count; ++k) run(k);
  }

  /// Moves the last full blocks to where room is before them; the end of the full blocks.
  Key* close_gaps() {
    auto last = parts_.end() - 1;
    for (auto one = parts_.begin(); one != parts_.end(); ++one)
      while (true) {
        while (last > one && last->full == last->first) --last;
        if (last <= one || one->full == one->last) break;
        one->full = std::copy_n(last->full -= block, block, one->full);
      }
    return last->full;
  }

  std::unique_lock<std::mutex> locked(std::size_t b) {
    return locks_ ? std::unique_lock(locks_[b]) : std::unique_lock<std::mutex>();
  }

  /// Takes the last block that was not looked at, swaps it for the first one where it belongs, and
  /// so on until there is room.
  void permute(std::size_t start) {
    std::array<Key, block> one, other;
    Key* held = one.data();
    Key* next = other.data();
    for (std::size_t k = 0; k < buckets(); ++k) {
      const std::size_t own = (start + k) % buckets();
      while (take(own, held))
        for (bool holds = true; holds;) {
          const std::size_t to = tree_.template classify<1>(held)[0];
          auto lock = locked(to);
          const std::size_t at = std::exchange(write_[to], write_[to] + block);
          holds = at < read_[to];
          if (lock) lock.unlock();
          if (holds) std::copy_n(keys_ + at, block, next);
          std::copy_n(held, block, at + block > n_ ? beyond_.data() : keys_ + at);
          std::swap(held, next);
        }
    }
  }

  bool take(std::size_t b, Key* held) {
    const auto lock = locked(b);
    if (write_[b] >= read_[b]) return false;
    std::copy_n(keys_ + (read_[b] -= block), block, held);
    return true;
  }

  /// Moves what has been written behind the end of a bucket to its beginning, before its blocks.
  void move_protruding() {
    for (std::size_t b = 0; b < buckets(); ++b) {
      const std::size_t end = begin_[b + 1];
      read_[b] = begin_[b];
      if (write_[b] <= end || write_[b] == round_up(begin_[b])) continue;
      const Key* from = keys_ + end;
      if (write_[b] > n_) {
        const std::size_t inside = end + block - write_[b];
        std::copy_n(beyond_.data(), inside, keys_ + end - inside);
        from = beyond_.data() + inside;
      }
      std::copy_n(from, write_[b] - end, keys_ + begin_[b]);
      read_[b] += write_[b] - end;
    }
  }

  /// Moves what is in the blocks of the threads to where the bucket has room, before and behind.
  void fill(std::size_t b) {
    const std::size_t end = std::min(round_up(begin_[b]), begin_[b + 1]);
    std::size_t to = read_[b];
    for (const part& one : parts_) {
      const Key* const from = one.blocks.get() + b * block;
      const std::size_t before = to < end ? std::min(one.filled[b], end - to) : 0;
      std::copy_n(from, before, keys_ + to);
      to += before;
      if (before == one.filled[b]) continue;
      if (to == end) to = write_[b];
      std::copy_n(from + before, one.filled[b] - before, keys_ + to);
      to += one.filled[b] - before;
    }
  }

  Key* keys_;
  std::size_t n_;
  std::span<part> parts_;
  splitter_tree<Key> tree_;
  std::array<std::size_t, part::most_buckets + 1> begin_;
  std::array<std::size_t, part::most_buckets> write_;  ///< where the bucket's next block goes
  std::array<std::size_t, part::most_buckets> read_;   ///< the end of blocks not yet looked at
  std::unique_ptr<std::mutex[]> locks_;                ///< of these two
  std::array<Key, block> beyond_;                      ///< a block that the last keys do not fill
};

template <class Key>
void samplesort(Key* keys, std::size_t n, stripe<Key>& own) {
  if (n <= 32) {
    insert_few(keys, keys + n, std::numeric_limits<std::ptrdiff_t>::max());
    return;
  }
  distribution<Key>(keys, n, std::span(&own, 1)).sort_buckets([&](Key* first, std::size_t size) {
    samplesort(first, size, own);
  });
}

template <class Key>
void samplesort(Key* keys, std::size_t n, std::size_t threads,
                tbb::enumerable_thread_specific<stripe<Key>>& own) {
  if (threads == 1 || n < 1 << 16) return samplesort(keys, n, own.local());
  std::vector<stripe<Key>> parts(threads);
  distribution<Key>(keys, n, std::span(parts)).sort_buckets([&](Key* first, std::size_t size) {
    samplesort(first, size, size > n / threads ? threads : 1, own);
  });
}

}  // namespace detail

/// Samplesort, of many keys by all threads of the arena.
template <class Key>
void samplesort(std::vector<Key>& v) {
  tbb::enumerable_thread_specific<detail::stripe<Key>> own;
  detail::samplesort(v.data(), v.size(),
                     static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()), own);
}

}  // namespace sorting
