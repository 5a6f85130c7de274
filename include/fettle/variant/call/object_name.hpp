// Names for variants and features that come as objects without one (the paper's form): the name of
// their class, as in "csr_vector_type".
#pragma once

#include <cstdlib>
#include <cxxabi.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// The class of an object as the source writes it, with namespaces and template arguments.
template <typename Object>
std::string full_class_name([[maybe_unused]] const Object& object) {
#ifdef __cpp_rtti
  int status = 0;
  char* readable = abi::__cxa_demangle(typeid(object).name(), nullptr, nullptr, &status);
  std::string name = status == 0 && readable != nullptr ? readable : typeid(object).name();
  std::free(readable);
  return name;
#else
  static_assert(sizeof(Object) == 0,
                "An object without a name is named after its class, which a program that is "
                "compiled with -fno-rtti does not know; name it, as in add_variant(\"csr\", csr).");
  return {};
#endif
}

/// Its last part alone: "MySparse::dia_type<HostMatrix>" becomes "dia_type".
std::string short_class_name(std::string_view full);

/// The address by which an object is recognised, whichever base class it is seen through.
template <typename Object>
const void* identity(const Object* object) {
  if constexpr (std::is_polymorphic_v<Object>) {
#ifdef __cpp_rtti
    return dynamic_cast<const void*>(object);
#else
    static_assert(sizeof(Object) == 0,
                  "A variant that is an object with virtual functions, given by pointer, cannot be "
                  "recognised in a program that is compiled with -fno-rtti; give it by value, or "
                  "as a lambda that calls it, and name it in set_default and add_constraint.");
    return nullptr;
#endif
  } else {
    return object;
  }
}

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/call/object_name.ipp>
#endif
