// What a shard hands to the program in training: candidates as function pointers, with texts by
// which the program recognises its own types in them (docs/formats.md, section 4).
#pragma once

#include <cstddef>

/// One candidate of one computation.
struct fettle_ndp_shard_entry {
  const char* computation;  ///< the name given to execute
  const char* platform;     ///< "openmp", "cuda"
  const char* expression;   ///< type_name<T>()
  const char* destination;
  const char* variant;
  void (*call)(const void* e, const void* destination, const void* platform, const void* policy);
  const void* policy;
  bool (*condition)(const void* e);  ///< on which inputs it may run; none: on all
  bool is_approximate;
};

/// What fettle_ndp_shard_table() returns.
struct fettle_ndp_shard {
  static constexpr unsigned current_version = 3;

  unsigned version;
  std::size_t count;
  const fettle_ndp_shard_entry* entries;
};
