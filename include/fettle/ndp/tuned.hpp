// Tuned computations: what a generated header (docs/formats.md, section 4) includes.
// A table of contents.
#pragma once

#include <fettle/ndp/platforms.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/tuned/candidate.hpp>       // candidate, candidate_list, tuned_computation
#include <fettle/ndp/tuned/error_measures.hpp>  // relative_norm and others, quality_of
#include <fettle/ndp/tuned/signature.hpp>       // signature_v: what a stale header is recognised by

// How execute() chooses. A build that only asks (FETTLE_INTROSPECT), or only compiles candidates
// (FETTLE_NDP_SHARD), has no use for it.
#if !defined(FETTLE_INTROSPECT) && !defined(FETTLE_NDP_SHARD)
#include <fettle/ndp/tuned/context.hpp>  // tuning_context: model directory, warnings
#include <fettle/ndp/tuned/function.hpp>
#endif
