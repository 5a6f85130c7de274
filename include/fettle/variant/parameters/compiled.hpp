// Compile-time parameters in a running program: a variant whose source is compiled, with its
// parameters as macros, to a shared object for each point that is run. Include it where you need
// it; link with -ldl where the C library is older than 2.34.
//
//   stencil.add_variant("compiled", fettle::compiled<void(const grid&, grid&)>({.source =
//   "smooth.cpp"}),
//                       fettle::parameter{"TILE", {8, 16, 32}});
#pragma once

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/crc32.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/file.hpp>
#include <fettle/core/number.hpp>
#include <fettle/core/type_name.hpp>
#include <fettle/variant/parameters/compiled_function.hpp>
#include <fettle/variant/parameters/parameter.hpp>

namespace fettle::inline FETTLE_ABI {

/// How the source of a variant is compiled for a point of its parameters.
struct compiled_options {
  std::string source;  ///< exports fettle_compiled(), see compiled_function.hpp
  /// For the shell. {defines} becomes -DNAME=VALUE for each parameter, {source} and {output} the
  /// files, quoted.
  std::string command =
      "c++ -std=c++20 -O3 -march=native -shared -fPIC {defines} {source} -o {output}";
  std::string folder = "fettle_compiled";  ///< keeps the shared objects
};

/// A variant of type Signature, to be given to add_variant with the parameters that are its macros.
/// A point is compiled when it is first needed: at registration the defaults, in training before it
/// is measured, in deployment at the first call those that the model may choose. A shared object is
/// made anew when the source file or the command changes, but not when a file does that it
/// includes. They stay open as long as the program runs. Compiling throws fettle::error, with what
/// the compiler said; a point costs a function pointer then.
template <typename Signature>
class compiled;

template <typename R, typename... Args>
class compiled<R(Args...)> {
 public:
  using function = R (*)(Args...);

  explicit compiled(compiled_options options) : options_(std::move(options)) {
    if (options_.command.find("{defines}") == std::string::npos ||
        options_.command.find("{output}") == std::string::npos) {
      throw error("the command '" + options_.command +
                  "' of fettle::compiled needs {defines} and {output}, and where it names none "
                  "itself {source}");
    }
  }

  /// The function at a point. Thread-safe, and safe beside other processes.
  function at(const parameters& point) const {
    const std::string command = command_for(point);
    const std::string text = read_file(options_.source, maximum_source);
    char name[24];
    std::snprintf(name, sizeof name, "%08x%08x.so", static_cast<unsigned>(crc32(command)),
                  static_cast<unsigned>(crc32(text)));
    const std::string output = options_.folder + "/" + name;
    static std::mutex mutex;  // of this process; other processes write other files
    const std::scoped_lock lock(mutex);
    if (!std::filesystem::exists(output)) build(command, output);
    return open(output);
  }

 private:
  static constexpr std::size_t maximum_source = std::size_t{1} << 26;

  std::string command_for(const parameters& point) const {
    std::string defines;
    for (std::size_t i = 0; i < point.names().size(); ++i) {
      if (i > 0) defines += ' ';
      defines += "-D";
      defines += point.names()[i];
      defines += '=';
      append_number(defines, point.values()[i]);
    }
    return replaced(replaced(options_.command, "{defines}", defines), "{source}",
                    quoted(options_.source));
  }

  static std::string replaced(std::string text, std::string_view what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + by.size())) {
      text.replace(at, what.size(), by);
    }
    return text;
  }

  static std::string quoted(const std::string& path) {
    return "'" + replaced(path, "'", "'\\''") + "'";
  }

  void build(const std::string& command, const std::string& output) const {
    std::error_code ignored;  // the compiler will say that it cannot write there
    std::filesystem::create_directories(options_.folder, ignored);
    const std::string unfinished = output + "." + number_text(getpid());
    const std::string full = replaced(command, "{output}", quoted(unfinished)) + " 2>&1";
    std::FILE* const pipe = popen(full.c_str(), "r");
    if (pipe == nullptr) throw error("cannot start '" + full + "'");
    std::string said;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
    const int status = pclose(pipe);
    if (status != 0 || std::rename(unfinished.c_str(), output.c_str()) != 0) {
      std::filesystem::remove(unfinished, ignored);
      throw error("'" + command + "' failed:\n" + said.substr(0, 2000));
    }
  }

  static function open(std::string path) {
    if (path.find('/') == std::string::npos) path = "./" + path;  // no search of library folders
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char* const why = dlerror();
      throw error("cannot open " + path + ": " + (why == nullptr ? "no reason given" : why));
    }
    using table_function = compiled_function (*)();
    const auto table = reinterpret_cast<table_function>(dlsym(library, "fettle_compiled"));
    if (table == nullptr) {
      throw error(
          path +
          " exports no fettle_compiled(); fettle/variant/parameters/compiled_function.hpp says "
          "how its source does that");
    }
    const compiled_function found = table();
    if (found.version != compiled_function::current_version) {
      throw error(path + " was compiled with another version of Fettle; remove it");
    }
    if (std::string_view(found.type) != type_name<R(Args...)>()) {
      throw error(path +
                  " exports a function of another type than that of fettle::compiled, or only "
                  "one of it and the program is compiled with -fno-rtti");
    }
    return reinterpret_cast<function>(found.function);
  }

  compiled_options options_;
};

}  // namespace fettle
