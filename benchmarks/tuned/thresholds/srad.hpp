// SRAD (Rodinia): speckle reducing diffusion of images. In each iteration the mean and variance of
// every image, then a step of diffusion for every pixel.
#pragma once

#include "measuring.hpp"

namespace thresholds {

struct moments {
  float sum;
  float squares;
};

struct add_moments {
  static constexpr bool is_commutative = true;
  FETTLE_HOST_DEVICE moments operator()(const moments& a, const moments& b) const {
    return {a.sum + b.sum, a.squares + b.squares};
  }
};

struct srad {
  static constexpr const char* name = "srad";

  static index_t elements(const data_set& d) { return d.a * d.b; }
  static std::vector<data_set> data() {
    return {{"1 of 16x16", true, 1, 256, 16},           {"1 of 502x458", false, 1, 229916, 458},
            {"1 of 1024x1024", true, 1, 1 << 20, 1024}, {"16 of 256x256", true, 16, 65536, 256},
            {"64 of 64x64", true, 64, 4096, 64},        {"1024 of 16x16", false, 1024, 256, 16},
            {"4096 of 16x16", true, 4096, 256, 16},     {"256 of 128x128", false, 256, 16384, 128},
            {"65536 of 8x8", true, 65536, 64, 8}};
  }

  struct of_pixel {
    const float* pixels;
    index_t size;
    FETTLE_HOST_DEVICE moments operator()(index_t image, index_t i) const {
      const float value = pixels[image * size + i];
      return {value, value * value};
    }
  };
  struct diffused {
    const float* pixels;
    index_t size;
    index_t width;
    FETTLE_HOST_DEVICE float operator()(index_t image, index_t i) const {
      const float* of = pixels + image * size;
      const float here = of[i];
      const index_t column = i % width;
      const float north = i >= width ? of[i - width] : here;
      const float south = i + width < size ? of[i + width] : here;
      const float west = column > 0 ? of[i - 1] : here;
      const float east = column + 1 < width ? of[i + 1] : here;
      const float change = north + south + west + east - 4 * here;
      return here + 0.125F * change / (1.0F + change * change);
    }
  };

  static void run(bench& b) {
    const auto [images, size, width] = std::tuple(b.data.a, b.data.b, b.data.c);
    array<float> pixels = some_numbers(images * size);
    b.reduces("statistics", {images, size}, add_moments{}, moments{0, 0},
              of_pixel{pointer_to(pixels), size});
    b.maps("diffusion", {images, size}, diffused{pointer_to(pixels), size, width});
  }
};

}  // namespace thresholds
