// The computations on signals.
#pragma once

#include "../common/driver.hpp"
#include "autocorrelation.hpp"
#include "decoded_differences.hpp"
#include "envelope.hpp"
#include "frame_energies.hpp"
#include "linear_recurrence.hpp"
#include "tone_powers.hpp"
#include "weighted_windows.hpp"

namespace suite {

using all = computations<linear_recurrence, weighted_windows, envelope, frame_energies,
                         autocorrelation, tone_powers, decoded_differences>;

}  // namespace suite
