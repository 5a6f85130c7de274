// Tuned programs: what a generated header (docs/formats.md) includes that says of a program,
// executed by p.execute<"name">(...), what may be fused in it.
//
// Such a program is a code_variant: its variants are the default rule and the fusions that the
// header names; in training they are all that are worth measuring. The choice is made once for a
// program, at its first execution after computations were added, and belongs to its sizes.
#pragma once

#include <fettle/ndp/platforms.hpp>
#include <fettle/ndp/program/rewritten_execution.hpp>
#include <fettle/ndp/program/tuned_program.hpp>

#if !defined(FETTLE_INTROSPECT) && !defined(FETTLE_NDP_SHARD)
#include <fettle/ndp/program/program_function.hpp>
#endif
