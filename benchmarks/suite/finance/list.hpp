// The computations of finance.
#pragma once

#include "../common/driver.hpp"
#include "candles.hpp"
#include "candles_in_fettle.hpp"
#include "converted_trades.hpp"
#include "converted_trades_in_fettle.hpp"
#include "deepest_drawdown.hpp"
#include "deepest_drawdown_in_fettle.hpp"
#include "option_prices.hpp"
#include "option_prices_in_fettle.hpp"

namespace suite {

using all = computations<option_prices, deepest_drawdown, candles, converted_trades>;

}  // namespace suite
