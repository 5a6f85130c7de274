// The computations of chemistry.
#pragma once

#include "../common/driver.hpp"
#include "gyration_radii.hpp"
#include "gyration_radii_in_fettle.hpp"
#include "mass_spectra.hpp"
#include "mass_spectra_in_fettle.hpp"
#include "pair_energies.hpp"
#include "pair_energies_in_fettle.hpp"
#include "peak_pairs.hpp"
#include "peak_pairs_in_fettle.hpp"

namespace suite {

using all = computations<pair_energies, gyration_radii, mass_spectra, peak_pairs>;

}  // namespace suite
