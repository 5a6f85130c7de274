// type_name: what a type is recognised by in another file of the same program, with -fno-rtti too.
#pragma once

#include <typeinfo>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// A text that differs from that of any other type: mangled; without run-time type information,
/// which the two files then must both be compiled without, as the compiler shows it.
template <typename T>
[[nodiscard]] const char* type_name() noexcept {
#ifdef __cpp_rtti
  return typeid(T).name();
#else
  return __PRETTY_FUNCTION__;
#endif
}

}  // namespace fettle
