// Tuning policies, as generated policy headers (docs/formats.md, section 3) include them.
#pragma once

#include <fettle/variant/registration/policy.hpp>
