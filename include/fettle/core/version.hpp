// The version of Fettle, which CMake reads here; what may change between versions is said in
// CHANGELOG.md.
#pragma once

#define FETTLE_VERSION_MAJOR 0
#define FETTLE_VERSION_MINOR 1
#define FETTLE_VERSION_PATCH 0

#define FETTLE_VERSION "0.1.0"
// To compare: 10000 * major + 100 * minor + patch.
#define FETTLE_VERSION_NUMBER \
  (FETTLE_VERSION_MAJOR * 10000 + FETTLE_VERSION_MINOR * 100 + FETTLE_VERSION_PATCH)
