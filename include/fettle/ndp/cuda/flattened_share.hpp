// A block's share of a flattened computation: equal numbers of steps of the merge path, cut again
// into equal runs of steps for the block's threads.
//
// What a thread does between two barriers is one function here, with the thread's number as an
// argument, so that a loop over threads on the host runs the same code as a block (the tests do).
//
//   place_row_ends   ends of the share's rows -> shared memory, counted from the share's first atom
//   walk             each thread finds its run of steps and notes for each atom which row it is in
//   evaluate         atoms -> shared memory, neighbouring threads at neighbouring atoms
//   reduce           each thread combines its atoms in order, row by row
//   (carry)          what threads have of rows that go on is handed from thread to thread, in order
//   finish           the carry is put before the thread's first row end
//   then             all threads write the rows' results, neighbours side by side
#pragma once

#include <bit>
#include <cstdint>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/cuda/flat_row.hpp>
#include <fettle/ndp/cuda/partial_value.hpp>
#include <fettle/ndp/index.hpp>
#include <fettle/ndp/merge_path.hpp>

namespace fettle::ndp::cuda {

/// How many steps a thread takes: `grain` times a base that suits the type, as far as the shared
/// memory of a block goes, and odd, so that threads at that distance use different banks.
[[nodiscard]] constexpr int steps_per_thread(int threads, int grain, std::size_t value_bytes) {
  constexpr std::size_t shared_bytes = 44 * 1024;  // of 48 KiB
  constexpr int most = 31;                         // a bit each, in 32
  const std::size_t step_bytes = value_bytes + 2 * sizeof(std::uint16_t);
  const auto room =
      static_cast<int>(shared_bytes / (step_bytes * static_cast<std::size_t>(threads)));
  const int base = value_bytes <= 8 ? 11 : value_bytes <= 16 ? 7 : 3;
  int steps = base * grain;
  if (steps > most) steps = most;
  if (steps > room) steps = room;
  if (steps < 1) steps = 1;
  return steps % 2 == 0 ? steps - 1 : steps;
}

/// Where a share lies. Its rows are those that end in it; the row after them, number `rows`, goes
/// on in the next share. Atoms count from `first_atom` on.
struct share_bounds {
  index_t first_row;
  index_t first_atom;   // in the shape's flat source
  index_t first_begin;  // where the first row begins, maybe before first_atom
  index_t last_end;     // where the row ends that goes on
  int rows;
  int atoms;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr bool first_row_goes_on() const {
    return first_begin < first_atom;
  }
};

/// The share in which the share's first row began, of shares of `share_steps`; `share` is its own
/// number.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t first_share_of_row(const share_bounds& bounds,
                                                                      index_t share,
                                                                      index_t share_steps) {
  return (share * share_steps - (bounds.first_atom - bounds.first_begin)) / share_steps;
}

/// The shared memory of a block: Threads * Steps steps.
template <typename T, int Threads, int Steps>
struct share_memory {
  static constexpr int steps = Threads * Steps;
  static_assert(steps < 65535, "a share counts its steps in 16 bits");

  alignas(T) unsigned char value_bytes[static_cast<std::size_t>(steps) * sizeof(T)];
  std::uint16_t row_of[steps];
  std::uint16_t row_end[steps + 1];

  /// Atom k's value at k; the result of row i behind all atoms, at atoms + i: as many places as
  /// steps.
  [[nodiscard]] FETTLE_HOST_DEVICE T* values() { return reinterpret_cast<T*>(value_bytes); }
};

/// A thread's run of steps: where it starts, and which of its steps take atoms.
struct thread_steps {
  int row = 0;
  int atom = 0;
  int count = 0;
  std::uint32_t atoms = 0;  // bit i: step i takes an atom; else it ends a row

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr bool takes_atom(int step) const {
    return (atoms >> step & 1U) != 0;
  }
};

/// What a thread has of the first row that ends in its run, and of the row that goes on after it.
template <typename Op, typename T>
struct thread_partials {
  bool ends_row = false;
  partial_value<Op, T> first = partial_value<Op, T>::none();
  partial_value<Op, T> last = partial_value<Op, T>::none();
};

// The rules by which the 32 lanes of a warp hand on what they have of rows that go on. Bit l of
// `ends`: lane l ends a row, so what it hands on starts anew.

/// Whether, in a scan by doubling distances, a lane takes what the lane `distance` before it has.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr bool carry_joins(std::uint32_t ends, int lane,
                                                            int distance) {
  // The lanes after lane - distance up to this one are all in one row.
  if (distance > lane) return false;
  const std::uint32_t between = ((1U << distance) - 1) << (lane - distance + 1);
  return (ends & between) == 0;
}

/// Whether one of the first `lanes` lanes ends a row.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr bool carry_ended(std::uint32_t ends, int lanes) {
  return lanes == 32 ? ends != 0 : (ends & ((1U << lanes) - 1)) != 0;
}

template <typename T, int Threads, int Steps>
struct flattened_share {
  using memory = share_memory<T, Threads, Steps>;

  /// The place of local row `row`, for rows that end here and the one that goes on.
  [[nodiscard]] static FETTLE_HOST_DEVICE row_place place_of(const memory& shared,
                                                             const share_bounds& bounds, int row) {
    return {bounds.first_row + row,
            row == 0 ? bounds.first_begin : bounds.first_atom + shared.row_end[row - 1],
            row == bounds.rows ? bounds.last_end : bounds.first_atom + shared.row_end[row]};
  }

