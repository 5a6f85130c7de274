// LUD (Rodinia): a matrix into a lower and an upper triangular one, by blocks of 16. In each step
// of the loop what is left is a block smaller on both sides: the perimeter, rows of blocks times
// the diagonal block's inverse, and the interior, minus the products of both. One threshold serves
// all steps: the thesis's loop-based case.
#pragma once

#include "measuring.hpp"

namespace thresholds {

struct lud {
  static constexpr const char* name = "lud";
  static constexpr index_t block = 16;

  static index_t elements(const data_set& d) { return d.a * d.a * block; }
  static std::vector<data_set> data() {
    return {{"64", true, 64},     {"128", false, 128},   {"256", true, 256},   {"512", false, 512},
            {"1024", true, 1024}, {"2048", false, 2048}, {"4096", true, 4096}, {"32", false, 32}};
  }

  // Element (column, i) of inverse * perimeter, a block high: element k of its sum.
  struct solved {
    const float* inverse;
    const float* matrix;
    index_t size;
    index_t done;
    FETTLE_HOST_DEVICE float operator()(index_t cell, index_t k) const {
      const index_t column = cell / block;
      return inverse[(cell - column * block) * block + k] *
             matrix[(done - block + k) * size + done + column];
    }
  };
  // Of the interior's element (row, column) a part of what is subtracted.
  struct product {
    const float* matrix;
    index_t size;
    index_t done;
    FETTLE_HOST_DEVICE float operator()(index_t row, index_t column, index_t k) const {
      return matrix[(done + row) * size + done - block + k] *
             matrix[(done - block + k) * size + done + column];
    }
  };

  static void run(bench& b) {
    const index_t size = b.data.a;
    array<float> matrix = some_numbers(size * size);
    array<float> inverse = some_numbers(block * block);
    const float* m = pointer_to(matrix);
    for (index_t done = block; done < size; done += block) {
      const index_t left = size - done;
      b.step = static_cast<int>(done / block);
      b.reduces("perimeter", {left * block, block}, ndp::plus{}, 0.0F,
                solved{pointer_to(inverse), m, size, done});
      b.reduces_cells("interior", {left, left}, block, ndp::plus{}, product{m, size, done});
    }
  }
};

}  // namespace thresholds
