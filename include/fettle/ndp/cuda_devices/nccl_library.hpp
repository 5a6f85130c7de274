// NCCL, NVIDIA's library of collective steps, loaded at run time where it is installed; programs
// need neither its header nor the library to be built. Needs no CUDA.
//
// NVLink's multicast is disabled (NCCL_NVLS_ENABLE=0) unless the environment sets that variable.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda_devices::detail {

/// The functions of NCCL that are used; their statuses are 0 where all is well.
struct nccl_library {
  static constexpr int type_char = 0;  // ncclChar: counts are bytes

  explicit nccl_library(const std::string& path) {
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw error("cannot load NCCL, '" + path + "'");
    find(make_all, "ncclCommInitAll");
    find(destroy, "ncclCommDestroy");
    find(begin_group, "ncclGroupStart");
    find(end_group, "ncclGroupEnd");
    find(broadcast, "ncclBroadcast");
    find(text_of, "ncclGetErrorString");
  }
  nccl_library(const nccl_library&) = delete;
  nccl_library& operator=(const nccl_library&) = delete;
  ~nccl_library() { dlclose(library); }

  void check(int status, const char* what) const {
    if (status != 0) throw error(std::string("NCCL: ") + what + " failed: " + text_of(status));
  }

  void* library = nullptr;
  int (*make_all)(void** communicators, int count, const int* devices) = nullptr;
  int (*destroy)(void* communicator) = nullptr;
  int (*begin_group)() = nullptr;
  int (*end_group)() = nullptr;
  int (*broadcast)(const void* from, void* to, std::size_t count, int type, int root,
                   void* communicator, void* stream) = nullptr;
  const char* (*text_of)(int status) = nullptr;

 private:
  template <typename Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) {
      dlclose(library);
      throw error(std::string("NCCL has no ") + name + "; install NCCL 2");
    }
  }
};

/// What dlopen() gets: $FETTLE_NCCL, or the library's own name. $FETTLE_NCCL=none: NCCL is not
/// used.
[[nodiscard]] inline std::string nccl_path() {
  const char* const named = std::getenv("FETTLE_NCCL");
  return named == nullptr || *named == '\0' ? "libnccl.so.2" : named;
}

/// Looked for once; null where it is not installed, or not wanted.
[[nodiscard]] inline const nccl_library* find_nccl() {
  static const std::unique_ptr<const nccl_library> found = [] {
    try {
      return std::make_unique<const nccl_library>(nccl_path());
    } catch (const error&) {
      return std::unique_ptr<const nccl_library>();
    }
  }();
  return found.get();
}

/// A communicator for each of some devices.
class nccl_communicators {
 public:
  nccl_communicators(const nccl_library& nccl, int count, const int* devices)
      : nccl_(nccl),
        all_(std::make_unique<void*[]>(static_cast<std::size_t>(count))),
        count_(count) {
    nccl_.check(nccl_.make_all(all_.get(), count, devices), "making communicators");
  }
  nccl_communicators(const nccl_communicators&) = delete;
  nccl_communicators& operator=(const nccl_communicators&) = delete;
  ~nccl_communicators() {
    for (int i = 0; i < count_; ++i) nccl_.destroy(at(i));
  }

  /// Bytes ends[r - 1] to ends[r] - 1 of `from`, which lie on device r, to the same bytes of all
  /// copies: to(i) on device i, in the order of stream(i).
  template <typename To, typename Stream>
  void gather_all(const unsigned char* from, const std::size_t* ends, const To& to,
                  const Stream& stream) const {
    nccl_.check(nccl_.begin_group(), "beginning a group");
    int status = 0;
    std::size_t begin = 0;
    for (int root = 0; root < count_; ++root) {
      const std::size_t bytes = ends[root] - begin;
      for (int i = 0; i < count_ && bytes > 0 && status == 0; ++i) {
        status = nccl_.broadcast(from + begin, to(i) + begin, bytes, nccl_library::type_char, root,
                                 at(i), stream(i));
      }
      begin = ends[root];
    }
    const int ended = nccl_.end_group();  // a group that stays open would take what follows
    nccl_.check(status, "a broadcast");
    nccl_.check(ended, "a group of broadcasts");
  }

 private:
  [[nodiscard]] void* at(int i) const { return all_[static_cast<std::size_t>(i)]; }

  const nccl_library& nccl_;
  std::unique_ptr<void*[]> all_;
  int count_;
};

}  // namespace fettle::ndp::cuda_devices::detail