  /// Local atoms of the row that lie in this share: [first, last).
  [[nodiscard]] static FETTLE_HOST_DEVICE int first_atom_of(const memory& shared, int row) {
    return row == 0 ? 0 : shared.row_end[row - 1];
  }

  template <typename Shape>
  static FETTLE_HOST_DEVICE void place_row_ends(memory& shared, const share_bounds& bounds,
                                                const Shape& shape, int thread) {
    for (int i = thread; i < bounds.rows; i += Threads) {
      shared.row_end[i] =
          static_cast<std::uint16_t>(shape.row_begin(bounds.first_row + i + 1) - bounds.first_atom);
    }
    if (thread == 0) shared.row_end[bounds.rows] = 65535;  // behind every atom of the share
  }

  [[nodiscard]] static FETTLE_HOST_DEVICE thread_steps walk(memory& shared,
                                                            const share_bounds& bounds,
                                                            int thread) {
    const int total = bounds.rows + bounds.atoms;
    const int begin = thread * Steps < total ? thread * Steps : total;
    const auto place = find_on_path<int>([&](int i) { return int{shared.row_end[i]}; }, bounds.rows,
                                         bounds.atoms, begin);
    thread_steps out{place.row, place.atom, total - begin < Steps ? total - begin : Steps, 0};
    int row = place.row;
    int atom = place.atom;
    int end = shared.row_end[row];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int i = 0; i < Steps; ++i) {
      if (i < out.count) {
        if (atom < end) {
          shared.row_of[atom] = static_cast<std::uint16_t>(row);
          out.atoms |= 1U << i;
          ++atom;
        } else {
          ++row;
          end = shared.row_end[row];
        }
      }
    }
    return out;
  }

  /// Every atom once, several at a time so that their loads overlap; an atom past the end is taken
  /// for the last one, which keeps the loop free of branches.
  template <bool SameRows, typename E>
  static FETTLE_HOST_DEVICE void evaluate(memory& shared, const share_bounds& bounds, const E& e,
                                          int thread) {
    constexpr int batch = sizeof(T) <= 8 ? 4 : 2;
    for (int k = thread; k < bounds.atoms; k += batch * Threads) {
      T value[batch];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
      for (int j = 0; j < batch; ++j) {
        const int at = k + j * Threads < bounds.atoms ? k + j * Threads : bounds.atoms - 1;
        const row_place place = place_of(shared, bounds, shared.row_of[at]);
        value[j] = atom_of(row_at<SameRows>(e, place), place, bounds.first_atom + at - place.begin);
      }
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
      for (int j = 0; j < batch; ++j) {
        if (k + j * Threads < bounds.atoms) shared.values()[k + j * Threads] = value[j];
      }
    }
  }

  /// The results of rows that lie in one thread's run go straight to their places; `op_of(row)` is
  /// the operator of a local row.
  template <typename Op, typename OpOf>
  [[nodiscard]] static FETTLE_HOST_DEVICE thread_partials<Op, T> reduce(memory& shared,
                                                                        const share_bounds& bounds,
                                                                        const thread_steps& steps,
                                                                        const OpOf& op_of) {
    thread_partials<Op, T> out;
    auto sum = partial_value<Op, T>::none();
    const T* values = shared.values();
    int row = steps.row;
    int atom = steps.atom;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int i = 0; i < Steps; ++i) {
      if (i < steps.count) {
        if (steps.takes_atom(i)) {
          sum.append(op_of(row), values[atom]);
          ++atom;
        } else {
          if (out.ends_row) {
            shared.values()[bounds.atoms + row] = sum.value;
          } else {
            out.first = sum;
            out.ends_row = true;
          }
          sum = partial_value<Op, T>::none();
          ++row;
        }
      }
    }
    out.last = sum;
    return out;
  }

  /// For a scan: every atom of the thread is replaced by what comes before it in its row, starting
  /// with the carry. What a row's first atom gets has no meaning: nothing comes before it.
  template <typename Op, typename OpOf>
  static FETTLE_HOST_DEVICE void scan(memory& shared, const thread_steps& steps,
                                      partial_value<Op, T> carry, const OpOf& op_of) {
    T* values = shared.values();
    int row = steps.row;
    int atom = steps.atom;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int i = 0; i < Steps; ++i) {
      if (i < steps.count) {
        if (steps.takes_atom(i)) {
          const T value = values[atom];
          values[atom] = carry.value;
          carry.append(op_of(row), value);
          ++atom;
        } else {
          carry = partial_value<Op, T>::none();
          ++row;
        }
      }
    }
  }

  /// The first row that ends in the thread's run: what threads before it have, then what it has.
  template <typename Op>
  static FETTLE_HOST_DEVICE void finish(memory& shared, const share_bounds& bounds,
                                        const thread_steps& steps,
                                        const thread_partials<Op, T>& own,
                                        const partial_value<Op, T>& carry, const Op& op) {
    if (own.ends_row) {
      shared.values()[bounds.atoms + steps.row] = joined(op, carry, own.first).value;
    }
  }
};

}  // namespace fettle::ndp::cuda
