// Links every header's translation units together; that it links and starts is the test.
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/version.hpp>

#define TEXT_OF(name) #name
#define EXPANDED_TEXT_OF(name) TEXT_OF(name)
static_assert(std::string_view(EXPANDED_TEXT_OF(FETTLE_ABI)) == VERSION_NAMESPACE,
              "FETTLE_ABI in core/abi.hpp names another version than core/version.hpp");
static_assert(std::string_view(FETTLE_VERSION) ==
                  EXPANDED_TEXT_OF(FETTLE_VERSION_MAJOR) "." EXPANDED_TEXT_OF(
                      FETTLE_VERSION_MINOR) "." EXPANDED_TEXT_OF(FETTLE_VERSION_PATCH),
              "The macros in core/version.hpp name different versions");

int first_unit();
int second_unit();

int main() { return first_unit() + second_unit(); }
