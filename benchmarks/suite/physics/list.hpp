// The computations of physics.
#pragma once

#include "../common/driver.hpp"
#include "bond_forces.hpp"
#include "bounding_boxes.hpp"
#include "joint_rotations.hpp"
#include "kinetic_energy.hpp"
#include "lattice_collisions.hpp"
#include "leapfrog_steps.hpp"
#include "mass_centres.hpp"

namespace suite {

using all = computations<bond_forces, kinetic_energy, leapfrog_steps, lattice_collisions,
                         mass_centres, joint_rotations, bounding_boxes>;

}  // namespace suite
