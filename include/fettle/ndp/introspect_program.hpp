// Introspection of a whole program: compiled with FETTLE_INTROSPECT defined, a program reports each
// of its computations before main(), one line of JSON each (docs/formats.md, section 4), to the
// file that the environment variable FETTLE_INTROSPECT names or else to standard output. It needs
// no input for that: the first execute() that it reaches ends it.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/ndp/introspect.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/shape/combined_bytes.hpp>
#include <fettle/ndp/tuned/call.hpp>
#include <fettle/ndp/tuned/features.hpp>
#include <fettle/ndp/tuned/signature.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// A computation's line: describe() and what else a tuner has to know.
template <fixed_string Name, typename E, typename D, typename Platform>
[[nodiscard]] std::string introspection_line() {
  std::string text;
  json_writer out(text);
  out.begin_object();
  const std::string name(Name.view());
  const std::string function = name + '.' + std::string(Platform::name);
  if constexpr (Name.empty()) {
    out.key("name").raw("null").key("function").raw("null");
  } else {
    out.field("name", name).field("function", function);
  }
  describe_fields<E, Platform>(out);
  out.field("signature", signature_v<E>).field("form", form_name<D>());
  out.key("features").begin_array();
  for_each_feature<E, Platform>([&](std::string_view feature, auto&&) { out.value(feature); });
  out.end_array().field("value_bytes", combined_bytes_v<E>);
  out.field("commutative", combines_in_any_order_v<E>);
  out.key("limits").begin_object();
  platform_traits<Platform>::describe_limits(out);
  out.end_object().end_object();
  return text;
}

inline bool report_line(std::string line) {
  line += '\n';
  const char* const path = std::getenv("FETTLE_INTROSPECT");
  std::FILE* const file = path == nullptr || *path == '\0' ? stdout : std::fopen(path, "a");
  const bool written = file != nullptr &&
                       std::fwrite(line.data(), 1, line.size(), file) == line.size() &&
                       std::fflush(file) == 0;
  if (file != nullptr && file != stdout) std::fclose(file);
  if (!written) {
    const char* const why = std::strerror(errno);
    if (file == stdout) {
      std::fprintf(stderr, "fettle: cannot write to standard output: %s\n", why);
    } else {
      std::fprintf(
          stderr,
          "fettle: cannot write to %s, which FETTLE_INTROSPECT names: %s; name a file that "
          "can be written, or unset it for standard output\n",
          path, why);
    }
    std::_Exit(1);  // before main(), where an exception cannot be caught
  }
  return true;
}

[[noreturn]] inline void end_introspection() { std::exit(0); }

/// One computation of the program: an execute() with these types.
template <fixed_string Name, typename E, typename D, typename Platform>
struct introspected {
  static inline const bool is_reported = report_line(introspection_line<Name, E, D, Platform>());

  [[noreturn]] static void end_program() {
    if (is_reported) end_introspection();
    std::abort();
  }
};

}  // namespace fettle::ndp::detail
