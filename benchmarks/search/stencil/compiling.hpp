// Compiles kernels through NVRTC, with a cache on the disk.
//
// A cache entry is one file, named by the job's key: a line that says how long the compiler took
// and whether it succeeded, then the kernel's binary or the compiler's message. It is written
// beside its place and renamed to it, so that a program that is killed leaves no half of one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nvrtc.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include "job.hpp"

namespace stencil {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What the compiler made of a source: a binary, or else a reason.
struct Compiled {
  std::string binary;
  std::string reason;
  double seconds = 0;
  bool cached = false;
};

/// How kernels are compiled.
struct Compiler {
  std::string source;                  // of stencil.cu
  std::string architecture = "sm_90";  // what for
  std::filesystem::path cache;         // a folder; empty: none
  double limit = 30;                   // seconds after which a compilation is given up

  [[nodiscard]] static std::string version() {
    int first = 0;
    int second = 0;
    nvrtcVersion(&first, &second);
    return std::to_string(first) + "." + std::to_string(second);
  }

  /// The kernel that the job describes, from the cache where it is there. Many threads may call it.
  [[nodiscard]] Compiled operator()(const Job& job, const std::string& terms) const {
    const std::filesystem::path entry = cache / job.key.substr(0, 2) / job.key;
    Compiled found;
    if (!cache.empty() && load(entry, found)) return found;
    std::vector<std::string> options = job.macros;
    options.push_back("--gpu-architecture=" + architecture);
    options.push_back("--std=c++17");
    options.push_back("--minimal");  // without the headers that no kernel needs
    found = compile(source, "stencil.cu", terms, options, limit);
    if (!cache.empty()) save(entry, found);
    return found;
  }

  /// Any source; `terms` is what it includes as stencil_terms.inc.
  [[nodiscard]] static Compiled compile(const std::string& source, const char* name,
                                        const std::string& terms,
                                        const std::vector<std::string>& options, double limit) {
    const Clock::time_point start = Clock::now();
    Compiled result;
    nvrtcProgram program = nullptr;
    const char* header = terms.c_str();
    const char* header_name = "stencil_terms.inc";
    if (nvrtcCreateProgram(&program, source.c_str(), name, 1, &header, &header_name) !=
        NVRTC_SUCCESS) {
      throw std::runtime_error("NVRTC made no program");
    }
    Clock::time_point deadline =
        start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit));
    nvrtcSetFlowCallback(
        program,
        [](void* end, void*) {
          return Clock::now() > *static_cast<const Clock::time_point*>(end) ? 1 : 0;
        },
        &deadline);
    std::vector<const char*> arguments;
    for (const std::string& option : options) arguments.push_back(option.c_str());
    const nvrtcResult status =
        nvrtcCompileProgram(program, static_cast<int>(arguments.size()), arguments.data());
    std::size_t size = 0;
    if (status == NVRTC_SUCCESS && nvrtcGetCUBINSize(program, &size) == NVRTC_SUCCESS && size > 0) {
      result.binary.resize(size);
      nvrtcGetCUBIN(program, result.binary.data());
    } else {
      result.reason = std::string("it does not compile: ") + nvrtcGetErrorString(status);
      if (nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS && size > 1) {
        std::string log(size, '\0');
        nvrtcGetProgramLog(program, log.data());
        result.reason += ": " + log.substr(0, 300);
      }
    }
    nvrtcDestroyProgram(&program);
    result.seconds = seconds_since(start);
    return result;
  }

 private:
  [[nodiscard]] static bool load(const std::filesystem::path& entry, Compiled& found) {
    std::ifstream file(entry, std::ios::binary);
    std::string state;
    if (!file || !(file >> state >> found.seconds)) return false;
    file.ignore(1);
    std::ostringstream rest;
    rest << file.rdbuf();
    (state == "compiled" ? found.binary : found.reason) = rest.str();
    found.cached = true;
    return true;
  }

  static void save(const std::filesystem::path& entry, const Compiled& made) {
    static std::atomic<int> count{0};
    std::filesystem::create_directories(entry.parent_path());
    const std::string draft =
        entry.string() + "." + std::to_string(getpid()) + "." + std::to_string(count++);
    {
      std::ofstream file(draft, std::ios::binary);
      file << (made.reason.empty() ? "compiled " : "refused ") << made.seconds << '\n'
           << (made.reason.empty() ? made.binary : made.reason);
      if (!file.flush()) throw std::runtime_error(draft + " cannot be written");
    }
    std::filesystem::rename(draft, entry);
  }
};

}  // namespace stencil
