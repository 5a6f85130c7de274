// The computations of databases.
#pragma once

#include "../common/driver.hpp"
#include "bitmap_overlaps.hpp"
#include "decoded_strings.hpp"
#include "discounted_revenue.hpp"
#include "group_totals.hpp"
#include "hash_probes.hpp"
#include "latest_orders.hpp"
#include "permuted_records.hpp"
#include "price_bands.hpp"
#include "record_offsets.hpp"

namespace suite {

using all =
    computations<group_totals, discounted_revenue, latest_orders, decoded_strings, hash_probes,
                 bitmap_overlaps, permuted_records, record_offsets, price_bands>;

}  // namespace suite
