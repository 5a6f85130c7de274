// The computations of databases.
#pragma once

#include "../common/driver.hpp"
#include "bitmap_overlaps.hpp"
#include "bitmap_overlaps_in_fettle.hpp"
#include "decoded_strings.hpp"
#include "decoded_strings_in_fettle.hpp"
#include "discounted_revenue.hpp"
#include "discounted_revenue_in_fettle.hpp"
#include "group_totals.hpp"
#include "group_totals_in_fettle.hpp"
#include "hash_probes.hpp"
#include "hash_probes_in_fettle.hpp"
#include "latest_orders.hpp"
#include "latest_orders_in_fettle.hpp"
#include "permuted_records.hpp"
#include "permuted_records_in_fettle.hpp"
#include "price_bands.hpp"
#include "price_bands_in_fettle.hpp"
#include "record_offsets.hpp"
#include "record_offsets_in_fettle.hpp"

namespace suite {

using all =
    computations<group_totals, discounted_revenue, latest_orders, decoded_strings, hash_probes,
                 bitmap_overlaps, permuted_records, record_offsets, price_bands>;

}  // namespace suite
