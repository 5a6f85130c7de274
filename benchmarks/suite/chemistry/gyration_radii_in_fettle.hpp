// gyration_radii in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "gyration_radii.hpp"

namespace suite {
template <>
struct fettle_expression<gyration_radii> {
  using point = gyration_radii::point;
  using moment = gyration_radii::moment;

  struct weigh {
    FETTLE_HOST_DEVICE moment operator()(const point& p, float mass) const {
      return {mass * p.x, mass * p.y, mass * p.z, mass};
    }
  };
  struct weighted_square {
    point centre;
    FETTLE_HOST_DEVICE float operator()(const point& p, float mass) const {
      return mass * gyration_radii::square(p, centre.x, centre.y, centre.z);
    }
  };
  struct radius {
    ndp::sequence<const float> masses;
    template <typename Points, typename Elements>
    FETTLE_HOST_DEVICE auto operator()(const Points& points, const Elements& elements) const {
      const auto mass = ndp::gather(masses, elements);
      const moment all =
          ndp::reduce(gyration_radii::add{}, ndp::map(weigh{}, points, mass), moment{0, 0, 0, 0});
      const point centre{all.x / all.mass, all.y / all.mass, all.z / all.mass};
      const float squares =
          ndp::reduce(ndp::plus{}, ndp::map(weighted_square{centre}, points, mass), 0.0f);
      return all.mass > 0 ? std::sqrt(squares / all.mass) : 0.0f;
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const point> p, view<const std::uint8_t> element,
                  view<const index> offsets, view<const float> masses, view<float> y) {
    const auto ends = sequence_of(offsets);
    ndp::execute<"gyration_radii">(
        ndp::map(radius{sequence_of(masses)}, ndp::nest(sequence_of(p), ends),
                 ndp::nest(sequence_of(element), ends)),
        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
