// The computations of physics.
#pragma once

#include "../common/driver.hpp"
#include "bond_forces.hpp"
#include "bond_forces_in_fettle.hpp"
#include "bounding_boxes.hpp"
#include "bounding_boxes_in_fettle.hpp"
#include "joint_rotations.hpp"
#include "joint_rotations_in_fettle.hpp"
#include "kinetic_energy.hpp"
#include "kinetic_energy_in_fettle.hpp"
#include "lattice_collisions.hpp"
#include "lattice_collisions_in_fettle.hpp"
#include "leapfrog_steps.hpp"
#include "leapfrog_steps_in_fettle.hpp"
#include "mass_centres.hpp"
#include "mass_centres_in_fettle.hpp"

namespace suite {

using all = computations<bond_forces, kinetic_energy, leapfrog_steps, lattice_collisions,
                         mass_centres, joint_rotations, bounding_boxes>;

}  // namespace suite
