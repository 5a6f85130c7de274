// The reference's atoms and memory where the platform computes: make it once, call it again and
// again.
#pragma once

#include <numeric>
#include <vector>

#include "../../../examples/ndp/comd/simulation.hpp"
#include "../common/bench.hpp"
#include "exmatex.hpp"

#ifdef __CUDACC__
#include "exmatex.cuh"
#endif

namespace ndp_tuned {

class reference_simulation {
 public:
  reference_simulation(const platform_type& on, const examples::atoms& all,
                       const examples::potential_tables& potential)
      : reference_simulation(on, all, potential, {all, potential.cutoff}) {}

  /// Returns the energy of all atoms.
  double operator()() {
    const exmatex::arrays s{static_cast<int>(n_atoms_.size()),
                            side_,
                            potential_.cutoff,
                            exmatex::view_of(potential_.pair, pointer_to(phi_)),
                            exmatex::view_of(potential_.density, pointer_to(rho_)),
                            exmatex::view_of(potential_.embedding, pointer_to(f_)),
                            pointer_to(n_atoms_),
                            pointer_to(neighbours_),
                            pointer_to(r_),
                            pointer_to(force_),
                            pointer_to(energy_),
                            pointer_to(rhobar_),
                            pointer_to(df_embed_)};
#ifdef __CUDACC__
    return exmatex::eam_force(s, pointer_to(slots_), static_cast<int>(slots_.size()),
                              pointer_to(sum_), on_.stream);
#else
    return exmatex::eam_force(s);
#endif
  }

  /// What the last call has left, atoms in their original order.
  [[nodiscard]] std::vector<exmatex::vec3> forces() const {
    const std::vector<exmatex::vec3> by_slot = examples::copy_to_host(force_);
    std::vector<exmatex::vec3> all;
    for (const int slot : slot_of_) all.push_back(by_slot[static_cast<std::size_t>(slot)]);
    return all;
  }

 private:
  template <typename T>
  using vector = examples::vector_on<platform_type, T>;

  reference_simulation(const platform_type& on, const examples::atoms& all,
                       const examples::potential_tables& potential,
                       const exmatex::link_cell_atoms& cells)
      : on_(on),
        side_(all.side),
        potential_(potential),
        slot_of_(cells.slot_of),
        n_atoms_(examples::copy_to(on, cells.n_atoms)),
        neighbours_(examples::copy_to(on, cells.neighbours)),
        slots_(examples::copy_to(on, listed(cells))),
        r_(examples::copy_to(on, cells.r)),
        phi_(examples::copy_to(on, potential.pair.values)),
        rho_(examples::copy_to(on, potential.density.values)),
        f_(examples::copy_to(on, potential.embedding.values)),
        force_(cells.r.size()),
        energy_(cells.r.size()),
        rhobar_(cells.r.size()),
        df_embed_(cells.r.size()),
        sum_(1) {}

  // The slots that hold atoms, box by box.
  [[nodiscard]] static std::vector<int> listed(const exmatex::link_cell_atoms& cells) {
    std::vector<int> slots;
    for (std::size_t box = 0; box < cells.n_atoms.size(); ++box) {
      for (int i = 0; i < cells.n_atoms[box]; ++i) {
        slots.push_back(static_cast<int>(box) * exmatex::max_atoms + i);
      }
    }
    return slots;
  }

  platform_type on_;
  double side_;
  examples::potential_tables potential_;
  std::vector<int> slot_of_;
  vector<int> n_atoms_;
  vector<examples::near_box> neighbours_;
  vector<int> slots_;
  vector<exmatex::vec3> r_;
  vector<double> phi_;
  vector<double> rho_;
  vector<double> f_;
  vector<exmatex::vec3> force_;
  vector<double> energy_;
  vector<double> rhobar_;
  vector<double> df_embed_;
  vector<double> sum_;
};

}  // namespace ndp_tuned
