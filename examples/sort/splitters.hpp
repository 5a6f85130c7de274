// Classification by splitters without branches, the first half of samplesort (samplesort.hpp): a
// tree that is an array, and what one thread makes of its keys with it, blocks of one bucket each.
#pragma once

#include <memory>

#include "algorithms.hpp"

namespace sorting {

namespace detail {

/// Splitters of 2^levels buckets as an implicit tree: node i has the children 2 i and 2 i + 1.
/// Where splitters repeat, odd buckets hold what equals a splitter, and even ones what is between.
template <class Key>
class splitter_tree {
 public:
  using rank = decltype(rank_of(Key{}));

  splitter_tree(const Key* keys, std::size_t n, unsigned levels) : levels_(levels) {
    const std::size_t stride = static_cast<std::size_t>(std::bit_width(n)) / 5;
    const std::size_t leaves = std::size_t{1} << levels;
    std::vector<rank> sample(stride * leaves - 1);
    spmv::random_numbers random(n);
    for (rank& one : sample) one = rank_of(keys[random.below(static_cast<std::int64_t>(n))]);
    std::sort(sample.begin(), sample.end());
    for (std::size_t k = 0; k + 1 < leaves; ++k) upper_[k] = sample[(k + 1) * stride - 1];
    upper_[leaves - 1] = upper_[leaves - 2];  // what comes there is greater
    for (std::size_t k = 1; k + 1 < leaves; ++k) repeats_ |= upper_[k - 1] == upper_[k];
    for (unsigned level = 0; level < levels; ++level)
      for (std::size_t k = 0; k < std::size_t{1} << level; ++k)
        nodes_[(std::size_t{1} << level) + k] = upper_[((2 * k + 1) << (levels - level - 1)) - 1];
  }

  std::size_t buckets() const { return std::size_t{repeats_ ? 2U : 1U} << levels_; }
  bool repeats() const { return repeats_; }

  template <std::size_t Count>
  std::array<std::size_t, Count> classify(const Key* keys) const {
    std::array<std::size_t, Count> bucket;
    bucket.fill(1);
    for (unsigned level = 0; level < levels_; ++level)
      for (std::size_t k = 0; k < Count; ++k)
        bucket[k] = 2 * bucket[k] + (nodes_[bucket[k]] < rank_of(keys[k]) ? 1 : 0);
    for (std::size_t& one : bucket) one -= std::size_t{1} << levels_;
    if (repeats_)
      for (std::size_t k = 0; k < Count; ++k)
        bucket[k] = 2 * bucket[k] + (upper_[bucket[k]] == rank_of(keys[k]) ? 1 : 0);
    return bucket;
  }

 private:
  unsigned levels_;
  bool repeats_ = false;
  std::array<rank, 256> nodes_;
  std::array<rank, 256> upper_;
};

/// The keys that one thread classifies: their full blocks, then room, and a block of each bucket.
template <class Key>
struct stripe {
  static constexpr std::size_t block = 2048 / sizeof(Key);
  static constexpr std::size_t most_buckets = 512;

  Key* first = nullptr;
  Key* last = nullptr;
  Key* full = nullptr;  ///< the end of the full blocks
  std::array<std::size_t, most_buckets> written{};
  std::array<std::size_t, most_buckets> filled{};
  std::unique_ptr<Key[]> blocks = std::make_unique_for_overwrite<Key[]>(most_buckets * block);

  void classify(const splitter_tree<Key>& tree) {
    std::fill_n(written.begin(), tree.buckets(), 0);
    std::fill_n(filled.begin(), tree.buckets(), 0);
    full = first;
    const Key* next = first;
    for (; last - next >= 8; next += 8) put(next, tree.template classify<8>(next));
    for (; next < last; ++next) put(next, tree.template classify<1>(next));
  }

 private:
  template <std::size_t Count>
  void put(const Key* keys, const std::array<std::size_t, Count>& buckets) {
    for (std::size_t k = 0; k < Count; ++k) {
      const std::size_t bucket = buckets[k];
      Key* const mine = blocks.get() + bucket * block;
      mine[filled[bucket]++] = keys[k];
      if (filled[bucket] < block) continue;
      full = std::copy_n(mine, block, full);  // so many keys of the stripe have been taken
      written[bucket] += block;
      filled[bucket] = 0;
    }
  }
};

}  // namespace detail

}  // namespace sorting
