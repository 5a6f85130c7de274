// The computations of linear algebra.
#pragma once

#include "../common/driver.hpp"
#include "block_sparse_product.hpp"
#include "block_sparse_product_in_fettle.hpp"
#include "chain_products.hpp"
#include "chain_products_in_fettle.hpp"
#include "complex_sparse_product.hpp"
#include "complex_sparse_product_in_fettle.hpp"
#include "row_norms.hpp"
#include "row_norms_in_fettle.hpp"
#include "sampled_products.hpp"
#include "sampled_products_in_fettle.hpp"
#include "two_sided_scaling.hpp"
#include "two_sided_scaling_in_fettle.hpp"

namespace suite {

using all = computations<row_norms, complex_sparse_product, block_sparse_product, two_sided_scaling,
                         sampled_products, chain_products>;

}  // namespace suite
