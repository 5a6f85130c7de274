#include <string>

#include <fettle/core/crc32.hpp>

#include "support/catch.hpp"

TEST_CASE("crc32 gives zlib's values") {
  CHECK(fettle::crc32("") == 0U);
  CHECK(fettle::crc32("a") == 0xE8B7BE43U);
  CHECK(fettle::crc32("The quick brown fox jumps over the lazy dog") == 0x414FA339U);
  CHECK(fettle::crc32(std::string(1000, '\xff')) == 0xE0533230U);
}

TEST_CASE("crc32 continues from the checksum of what came before") {
  const std::string text = "fettle-model 1\nfunction spmv\n";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    CHECK(fettle::crc32(text.substr(cut), fettle::crc32(text.substr(0, cut))) ==
          fettle::crc32(text));
  }
}

TEST_CASE("crc32 notices each changed bit") {
  const std::string text = "variants csr dia ell";
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string changed = text;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    CHECK(fettle::crc32(changed) != fettle::crc32(text));
  }
}
