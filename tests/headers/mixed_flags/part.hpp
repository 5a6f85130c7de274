// What each part of the program in main.cpp offers: the same functions, compiled by other flags.
#pragma once

#include <cstdint>
#include <vector>

#define DECLARE_PART(name)                                       \
  namespace name {                                               \
  std::int64_t lanes_of_double();                                \
  double sum_of(const std::vector<double>& values);              \
  double element_behind_the_end(const std::vector<double>& two); \
  }
DECLARE_PART(baseline_part)
DECLARE_PART(avx_part)
DECLARE_PART(checked_part)
#undef DECLARE_PART
