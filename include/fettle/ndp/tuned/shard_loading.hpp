// Opening shards: shared objects with candidates, which a program that is compiled with
// FETTLE_NDP_TRAINING runs as variants. The environment variable FETTLE_NDP_SHARDS names the files,
// separated by colons.
#pragma once

#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/type_name.hpp>
#include <fettle/ndp/tuned/call.hpp>
#include <fettle/ndp/tuned/shard_table.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

struct opened_shard {
  std::string path;
  const fettle_ndp_shard* table;
};

[[nodiscard]] inline opened_shard open_shard(std::string path) {
  if (path.find('/') == std::string::npos) path = "./" + path;  // no search of library folders
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    throw error("cannot open the shard " + path +
                ", which FETTLE_NDP_SHARDS names: " + (why == nullptr ? "no reason given" : why));
  }
  using table_function = const fettle_ndp_shard* (*)();
  const auto table = reinterpret_cast<table_function>(dlsym(library, "fettle_ndp_shard_table"));
  if (table == nullptr) {
    throw error("the shard " + path +
                " lists no candidates; compile it from the program's source with FETTLE_NDP_SHARD "
                "defined");
  }
  if (table()->version != fettle_ndp_shard::current_version) {
    throw error("the shard " + path +
                " was compiled with another version of Fettle; build it again");
  }
  return {std::move(path), table()};
}

/// All of them, in their order. They stay open as long as the program runs.
[[nodiscard]] inline const std::vector<opened_shard>& opened_shards() {
  static const std::vector<opened_shard> shards = [] {
    std::vector<opened_shard> out;
    const char* const value = std::getenv("FETTLE_NDP_SHARDS");
    std::string_view rest = value == nullptr ? "" : value;
    while (!rest.empty()) {
      const std::string_view path = rest.substr(0, rest.find(':'));
      rest.remove_prefix(path.size());
      if (!rest.empty()) rest.remove_prefix(1);
      if (!path.empty()) out.push_back(open_shard(std::string(path)));
    }
    return out;
  }();
  return shards;
}

/// The text by which a type is recognised. nvcc names anonymous namespaces by a hash of the
/// compilation, as in _GLOBAL__N__5ed6c67c_4_a_cu, which is not part of what a type is.
[[nodiscard]] inline std::string type_text(std::string_view name) {
  constexpr std::string_view mark = "_GLOBAL__N__";
  std::string text(name);
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    at += mark.size();
    const std::size_t end = text.find_first_not_of("0123456789abcdef", at);
    if (end != at + 8) continue;
    text.replace(at, 8, 8, '0');
  }
  return text;
}

/// Calls visit(erased_implementation) for every candidate that the shards have of a computation.
template <typename E, typename D, typename Visit>
void for_each_in_shards(std::string_view name, std::string_view platform, Visit&& visit) {
  const std::string expression = type_text(type_name<E>());
  const std::string destination = type_text(type_name<D>());
  for (const opened_shard& shard : opened_shards()) {
    bool named = false;
    bool found = false;
    for (std::size_t i = 0; i < shard.table->count; ++i) {
      const fettle_ndp_shard_entry& entry = shard.table->entries[i];
      if (entry.computation != name || entry.platform != platform) continue;
      named = true;
      if (type_text(entry.expression) != expression) continue;
      if (type_text(entry.destination) != destination) continue;
      found = true;
      visit(erased_implementation{entry.variant, entry.call, entry.policy, entry.condition,
                                  entry.is_approximate});
    }
    if (named && !found) {
      throw error("the shard " + shard.path + " has candidates of " + std::string(name) +
                  " for other types than the program's (" + expression +
                  "); compile both from the same source");
    }
  }
}

}  // namespace fettle::ndp::detail
