// The six computations on a processor: exact variants, of which the fastest is the yardstick, and
// approximate ones.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "inputs.hpp"

namespace approximate {

/// Labels by the distances in every `Step`-th coordinate.
template <std::size_t Step>
void label(const clouds& in, std::span<int> labels) {
  for (std::size_t i = 0; i < in.points; ++i) {
    const float* const p = &in.point[i * in.dimensions];
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t c = 0; c < in.centres; ++c) {
      const float* const q = &in.centre[c * in.dimensions];
      float sum = 0;
      for (std::size_t j = 0; j < in.dimensions; j += Step) sum += (p[j] - q[j]) * (p[j] - q[j]);
      if (sum < least) {
        least = sum;
        labels[i] = static_cast<int>(c);
      }
    }
  }
}
/// Likewise exact: gives a centre up as soon as its distance exceeds the least.
inline void label_early(const clouds& in, std::span<int> labels) {
  for (std::size_t i = 0; i < in.points; ++i) {
    const float* const p = &in.point[i * in.dimensions];
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t c = 0; c < in.centres; ++c) {
      const float* const q = &in.centre[c * in.dimensions];
      float sum = 0;
      for (std::size_t j = 0; j < in.dimensions && sum < least; j += 8) {
        for (std::size_t l = j; l < j + 8; ++l) sum += (p[l] - q[l]) * (p[l] - q[l]);
      }
      if (sum < least) {
        least = sum;
        labels[i] = static_cast<int>(c);
      }
    }
  }
}

inline constexpr std::size_t paths = 1 << 16;

inline const std::vector<float>& normal_numbers() {
  static const std::vector<float> all = [] {
    generator random(5);
    std::normal_distribution<float> normal;
    std::vector<float> made(paths);
    for (float& one : made) one = normal(random);
    return made;
  }();
  return all;
}

/// The price by the first `count` paths.
inline double price(const option_contract& in, std::size_t count) {
  const std::vector<float>& z = normal_numbers();
  const auto drift = static_cast<float>(in.rate - 0.5 * in.volatility * in.volatility);
  const auto by = static_cast<float>(in.volatility);
  const auto strike = static_cast<float>(in.strike);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += std::max(0.0F, std::exp(drift + by * z[i]) - strike);
  }
  return std::exp(-in.rate) * sum / static_cast<double>(count);
}

/// A 5-point weighted mean of every `Step`-th row; rows between take what the nearest one has.
template <std::size_t Step>
void smooth(const field& in, std::span<float> out) {
  const std::size_t n = in.side;
  const float* const v = in.value.data();
  std::copy(v, v + n, out.begin());
  std::copy(v + (n - 1) * n, v + n * n, out.begin() + static_cast<std::ptrdiff_t>((n - 1) * n));
  for (std::size_t i = 1; i + 1 < n; i += Step) {
    out[i * n] = v[i * n];
    out[i * n + n - 1] = v[i * n + n - 1];
    for (std::size_t j = 1; j + 1 < n; ++j) {
      const std::size_t at = i * n + j;
      const float mean = 0.5F * v[at] + 0.125F * (v[at - 1] + v[at + 1] + v[at - n] + v[at + n]);
      out[at] = std::sqrt(mean * mean + 1e-3F) + std::exp(-mean * mean);
    }
    for (std::size_t k = i + 1; k < std::min(i + Step, n - 1); ++k) {
      std::copy(out.begin() + static_cast<std::ptrdiff_t>(i * n),
                out.begin() + static_cast<std::ptrdiff_t>((i + 1) * n),
                out.begin() + static_cast<std::ptrdiff_t>(k * n));
    }
  }
}

/// Fractions of every `step`-th number in bins.
inline void histogram(const numbers& in, std::span<double> out, std::size_t step) {
  std::array<std::uint32_t, 256> counts{};
  std::size_t total = 0;
  for (std::size_t i = 0; i < in.value.size(); i += step, ++total) {
    ++counts[static_cast<std::size_t>(in.value[i] * static_cast<float>(in.bins))];
  }
  for (std::size_t b = 0; b < in.bins; ++b) {
    out[b] = counts[b] / static_cast<double>(total);
  }
}
/// Likewise exact: four tables, so that equal numbers in a row do not wait for each other.
inline void histogram_tables(const numbers& in, std::span<double> out) {
  std::array<std::array<std::uint32_t, 256>, 4> counts{};
  for (std::size_t i = 0; i < in.value.size(); ++i) {
    ++counts[i % 4][static_cast<std::size_t>(in.value[i] * static_cast<float>(in.bins))];
  }
  for (std::size_t b = 0; b < in.bins; ++b) {
    out[b] = (counts[0][b] + counts[1][b] + counts[2][b] + counts[3][b]) /
             static_cast<double>(in.value.size());
  }
}

/// Conjugate gradients in numbers of type T until the residual has fallen by `tolerance`.
template <typename T>
void solve(const band_system& in, std::span<double> out, double tolerance) {
  const std::size_t n = in.rows;
  const auto diagonal = static_cast<T>(2 + in.reaction);
  std::vector<T> x(n), r(in.right.begin(), in.right.end()), p(r), q(n);
  const auto dot = [n](const std::vector<T>& a, const std::vector<T>& b) {
    T sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  };
  T rho = dot(r, r);
  const T enough = rho * static_cast<T>(tolerance * tolerance);
  for (std::size_t step = 0; step < 4 * n && rho > enough; ++step) {
    q[0] = diagonal * p[0] - p[1];
    for (std::size_t i = 1; i + 1 < n; ++i) q[i] = diagonal * p[i] - p[i - 1] - p[i + 1];
    q[n - 1] = diagonal * p[n - 1] - p[n - 2];
    const T alpha = rho / dot(p, q);
    for (std::size_t i = 0; i < n; ++i) x[i] += alpha * p[i];
    for (std::size_t i = 0; i < n; ++i) r[i] -= alpha * q[i];
    const T next = dot(r, r);
    const T beta = next / rho;
    rho = next;
    for (std::size_t i = 0; i < n; ++i) p[i] = r[i] + beta * p[i];
  }
  std::copy(x.begin(), x.end(), out.begin());
}

/// Forces of the particles that are at most `reach` away in x; all of them where it is 1.
inline void forces(const particles& in, std::span<float> out, float reach) {
  std::size_t first = 0;
  std::size_t last = 0;
  const float inverse = 1 / in.length;
  for (std::size_t i = 0; i < in.count; ++i) {
    while (in.x[first] < in.x[i] - reach) ++first;
    while (last < in.count && in.x[last] <= in.x[i] + reach) ++last;
    float fx = 0;
    float fy = 0;
    float fz = 0;
    for (std::size_t j = first; j < last; ++j) {
      const float dx = in.x[j] - in.x[i];
      const float dy = in.y[j] - in.y[i];
      const float dz = in.z[j] - in.z[i];
      const float squared = dx * dx + dy * dy + dz * dz + 1e-4F;
      const float distance = std::sqrt(squared);
      const float by = std::exp(-distance * inverse) / (squared * distance);
      fx += by * dx;
      fy += by * dy;
      fz += by * dz;
    }
    out[3 * i] = fx;
    out[3 * i + 1] = fy;
    out[3 * i + 2] = fz;
  }
}

}  // namespace approximate
