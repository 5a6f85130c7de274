// What a source file exports that is compiled once for each point of its parameters (compiled.hpp):
//
//   #include <fettle/variant/parameters/compiled_function.hpp>
//   void smooth(const grid& from, grid& to) { ... TILE ... }
//   extern "C" fettle::compiled_function fettle_compiled() {
//     return fettle::compiled_function::of(smooth);
//   }
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/type_name.hpp>

namespace fettle::inline FETTLE_ABI {

/// A function and the name of its type, for the program that opens the shared object. Both are
/// compiled with -fno-rtti, or neither.
struct compiled_function {
  static constexpr int current_version = 1;

  int version;
  const char* type;
  void (*function)();

  template <typename R, typename... Args>
  static compiled_function of(R (*function)(Args...)) {
    return {current_version, type_name<R(Args...)>(), reinterpret_cast<void (*)()>(function)};
  }
};

}  // namespace fettle
