// Runs compiled kernels on the GPU: checks their output, then times their launches.
//
// All kernels read one input of ELEMENTS^3 single-precision numbers with a halo, and write one
// output: for 256^3 together 146 MB, more than twice what the L2 cache of an H200 holds, so that a
// launch finds little of its input there. The first launch is checked element by element against
// a plain kernel in double precision; the launches that are timed come after it, an event between
// any two, and their median counts. A configuration whose first launch took more than `hopeless`
// times as long as the kernel's best launch so far has its first launch's time.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "checking.hpp"
#include "compiling.hpp"
#include "driver.hpp"
#include "job.hpp"
#include "layout.hpp"

namespace stencil {

/// How often kernels are launched.
struct Patience {
  int repeats = 5;
  double hopeless = 10;
};

/// A GPU with the input, the output and the expected outputs.
class Device {
 public:
  Device(int ordinal, Layout layout, Patience patience, const std::string& reference_source)
      : layout_(layout), patience_(patience), source_(reference_source) {
    driver_.check(driver_.cuInit(0), "cuInit");
    driver_.check(driver_.cuDeviceGet(&device_, ordinal), "cuDeviceGet");
    char name[256] = {};
    driver_.check(driver_.cuDeviceGetName(name, sizeof name, device_), "cuDeviceGetName");
    name_ = name;
    set_up();
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string architecture() const { return architecture_; }

  /// Fills in what a compiled job takes; an error of the GPU becomes the answer's reason.
  void measure(const Job& job, const std::string& binary, const std::string& terms,
               Answer& answer) {
    const Clock::time_point start = Clock::now();
    try {
      run(job, binary, terms, answer);
    } catch (const DriverError& error) {
      answer.reason = error.what();
      if (driver_.cuCtxSynchronize() != CUDA_SUCCESS) {  // the context is lost
        driver_.cuDevicePrimaryCtxReset(device_);
        set_up();
      }
    }
    answer.measure_seconds = seconds_since(start);
  }

 private:
  void set_up() {
    checker_.reset();
    check(driver_.cuDevicePrimaryCtxRetain(&context_, device_), "cuDevicePrimaryCtxRetain");
    check(driver_.cuCtxSetCurrent(context_), "cuCtxSetCurrent");
    architecture_ = "sm_" +
                    std::to_string(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)) +
                    std::to_string(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
    input_ = allocate(layout_.input() * sizeof(float));
    output_ = allocate(layout_.output() * sizeof(float));
    events_.resize(64);
    for (CUevent& event : events_) check(driver_.cuEventCreate(&event, 0), "cuEventCreate");
    make_texture();
    checker_.emplace(driver_, layout_, source_, architecture_);
    checker_->fill(input_);
  }

  void check(CUresult result, const char* what) const { driver_.check(result, what); }

  [[nodiscard]] int attribute(CUdevice_attribute which) const {
    int value = 0;
    check(driver_.cuDeviceGetAttribute(&value, which, device_), "cuDeviceGetAttribute");
    return value;
  }

  [[nodiscard]] CUdeviceptr allocate(std::size_t bytes) const {
    CUdeviceptr memory = 0;
    check(driver_.cuMemAlloc(&memory, bytes), "cuMemAlloc");
    return memory;
  }

  void make_texture() {
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = input_;
    resource.res.linear.format = CU_AD_FORMAT_FLOAT;
    resource.res.linear.numChannels = 1;
    resource.res.linear.sizeInBytes = layout_.input() * sizeof(float);
    const CUDA_TEXTURE_DESC texture{};
    check(driver_.cuTexObjectCreate(&texture_, &resource, &texture, nullptr), "cuTexObjectCreate");
  }

  void run(const Job& job, const std::string& binary, const std::string& terms, Answer& answer) {
    Expected& wanted = checker_->expected(job.kernel, terms, input_);
    CUmodule module = nullptr;
    check(driver_.cuModuleLoadData(&module, binary.data()), "cuModuleLoadData");
    try {
      run(job, module, wanted, answer);
    } catch (const DriverError&) {
      driver_.cuModuleUnload(module);
      throw;
    }
    driver_.cuModuleUnload(module);
  }

  void run(const Job& job, CUmodule module, Expected& wanted, Answer& answer) {
    CUfunction function = nullptr;
    check(driver_.cuModuleGetFunction(&function, module, "stencil"), "cuModuleGetFunction");
    check(driver_.cuFuncGetAttribute(&answer.registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function),
          "registers");
    check(driver_.cuFuncGetAttribute(&answer.local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                                     function),
          "local memory");
    if (job.shared_bytes > 0) {
      check(driver_.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                       static_cast<int>(job.shared_bytes)),
            "shared memory");
    }
    // No output may be right because another configuration wrote it: all are NaN before.
    check(driver_.cuMemsetD32Async(output_, 0x7fffffffu, layout_.output(), nullptr), "cuMemset");
    std::vector<double> times = launch(job, function, 1);
    const unsigned wrong = checker_->compare(output_, wanted);
    if (wrong > 0) {
      answer.reason =
          std::to_string(wrong) + " of " + std::to_string(layout_.output()) + " outputs are wrong";
      return;
    }
    if (job.repeats > 0 || times[0] <= patience_.hopeless * wanted.best) {
      times = launch(job, function, job.repeats > 0 ? job.repeats : patience_.repeats);
    }
    std::sort(times.begin(), times.end());
    const std::size_t half = times.size() / 2;
    answer.seconds = times.size() % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
    answer.launches = static_cast<int>(times.size());
    wanted.best = std::min(wanted.best, answer.seconds);
  }

  // So many launches one after another; the seconds of each.
  [[nodiscard]] std::vector<double> launch(const Job& job, CUfunction function, int count) {
    count = std::min(count, static_cast<int>(events_.size()) - 1);
    void* arguments[] = {&input_, &texture_, &output_};
    check(driver_.cuEventRecord(events_[0], nullptr), "cuEventRecord");
    for (int i = 0; i < count; ++i) {
      check(
          driver_.cuLaunchKernel(function, job.groups[0], job.groups[1], job.groups[2], job.threads,
                                 1, 1, job.shared_bytes, nullptr, arguments, nullptr),
          "cuLaunchKernel");
      check(driver_.cuEventRecord(events_[static_cast<std::size_t>(i) + 1], nullptr),
            "cuEventRecord");
    }
    check(driver_.cuEventSynchronize(events_[static_cast<std::size_t>(count)]), "running it");
    std::vector<double> times;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      float milliseconds = 0;
      check(driver_.cuEventElapsedTime(&milliseconds, events_[i], events_[i + 1]), "the time");
      times.push_back(1e-3 * static_cast<double>(milliseconds));
    }
    return times;
  }

  Driver driver_;
  Layout layout_;
  Patience patience_;
  std::string source_;
  std::string name_;
  std::string architecture_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  CUdeviceptr input_ = 0;
  CUdeviceptr output_ = 0;
  CUtexObject texture_ = 0;
  std::vector<CUevent> events_;
  std::optional<Checker> checker_;
};

}  // namespace stencil
