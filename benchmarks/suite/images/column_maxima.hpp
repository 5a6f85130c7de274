// column_maxima: y[j] = the greatest x[i][j] of column j.
//
// float -> float. In Fettle: map > reduce(maximum) over transpose(split(x, columns)).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct column_maxima {
  static constexpr const char* name = "column_maxima";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::matrices;
  static constexpr bool whole = true;
  using output = float;
  static constexpr double tolerance = 0;

  static auto make(const shape& like) {
    const auto [rows, columns] = like.matrix(4);
    return problem(columns, columns, reals<float>(rows * columns, 5, -1), rows);
  }

  static void reference(view<const float> x, index rows, view<float> y) {
    for (index j = 0; j < y.size(); ++j) {
      y[j] = x[j];
      for (index i = 1; i < rows; ++i) y[j] = maximum{}(y[j], x[i * y.size() + j]);
    }
  }

  /// Row by row: each thread into separate columns, then those together.
  static void loop(view<const float> x, index rows, view<float> y) {
    const index columns = y.size();
    std::vector<std::vector<float>> parts(static_cast<std::size_t>(most_threads()));
    for_each_part(rows, [&](int thread, index first, index last) {
      std::vector<float> own(static_cast<std::size_t>(columns), -3e38f);
      for (index i = first; i < last; ++i) {
        const float* const row = x.data() + i * columns;
        float* const to = own.data();
        for (index j = 0; j < columns; ++j) to[j] = to[j] < row[j] ? row[j] : to[j];
      }
      parts[static_cast<std::size_t>(thread)] = std::move(own);
    });
    std::fill(y.begin(), y.end(), -3e38f);
    for (const auto& part : parts) {
      for (index j = 0; j < size_of(part); ++j) {
        y[j] = maximum{}(y[j], part[static_cast<std::size_t>(j)]);
      }
    }
  }

#ifdef __CUDACC__
  static constexpr const char* threads_name = "a thread a column";
  static void threads(const device& on, view<const float> x, index rows, view<float> y) {
    for_each_thread(on.stream, y.size(), [=] __device__(index j) {
      float greatest = x[j];
      for (index i = 1; i < rows; ++i) greatest = fmaxf(greatest, x[i * y.size() + j]);
      y[j] = greatest;
    });
  }

  /// to[p][j] = the greatest of x[p][j], x[p + parts][j], ...
  static void fold_rows(const device& on, const float* x, index rows, index columns, index parts,
                        float* to) {
    for_each_thread(on.stream, parts * columns, [=] __device__(index k) {
      float all = -3e38f;
      for (index i = k / columns; i < rows; i += parts)
        all = fmaxf(all, x[i * columns + k % columns]);
      to[k] = all;
    });
  }

  static constexpr const char* second_name = "parts of rows, three passes";
  static void second(const device& on, view<const float> x, index rows, view<float> y) {
    const index columns = y.size();
    const index many = std::clamp<index>((1 << 18) / columns, 1, rows);
    const index few = std::clamp<index>(many / 64, 1, 64);
    float* const first = on.scratch<float>(0, many * columns).data();
    float* const next = on.scratch<float>(1, few * columns).data();
    fold_rows(on, x.data(), rows, columns, many, first);
    fold_rows(on, first, many, columns, few, next);
    fold_rows(on, next, few, columns, 1, y.data());
  }
#endif
};

}  // namespace suite
