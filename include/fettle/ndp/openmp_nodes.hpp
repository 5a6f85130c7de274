// platform::openmp_nodes: a computation over the NUMA nodes of a machine. A table of contents; what
// is not listed here is an implementation detail. Optional, and not in <fettle/ndp.hpp>; needs
// threads (-pthread).
//
//   platform::openmp_nodes{}              all nodes; emulated(n): sets of CPUs as if they were
//   nodes openmp_nodes::policy                  how many of them, what is divided equally, and
//   OpenMP's
//                                         policy on each
//   platform_traits                       what the rest of the library asks of the platform
#pragma once

#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/openmp_nodes/platform.hpp>
#include <fettle/ndp/openmp_nodes/policy.hpp>
#include <fettle/ndp/openmp_nodes/traits.hpp>
