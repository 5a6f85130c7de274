// NCCL, by a stand-in for its library (stand_in/nccl.cpp).
#include <cstddef>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

#include <fettle/ndp/cuda_devices/nccl_library.hpp>

#include "ndp/support/message_of.hpp"
#include "support/catch.hpp"

namespace {

namespace detail = fettle::ndp::cuda_devices::detail;
using ndp_test::message_of;
using bytes = std::vector<unsigned char>;

template <typename T>
T* found(const detail::nccl_library& nccl, const char* name) {
  return static_cast<T*>(dlsym(nccl.library, name));
}

/// Copies of ten bytes on three devices, which have 4, 0 and 6 of them.
bytes gathered(const detail::nccl_communicators& all, const bytes& from) {
  const std::size_t ends[] = {4, 4, 10};
  std::vector<bytes> copies(3, bytes(10, 0));
  all.gather_all(
      from.data(), ends, [&](int i) { return copies[static_cast<std::size_t>(i)].data(); },
      [](int i) { return reinterpret_cast<void*>(static_cast<std::size_t>(i) + 100); });
  REQUIRE((copies[0] == copies[1] && copies[0] == copies[2]));
  return copies[0];
}

}  // namespace

TEST_CASE("parts of all devices are gathered on each") {
  unsetenv("NCCL_NVLS_ENABLE");
  const detail::nccl_library nccl(FETTLE_STAND_IN_NCCL);
  const auto alive = reinterpret_cast<int (*)()>(dlsym(nccl.library, "fettle_stand_in_alive"));
  const int devices[] = {2, 0, 1};
  {
    const detail::nccl_communicators all(nccl, 3, devices);
    REQUIRE(alive() == 3);
    const bytes from = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    REQUIRE(gathered(all, from) == from);
    // NVLink's multicast is off, unless the user says something else.
    REQUIRE(std::string(found<char>(nccl, "fettle_stand_in_multicast")) == "0");
    *found<int>(nccl, "fettle_stand_in_status") = 2;
    REQUIRE(message_of([&] { gathered(all, from); }) ==
            "NCCL: a broadcast failed: unhandled system error");
    REQUIRE(*found<int>(nccl, "fettle_stand_in_open_groups") == 0);
    *found<int>(nccl, "fettle_stand_in_status") = 0;
  }
  REQUIRE(alive() == 0);
  setenv("NCCL_NVLS_ENABLE", "1", 1);
  const detail::nccl_library again(FETTLE_STAND_IN_NCCL);
  const detail::nccl_communicators all(again, 3, devices);
  REQUIRE(std::string(found<char>(again, "fettle_stand_in_multicast")) == "1");
  unsetenv("NCCL_NVLS_ENABLE");
}

TEST_CASE("NCCL that is not there, or not NCCL") {
  REQUIRE(message_of([] { const detail::nccl_library none("libno_such_nccl.so"); }) ==
          "cannot load NCCL, 'libno_such_nccl.so'");
  REQUIRE(message_of([] { const detail::nccl_library other("libdl.so.2"); }) ==
          "NCCL has no ncclCommInitAll; install NCCL 2");
  setenv("FETTLE_NCCL", "none", 1);
  REQUIRE(detail::nccl_path() == "none");
  REQUIRE(detail::find_nccl() == nullptr);
  unsetenv("FETTLE_NCCL");
  REQUIRE(detail::nccl_path() == "libnccl.so.2");
}
