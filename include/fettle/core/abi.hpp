// FETTLE_ABI and FETTLE_NDP_ABI: the inline namespaces of the library, which make one program of
// files that were compiled differently.
//
// Functions in headers are compiled in every file that uses them, and the linker keeps one copy of
// each name. Two copies that differ must therefore have different names:
// - fettle::FETTLE_ABI names the version, for a program of libraries that use different ones;
// - fettle::ndp::FETTLE_NDP_ABI names also what the kernels' code depends on: the vector
// instructions
//   that the file is compiled for and whether indices are checked (FETTLE_CHECKED).
// Files exchange objects of fettle:: whatever their flags are; those of fettle::ndp:: (sequences,
// expressions) only where their flags agree, else the program does not link.
#pragma once

#if __cplusplus < 201709L
#error "Fettle needs C++20: compile with -std=c++20, nvcc too (CMake: link to fettle::fettle)"
#endif

// The first two numbers of the version; equal to CMakeLists.txt's by a test.
#define FETTLE_ABI v0_1

#ifdef FETTLE_CHECKED
#define FETTLE_NDP_ABI_FOR(instruction_set) instruction_set##_checked
#else
#define FETTLE_NDP_ABI_FOR(instruction_set) instruction_set
#endif

#if defined(__AVX512F__) && defined(__AVX512VL__)
#define FETTLE_NDP_ABI FETTLE_NDP_ABI_FOR(avx512vl)
#elif defined(__AVX512F__)
#define FETTLE_NDP_ABI FETTLE_NDP_ABI_FOR(avx512f)
#elif defined(__AVX__)
#define FETTLE_NDP_ABI FETTLE_NDP_ABI_FOR(avx)
#else
#define FETTLE_NDP_ABI FETTLE_NDP_ABI_FOR(baseline)
#endif
