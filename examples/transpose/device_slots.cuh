// The permutation of slots.hpp on a GPU: warps follow chains of slots.
#pragma once

#include "device_launch.cuh"
#include "slots.hpp"

namespace transpose::device {

/// What a thread moves of a slot.
using word = uint4;

/// Words that a thread has loaded and not yet stored. Where the next ones lie is computed, so that
/// their loads need not wait for each other.
constexpr int words_ahead = 4;

/// A thread saves a word of a head; a slot has 2^shift words.
template <bool ToLines>
__global__ void save_heads_kernel(const word* data, slot_chains<ToLines> chains, number shift,
                                  word* saved) {
  const number k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= chains.heads << shift) return;
  const number offset = k & ((number{1} << shift) - 1);
  saved[k] = data[(chains.head(k >> shift) << shift) + offset];
}

/// Moves one word of every slot of a chain, or of a cycle, by a thread. It ends at a slot of which
/// is_kept(slot) says that its old words are kept, kept(slot) being this one, and which others may
/// have overwritten.
template <bool ToLines, class IsKept, class Kept>
__device__ void follow_chain(const slot_chains<ToLines>& chains, number first, number words,
                             word* data, const IsKept& is_kept, const Kept& kept) {
  number to = first;
  number from = chains.source(to);
  for (;;) {
    number target[words_ahead];
    word carried[words_ahead];
    int count = 0;
    bool ends = false;
#pragma unroll
    for (int s = 0; s < words_ahead; ++s) {
      if (ends) continue;
      ends = is_kept(from);
      carried[s] = ends ? kept(from) : data[from * words];
      target[s] = to;
      count = s + 1;
      to = from;
      from = chains.source(to);
      ends = ends || from == no_slot;
    }
#pragma unroll
    for (int s = 0; s < words_ahead; ++s)
      if (s < count) data[target[s] * words] = carried[s];
    if (ends) return;
  }
}

/// How the threads of the kernel below are divided: first those that follow chains, each for one
/// word of the slots; then warps that look for cycles without a head among 32 slots, and move one
/// piece, of at most 32 words, of those that they find.
struct chain_threads {
  number words;   ///< of a slot: a power of two
  number pieces;  ///< of a slot
  number following;

  template <bool ToLines>
  chain_threads(const slot_chains<ToLines>& chains, number words_of_slot)
      : words(words_of_slot),
        pieces((words + 31) / 32),
        following((chains.count() * words + 31) / 32 * 32) {}
};

/// Neighbouring threads move neighbouring words.
template <bool ToLines>
__global__ void follow_chains_kernel(word* data, slot_chains<ToLines> chains, chain_threads threads,
                                     const word* saved) {
  const number thread = blockIdx.x * blockDim.x + threadIdx.x;
  const number words = threads.words;
  if (thread < threads.following) {
    const number chain = thread / words;
    if (chain >= chains.count()) return;
    const number first = chains.first(chain);
    if (first == no_slot) return;
    const word* const kept = saved + thread % words;
    follow_chain(
        chains, first, words, data + thread % words, [&](number i) { return chains.is_head(i); },
        [&](number i) { return kept[(i >> chains.distance) * words]; });
    return;
  }
  const number warp = (thread - threads.following) / 32;
  const number lane = threadIdx.x % 32;
  const number slot = warp / threads.pieces * 32;  // the first of 32
  const number offset = warp % threads.pieces * 32 + lane;
  const bool leads = slot + lane < chains.layout.slots && chains.leads_cycle(slot + lane);
  for (unsigned leaders = __ballot_sync(~0U, leads); leaders != 0; leaders &= leaders - 1) {
    if (offset >= words) continue;
    const number leader = slot + __ffs(leaders) - 1;
    const word kept = data[leader * words + offset];
    follow_chain(
        chains, leader, words, data + offset, [&](number i) { return i == leader; },
        [&](number) { return kept; });
  }
}

constexpr unsigned chain_block = 256;

/// Saves the heads; `element` is an element's size.
template <bool ToLines>
void save_heads(const slot_chains<ToLines>& chains, const void* data, void* saved,
                std::size_t element) {
  number shift = chains.layout.shift;
  for (std::size_t size = element; size < sizeof(word); size *= 2) --shift;
  save_heads_kernel<<<blocks_for(std::size_t{chains.heads} << shift, chain_block), chain_block>>>(
      static_cast<const word*>(data), chains, shift, static_cast<word*>(saved));
}

/// Permutes the slots, the heads being saved.
template <bool ToLines>
void follow_chains(const slot_chains<ToLines>& chains, void* data, const void* saved,
                   std::size_t element) {
  const std::size_t bytes = chains.layout.length * element;
  const chain_threads threads(chains, static_cast<number>(bytes / sizeof(word)));
  const std::size_t size =
      threads.following + (std::size_t{chains.layout.slots} + 31) / 32 * 32 * threads.pieces;
  follow_chains_kernel<<<blocks_for(size, chain_block), chain_block>>>(
      static_cast<word*>(data), chains, threads, static_cast<const word*>(saved));
}

}  // namespace transpose::device
