// The decomposition for arrays of few columns: whole rows move, and steps 1, 2 and the rotation of
// step 3 become one pass over the rows, because none of them moves an element by more than 2 n
// rows.
#pragma once

#include "../spmv/threads.hpp"
#include "decomposition.hpp"

namespace transpose {

/// The most columns for which a window of 2 n rows fits into a core's cache.
inline constexpr index most_skinny = 64;

namespace detail {

/// The rows of one thread, with a copy of those beside them that another thread may overwrite.
template <class Value>
class row_window {
 public:
  /// `first_copied` is the first of the 2 n copied rows; it may lie outside [0, m).
  row_window(const Value* data, const decomposition& d, index first_copied)
      : data_(data), d_(d), first_(first_copied) {
    copied_.resize(static_cast<std::size_t>(2 * d.n * d.n));
    for (index r = 0; r < 2 * d.n; ++r)
      std::copy_n(data + wrapped(first_copied + r) * d.n, d.n,
                  &copied_[static_cast<std::size_t>(r * d.n)]);
  }

  index wrapped(index row) const { return ((row % d_.m) + d_.m) % d_.m; }

  /// Row `row` as it was, which is either one of the thread's or a copied one.
  const Value* operator[](index row) const {
    return row >= first_ && row < first_ + 2 * d_.n
               ? &copied_[static_cast<std::size_t>((row - first_) * d_.n)]
               : data_ + row * d_.n;
  }

 private:
  const Value* data_;
  const decomposition& d_;
  index first_;
  std::vector<Value> copied_;
};

inline index power_of_two_from(index least) {
  index power = 1;
  while (power < least) power *= 2;
  return power;
}

/// Calls pass(first row, last row, window) for each thread's rows once all windows are copied.
template <class Value, class Pass>
void pass_over_rows(Value* data, const decomposition& d, bool copies_behind, bool parallel,
                    const Pass& pass) {
#pragma omp parallel if (parallel)
  {
    const index threads = spmv::team_size();
    const index thread = spmv::this_thread();
    const index first = d.m * thread / threads;
    const index last = d.m * (thread + 1) / threads;
    const row_window<Value> window(data, d, copies_behind ? last : first - 2 * d.n);
#pragma omp barrier
    if (first < last) pass(first, last, window);
  }
}

template <class Value>
void forward_pass(Value* data, const decomposition& d, bool parallel) {
  const index mask = power_of_two_from(d.n) - 1;
  pass_over_rows(data, d, true, parallel, [&](index first, index last, const auto& window) {
    std::vector<Value> ring(static_cast<std::size_t>((mask + 1) * d.n));
    const auto shuffled = [&](index i) {
      return &ring[static_cast<std::size_t>((i & mask) * d.n)];
    };
    const auto shuffle = [&](index i) {
      Value* const row = shuffled(i);
      index j_rotated = 0;  // j / b
      index until = d.b;
      const Value* from = window[i];
      d.for_each_destination(window.wrapped(i), [&](index j, index column) {
        if (j == until) {
          from = window[i + ++j_rotated];
          until += d.b;
        }
        row[column] = from[j];
      });
    };
    for (index i = first; i < first + d.n - 1; ++i) shuffle(i);
    for (index r = first; r < last; ++r) {
      shuffle(r + d.n - 1);
      for (index j = 0; j < d.n; ++j) data[r * d.n + j] = shuffled(r + j)[j];
    }
  });
}

template <class Value>
void backward_pass(Value* data, const decomposition& d, bool parallel) {
  const index mask = power_of_two_from(std::max<index>(d.c, 1)) - 1;
  pass_over_rows(data, d, false, parallel, [&](index first, index last, const auto& window) {
    std::vector<Value> ring(static_cast<std::size_t>((mask + 1) * d.n));
    const auto restored = [&](index i) {
      return &ring[static_cast<std::size_t>((i & mask) * d.n)];
    };
    const auto restore = [&](index i) {
      Value* const row = restored(i);
      d.for_each_destination(window.wrapped(i),
                             [&](index j, index column) { row[j] = window[i - column][column]; });
    };
    for (index i = last - 1; i > last - d.c; --i) restore(i);
    for (index r = last; r-- > first;) {
      restore(r - (d.c - 1));
      for (index j = 0, rotated = 0; rotated < d.c; ++rotated)
        for (const index end = j + d.b; j < end; ++j) data[r * d.n + j] = restored(r - rotated)[j];
    }
  });
}

/// Row i becomes row q(i), or (Back) row q(i) becomes row i, cycle by cycle.
template <bool Back, class Value>
void permute_rows(Value* data, const decomposition& d) {
  std::vector<bool> is_moved(static_cast<std::size_t>(d.m));
  std::array<Value, most_skinny> kept;
  const auto row = [&](index i) { return data + i * d.n; };
  for (index leader = 0; leader < d.m; ++leader) {
    if (is_moved[static_cast<std::size_t>(leader)]) continue;
    is_moved[static_cast<std::size_t>(leader)] = true;
    index from = d.permuted_row(leader);
    if (from == leader) continue;
    for (index j = 0; j < d.n; ++j) kept[static_cast<std::size_t>(j)] = row(leader)[j];
    index last_of_cycle = leader;
    for (index i = leader; from != leader; i = from, from = d.permuted_row(i)) {
      is_moved[static_cast<std::size_t>(from)] = true;
      if constexpr (Back) {
        for (index j = 0; j < d.n; ++j) std::swap(kept[static_cast<std::size_t>(j)], row(from)[j]);
      } else {
        for (index j = 0; j < d.n; ++j) row(i)[j] = row(from)[j];
      }
      last_of_cycle = from;
    }
    Value* const last = row(Back ? leader : last_of_cycle);
    for (index j = 0; j < d.n; ++j) last[j] = kept[static_cast<std::size_t>(j)];
  }
}

}  // namespace detail

/// c2r for few columns. Precondition: n <= most_skinny.
template <class Value>
void skinny_c2r(Value* data, index m, index n) {
  if (m <= 1 || n <= 1) return;
  const decomposition d{m, n};
  const bool parallel = m * n >= least_parallel;
  detail::forward_pass(data, d, parallel);
  detail::permute_rows<false>(data, d);
}

/// r2c for few rows. Precondition: m <= most_skinny.
template <class Value>
void skinny_r2c(Value* data, index m, index n) {
  if (m <= 1 || n <= 1) return;
  const decomposition d{n, m};
  const bool parallel = m * n >= least_parallel;
  detail::permute_rows<true>(data, d);
  detail::backward_pass(data, d, parallel);
}

}  // namespace transpose
