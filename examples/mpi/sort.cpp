// Sorting across the ranks of an MPI program, which all choose the same variant: rank 0 loads the
// model and broadcasts it, and features are reduced over the ranks before they are asked for.
//     mpiexec -n 3 ./sort N KIND [MODELS]     each rank has N numbers (random, ascending)
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <random>
#include <string>
#include <vector>

#include <fettle/variant.hpp>
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

#include "../first/algorithms.hpp"
#include "broadcast_models.hpp"

/// What is alike on all ranks: the largest block, and the mean of the sampled ascents.
struct summary {
  double size = 0;
  double ascents = 0;

  summary(const numbers& block, int ranks) {
    const double largest = static_cast<double>(block.size());
    const double ascending = sampled_ascents(block);
    MPI_Allreduce(&largest, &size, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&ascending, &ascents, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    ascents /= ranks;
  }
};

#if __has_include("fettle_config.hpp")
using sort_policy = fettle::tuning_policies::sort;
#else
using sort_policy = fettle::policy<"sort">;
#endif
using sort_function = fettle::code_variant<sort_policy, void(numbers&, const summary&)>;

/// The function of examples/first, whose features are the same on all ranks.
void describe(sort_function& sort) {
  sort.add_variant("introsort", [](numbers& v, const summary&) { std::sort(v.begin(), v.end()); });
  sort.add_variant("insertion", [](numbers& v, const summary&) { insertion_sort(v); });
  sort.add_variant("radix", [](numbers& v, const summary&) { radix_sort(v); });
  sort.add_input_feature("size", [](const numbers&, const summary& s) { return s.size; });
  sort.add_input_feature("ascents", [](const numbers&, const summary& s) { return s.ascents; });
}

/// Odd-even transposition of sorted blocks: afterwards they are in order over the ranks.
void exchange_blocks(numbers& block, int rank, int ranks) {
  const int size = static_cast<int>(block.size());
  numbers theirs(block.size());
  numbers both(2 * block.size());
  for (int phase = 0; phase < ranks; ++phase) {
    const int partner = (rank + phase) % 2 == 0 ? rank + 1 : rank - 1;
    if (partner < 0 || partner >= ranks) continue;
    MPI_Sendrecv(block.data(), size, MPI_UINT32_T, partner, phase, theirs.data(), size,
                 MPI_UINT32_T, partner, phase, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::merge(block.begin(), block.end(), theirs.begin(), theirs.end(), both.begin());
    const auto mine = rank < partner ? both.begin() : both.begin() + size;
    std::copy(mine, mine + size, block.begin());
  }
}

int run(int rank, int ranks, std::size_t size, const std::string& kind, const char* models) {
  const broadcast_models here(models, MPI_COMM_WORLD);
  fettle::context context({.model_directory = here.path()});
  sort_function sort(context);
  describe(sort);

  std::mt19937 random(static_cast<std::uint32_t>(rank));
  numbers block(size);
  for (std::uint32_t& x : block) x = static_cast<std::uint32_t>(random());
  if (kind == "ascending") std::sort(block.begin(), block.end());
  const summary all(block, ranks);
  sort(block, all);
  const std::size_t chosen = sort.last_selection()->index;
  exchange_blocks(block, rank, ranks);

  // Whether all chose alike, and whether each block begins where the one before it ends.
  std::array<std::uint64_t, 3> own{chosen, size == 0 ? 0 : block.front(),
                                   size == 0 ? 0 : block.back()};
  std::vector<std::uint64_t> every(3 * static_cast<std::size_t>(ranks));
  MPI_Gather(own.data(), 3, MPI_UINT64_T, every.data(), 3, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  bool good = std::is_sorted(block.begin(), block.end());
  MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_CXX_BOOL, MPI_LAND, MPI_COMM_WORLD);
  if (rank != 0) return 0;
  bool alike = true;
  for (std::size_t at = 3; at < every.size(); at += 3) {
    alike = alike && every[at] == every[0];
    good = good && every[at - 1] <= every[at + 1];
  }
  std::printf("%d ranks, %zu numbers each, by %s%s: %s\n", ranks, size,
              std::string(sort.last_selection()->variant).c_str(),
              alike ? ", all alike" : ", NOT ALL", good ? "sorted" : "NOT SORTED");
  return alike && good ? 0 : 1;
}

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int status = 2;
  if (count < 3) {
    if (rank == 0) std::fprintf(stderr, "usage: sort N random|ascending [MODELS]\n");
  } else {
    const char* models = count > 3 ? arguments[3] : "fettle_models";
    status = run(rank, ranks, std::strtoul(arguments[1], nullptr, 10), arguments[2], models);
  }
  MPI_Finalize();
  return status;
}
