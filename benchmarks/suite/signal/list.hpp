// The computations on signals.
#pragma once

#include "../common/driver.hpp"
#include "autocorrelation.hpp"
#include "autocorrelation_in_fettle.hpp"
#include "decoded_differences.hpp"
#include "decoded_differences_in_fettle.hpp"
#include "envelope.hpp"
#include "envelope_in_fettle.hpp"
#include "frame_energies.hpp"
#include "frame_energies_in_fettle.hpp"
#include "linear_recurrence.hpp"
#include "linear_recurrence_in_fettle.hpp"
#include "tone_powers.hpp"
#include "tone_powers_in_fettle.hpp"
#include "weighted_windows.hpp"
#include "weighted_windows_in_fettle.hpp"

namespace suite {

using all = computations<linear_recurrence, weighted_windows, envelope, frame_energies,
                         autocorrelation, tone_powers, decoded_differences>;

}  // namespace suite
