// A position or a force in space, on the host and in kernels.
#pragma once

#include <fettle/core/host_device.hpp>

namespace examples {

struct vec3 {
  double x = 0;
  double y = 0;
  double z = 0;

  FETTLE_HOST_DEVICE friend constexpr vec3 operator+(const vec3& a, const vec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  FETTLE_HOST_DEVICE friend constexpr vec3 operator-(const vec3& a, const vec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  FETTLE_HOST_DEVICE friend constexpr vec3 operator*(double s, const vec3& a) {
    return {s * a.x, s * a.y, s * a.z};
  }
  FETTLE_HOST_DEVICE friend constexpr double dot(const vec3& a, const vec3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  }
};

}  // namespace examples
