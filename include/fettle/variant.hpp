// The expert layer: a function with several implementations, chosen by what its input is like.
// A table of contents; include this.
#pragma once

#include <fettle/measure/measured.hpp>           // measured: several metrics of a run
#include <fettle/variant/call/variant_type.hpp>  // the paper's base classes
#include <fettle/variant/code_variant.hpp>  // code_variant: the tuned function, and what it accepts
#include <fettle/variant/parameters/parameter.hpp>  // parameter, constraint, parameters: tunable numbers
#include <fettle/variant/registration/context.hpp>  // context: what tuned functions share
#include <fettle/variant/registration/policy.hpp>  // policy<"name">, and what a generated policy may state
#include <fettle/variant/registration/version.hpp>  // version: when a variant is to be measured anew
#include <fettle/variant/selection/selection.hpp>   // selection: which variant, and why
#include <fettle/variant/training/restore_arguments.hpp>  // restore_arguments: a reset by copies
#include <fettle/variant/training/verification.hpp>       // within(): comparison for set_verify
#include <fettle/variant/tuned.hpp>  // tuned<"name", signature>: a tuned function in one expression

// On request: <fettle/variant/parallel_evaluation.hpp>, features and constraints on oneTBB;
// <fettle/variant/parameters/compiled.hpp>, variants that are compiled for their parameters.
