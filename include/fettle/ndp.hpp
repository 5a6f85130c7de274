// The nested data-parallel layer: one expression, many implementations.
// A table of contents; include this. Optional, and not in it: <fettle/ndp/shape/arithmetic.hpp>, by
// which x * y on sequences is map(multiplies{}, x, y), and <fettle/ndp/introspect.hpp>: describe(e)
// as JSON. A program that was tuned includes <fettle/ndp/tuned.hpp> by its generated header.
#pragma once

#include <fettle/ndp/base/function.hpp>         // plus, multiplies, minimum ...
#include <fettle/ndp/base/operator_traits.hpp>  // what is known of them, and of others like them
#include <fettle/ndp/base/order.hpp>            // less, greater: the orders of a sort
#include <fettle/ndp/execute.hpp>               // execute: realises an expression on a platform
#include <fettle/ndp/operator/cyclic.hpp>
#include <fettle/ndp/operator/filter.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/halo.hpp>
#include <fettle/ndp/operator/join.hpp>
#include <fettle/ndp/operator/make_grid.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/reduce_by_index.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/reverse.hpp>
#include <fettle/ndp/operator/runs_by_key.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/operator/scatter.hpp>
#include <fettle/ndp/operator/sort.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/striding.hpp>
#include <fettle/ndp/operator/transpose.hpp>
#include <fettle/ndp/operator/windows.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/platforms.hpp>  // how they realise it all
#include <fettle/ndp/program.hpp>    // program: several computations, executed together
#include <fettle/ndp/sequence/make_sequence.hpp>  // make_sequence: views over the program's memory
#include <fettle/ndp/shape/counted.hpp>           // counted: where the number of results goes
#include <fettle/ndp/shape/inspect_rows.hpp>      // inspect_rows: the lengths of rows, read once
