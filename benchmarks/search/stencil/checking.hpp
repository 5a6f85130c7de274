// What the outputs of configurations have to be: reference.cu, on the GPU.
//
// It fills the input, computes each stencil's output in the plainest way and in double precision,
// once, and counts where a configuration's output is off.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "compiling.hpp"
#include "driver.hpp"
#include "layout.hpp"

namespace stencil {

/// What a stencil has to compute, and the best launch of it so far.
struct Expected {
  CUdeviceptr output = 0;
  float tolerance = 0;
  double best = INFINITY;
};

/// The reference of the current context. It goes with the context; nothing is freed.
class Checker {
 public:
  Checker(const Driver& driver, Layout layout, const std::string& source,
          const std::string& architecture)
      : driver_(driver), layout_(layout) {
    driver_.check(driver_.cuMemAlloc(&wrong_, sizeof(unsigned)), "cuMemAlloc");
    const auto macro = [](const char* name, long long value) {
      return std::string("-D") + name + "=" + std::to_string(value);
    };
    const std::vector<std::string> options = {
        macro("ELEMENTS", layout_.elements), macro("ROW", layout_.row()),
        macro("PLANE", layout_.plane()),     macro("ORIGIN", layout_.origin()),
        macro("SIZE", layout_.input()),      "--gpu-architecture=" + architecture};
    const Compiled compiled = Compiler::compile(source, "reference.cu", "", options, 100);
    if (!compiled.reason.empty()) throw std::runtime_error("reference.cu: " + compiled.reason);
    CUmodule module = nullptr;
    driver_.check(driver_.cuModuleLoadData(&module, compiled.binary.data()),
                  "loading reference.cu");
    driver_.check(driver_.cuModuleGetFunction(&fill_, module, "fill"), "fill");
    driver_.check(driver_.cuModuleGetFunction(&reference_, module, "reference"), "reference");
    driver_.check(driver_.cuModuleGetFunction(&compare_, module, "compare"), "compare");
  }

  /// Writes the input of all stencils.
  void fill(CUdeviceptr input) const {
    void* arguments[] = {&input};
    launch(fill_, layout_.input(), arguments);
    driver_.check(driver_.cuCtxSynchronize(), "filling the input");
  }

  /// What the kernel has to compute; computed at its first use, and kept.
  [[nodiscard]] Expected& expected(const std::string& kernel, const std::string& text,
                                   CUdeviceptr input) {
    if (const auto known = expected_.find(kernel); known != expected_.end()) return known->second;
    std::vector<int> distances;
    std::vector<float> weights;
    double sum = 0;
    for (const Term& term : parse_terms(text)) {
      distances.push_back(term.z * layout_.plane() + term.y * layout_.row() + term.x);
      weights.push_back(term.weight);
      sum += std::fabs(term.weight);
    }
    int count = static_cast<int>(weights.size());
    Expected made;
    // Sums in another order differ by a few roundings of 6e-8 of their size.
    made.tolerance = static_cast<float>(1e-6 * sum * (1 + count / 100.0));
    const std::size_t bytes = weights.size() * sizeof(float);
    static_assert(sizeof(int) == sizeof(float));
    CUdeviceptr there = 0;
    CUdeviceptr factors = 0;
    driver_.check(driver_.cuMemAlloc(&made.output, layout_.output() * sizeof(float)), "cuMemAlloc");
    driver_.check(driver_.cuMemAlloc(&there, bytes), "cuMemAlloc");
    driver_.check(driver_.cuMemAlloc(&factors, bytes), "cuMemAlloc");
    driver_.check(driver_.cuMemcpyHtoD(there, distances.data(), bytes), "copy");
    driver_.check(driver_.cuMemcpyHtoD(factors, weights.data(), bytes), "copy");
    void* arguments[] = {&input, &there, &factors, &count, &made.output};
    launch(reference_, layout_.output(), arguments);
    driver_.check(driver_.cuCtxSynchronize(), "the reference");
    driver_.cuMemFree(there);
    driver_.cuMemFree(factors);
    return expected_[kernel] = made;
  }

  /// The number of wrong outputs.
  [[nodiscard]] unsigned compare(CUdeviceptr output, Expected wanted) const {
    unsigned count = 0;
    CUdeviceptr wrong = wrong_;
    driver_.check(driver_.cuMemsetD32Async(wrong, 0, 1, nullptr), "cuMemset");
    void* arguments[] = {&output, &wanted.output, &wanted.tolerance, &wrong};
    launch(compare_, layout_.output(), arguments);
    driver_.check(driver_.cuMemcpyDtoH(&count, wrong, sizeof count), "comparing");
    return count;
  }

 private:
  void launch(CUfunction function, unsigned elements, void** arguments) const {
    driver_.check(driver_.cuLaunchKernel(function, (elements + 255) / 256, 1, 1, 256, 1, 1, 0,
                                         nullptr, arguments, nullptr),
                  "a plain kernel");
  }

  const Driver& driver_;
  Layout layout_;
  CUdeviceptr wrong_ = 0;
  CUfunction fill_ = nullptr;
  CUfunction reference_ = nullptr;
  CUfunction compare_ = nullptr;
  std::map<std::string, Expected> expected_;
};

}  // namespace stencil
