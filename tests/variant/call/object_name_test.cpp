#include <fettle/variant/call/object_name.hpp>

#include "support/catch.hpp"

namespace outer::inner {
struct plain {
  virtual ~plain() = default;
};
template <typename T, int N>
struct generic : plain {};
}  // namespace outer::inner

using fettle::detail::full_class_name;
using fettle::detail::short_class_name;

TEST_CASE("an object is named after its class, whichever base it is seen through") {
  const outer::inner::generic<outer::inner::plain, 3> object;
  const outer::inner::plain& base = object;
  CHECK(full_class_name(base) == "outer::inner::generic<outer::inner::plain, 3>");
  CHECK(short_class_name(full_class_name(base)) == "generic");
  CHECK(short_class_name("dia_type") == "dia_type");
  CHECK(short_class_name("a::f(int)::local") == "local");
  CHECK(full_class_name(4) == "int");
  CHECK(fettle::detail::identity(&base) == static_cast<const void*>(&object));
}
