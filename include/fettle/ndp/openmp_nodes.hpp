// platform::openmp_nodes: a computation over the NUMA nodes of a machine. A table of contents; what
// is not listed here is an implementation detail.
//
//   platform::openmp_nodes{}   all nodes; emulated(n): sets of CPUs as if they were nodes
//   openmp_nodes::policy         how many of them, what is divided equally, OpenMP's parameters
//   platform_traits              what the rest of the library asks of the platform
#pragma once

#include <fettle/ndp/devices.hpp>
#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/openmp_nodes/platform.hpp>       // platform::openmp_nodes
#include <fettle/ndp/openmp_nodes/policy/policy.hpp>  // policy, parse_policy, to_string
#include <fettle/ndp/openmp_nodes/traits.hpp>
