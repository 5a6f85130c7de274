// How many ascending sequences keys consist of, estimated from a sample.
#pragma once

#include <algorithm>
#include <cstddef>

#include "keys.hpp"

namespace sorting {

/// Pieces of neighbouring keys, evenly spread over all keys.
struct sampling {
  std::size_t pieces;
  std::size_t length;  ///< of a piece

  static sampling of(std::size_t size, std::size_t most_pieces, std::size_t most_length) {
    const std::size_t length = std::min(most_length, size);
    return {length == 0 ? 0 : std::min(most_pieces, size / length), length};
  }
  std::size_t stride(std::size_t size) const { return size / pieces; }
};

/// An estimate of the number of ascending sequences of `size` keys. `key(piece, n)` is a key of the
/// sample. The descents within pieces are scaled up, as those of swapped keys are everywhere,
/// except where the only descent of a piece stays when either key beside it is removed: there two
/// long sequences meet. Such meetings are too rare for scaling; they are counted by the pieces that
/// begin lower than the piece before. Cost: O(size of the sample).
template <class Key>
double estimated_sequences(std::size_t size, const sampling& taken, const Key& key) {
  if (taken.length < 2) return 1;
  const auto falls = [&](std::size_t piece, std::size_t before, std::size_t after) {
    return in_order{}(key(piece, after), key(piece, before));
  };
  std::size_t scattered = 0;
  std::size_t meetings = 0;
  for (std::size_t piece = 0; piece < taken.pieces; ++piece) {
    std::size_t descents = 0;
    std::size_t last = 0;
    for (std::size_t n = 1; n < taken.length; ++n)
      if (falls(piece, n - 1, n)) {
        ++descents;
        last = n;
      }
    const bool is_meeting = descents == 1 && taken.length > 2 &&
                            (last < 2 || falls(piece, last - 2, last)) &&
                            (last + 1 == taken.length || falls(piece, last - 1, last + 1));
    if (!is_meeting) scattered += descents;
    if (piece > 0 && in_order{}(key(piece, 0), key(piece - 1, 0))) ++meetings;
  }
  const double found = 1 + static_cast<double>(meetings) +
                       static_cast<double>(scattered) * static_cast<double>(size - 1) /
                           static_cast<double>(taken.pieces * (taken.length - 1));
  return std::min(found, static_cast<double>(size));
}

}  // namespace sorting
