// The Matrix Market reader: what it reads, and what it refuses, where and why.
#include "../../examples/spmv/matrix_market.hpp"
#include "support/catch.hpp"
#include "support/scratch.hpp"

namespace {

spmv::csr_matrix<double> parse(const std::string& text) {
  return spmv::parse_matrix_market(text, "m.mtx");
}

template <class Function>
std::string problem_of(Function&& function) {
  try {
    function();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

/// What the reader says about the text; "none" where it takes it.
std::string problem(const std::string& text) {
  return problem_of([&] { (void)parse(text); });
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string general = "%%MatrixMarket matrix coordinate real general\n";

std::string compress(const std::string& text) {
  std::string packed(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  const auto code = lzma_easy_buffer_encode(
      6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
      reinterpret_cast<std::uint8_t*>(packed.data()), &size, packed.size());
  REQUIRE(code == LZMA_OK);
  packed.resize(size);
  return packed;
}

}  // namespace

TEST_CASE("general, symmetric and skew-symmetric matrices are read") {
  auto a = parse(general + "% a comment\n\n3 4 4\n1 1 1.5\n3 4 -2e1\r\n2 1 +7\n\n  3\t2  .5 \n");
  CHECK(a.rows == 3);
  CHECK(a.columns_count == 4);
  CHECK(a.row_offsets == std::vector<spmv::index>{0, 1, 2, 4});
  CHECK(a.columns == std::vector<spmv::index>{0, 0, 1, 3});
  CHECK(a.values == std::vector<double>{1.5, 7, 0.5, -20});

  a = parse("%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n1 1 4\n3 1 5\n3 3 6");
  CHECK(a.columns == std::vector<spmv::index>{0, 2, 0, 2});
  CHECK(a.values == std::vector<double>{4, 5, 5, 6});

  a = parse("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n");
  CHECK(a.columns == std::vector<spmv::index>{1, 0});
  CHECK(a.values == std::vector<double>{-3, 3});

  a = parse("%%matrixmarket MATRIX Coordinate Pattern Symmetric\n2 2 2\n2 1\n2 2\n");
  CHECK(a.values == std::vector<double>{1, 1, 1});
  CHECK(a.row_offsets == std::vector<spmv::index>{0, 1, 3});
}

TEST_CASE("duplicates are added up, empty matrices are matrices") {
  const auto a = parse(general + "2 2 3\n2 2 1\n1 1 5\n2 2 2.5\n");
  CHECK(a.values == std::vector<double>{5, 3.5});
  CHECK(parse(general + "0 0 0\n").rows == 0);
  CHECK(parse(general + "3 0 0\n").row_offsets.size() == 4);
}

TEST_CASE("a wrong banner is refused with what could be read instead") {
  CHECK(has(problem(""), "no Matrix Market file"));
  CHECK(has(problem("1 1 1\n1 1 1\n"), "m.mtx:1: no Matrix Market file"));
  CHECK(has(problem("%%MatrixMarket vector coordinate real general\n"), "'vector'"));
  CHECK(has(problem("%%MatrixMarket matrix array real general\n"), "store it as 'coordinate'"));
  CHECK(has(problem("%%MatrixMarket matrix coordinate complex general\n"), "imaginary part"));
  CHECK(has(problem("%%MatrixMarket matrix coordinate real hermitian\n"), "'hermitian'"));
  CHECK(has(problem("%%MatrixMarket matrix coordinate real\n"), "symmetry is ''"));
  CHECK(has(problem("%%MatrixMarket matrix coordinate pattern skew-symmetric\n"), "no signs"));
  CHECK(has(problem("%%MatrixMarket matrix coordinate real general nice\n"), "'nice'"));
}

TEST_CASE("a wrong size line is refused") {
  CHECK(has(problem(general), "ends before the line"));
  CHECK(has(problem(general + "2 2\n"), "m.mtx:2: the number of entries is missing"));
  CHECK(has(problem(general + "2 x 1\n"), "the number of columns 'x' is not a whole number"));
  CHECK(has(problem(general + "2 2.5 1\n"), "'2.5' is not a whole number"));
  CHECK(has(problem(general + "-2 2 1\n"), "must not be negative"));
  CHECK(has(problem(general + "2 2 1 7\n"), "unexpected '7'"));
  CHECK(has(problem(general + "99999999999 2 0\n"), "at most 268435456"));
  CHECK(has(problem(general + "99999999999999999999 2 0\n"), "is not a whole number"));
  CHECK(has(problem("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n"), "must be square"));
  // A count that the file cannot hold is refused before anything is allocated for it.
  CHECK(has(problem(general + "2 2 9000000000000000\n1 1 1\n"), "it is truncated"));
}

TEST_CASE("a wrong entry is refused with its line") {
  CHECK(has(problem(general + "2 2 1\n3 1 1\n"), "m.mtx:3: entry (3, 1) is outside"));
  CHECK(has(problem(general + "2 2 1\n0 1 1\n"), "indices start at 1"));
  CHECK(has(problem(general + "2 2 1\n1 1\n"), "the value is missing"));
  CHECK(has(problem(general + "2 2 1\n1 1 abc\n"), "the value 'abc' is not a number"));
  CHECK(has(problem(general + "2 2 1\n1 1 1.5D3\n"), "the value '1.5D3' is not a number"));
  CHECK(has(problem(general + "2 2 1\n1 1 +-1\n"), "is not a number"));
  CHECK(has(problem(general + "2 2 1\n1 1 nan\n"), "not finite"));
  CHECK(has(problem(general + "2 2 1\n1 1 1e999\n"), "is not a number"));
  CHECK(has(problem(general + "2 2 1\n1 1 1 1\n"), "unexpected '1' after 'row column value'"));
  CHECK(has(problem(general + "2 2 2\n1 1 1\n% the rest is lost\n"), "ends after 1 of 2 entries"));
  CHECK(has(problem(general + "2 2 1\n1 1 1\n2 2 2\n"), "m.mtx:4: there is more after the 1"));
  const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n";
  CHECK(has(problem(symmetric + "1 2 1\n"), "lower triangle only"));
  const std::string skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n";
  CHECK(has(problem(skew + "1 1 1\n"), "on the diagonal"));
  CHECK(problem(skew + "1 1 0\n") == "none");
}

TEST_CASE("every truncation of a file is refused") {
  const std::string text = general + "3 3 3\n1 1 10\n2 2 20\n3 3 30\n";
  CHECK(problem(text) == "none");
  // The last number may lose its last digits and still be one; up to there all must be refused.
  for (std::size_t length = 0; length < text.size() - 3; ++length) {
    INFO(length << " bytes");
    CHECK(problem(text.substr(0, length)) != "none");
  }
}

TEST_CASE("files are read plain or compressed, whatever they are called") {
  const test::scratch folder;
  const std::string file = folder / "file";
  const std::string text = general + "2 2 1\n2 1 4\n";
  const std::string packed = compress(text);
  for (const std::string& content : {text, packed}) {
    test::write_text(file, content);
    CHECK(spmv::read_matrix_market(file).values == std::vector<double>{4});
  }
  for (std::size_t length = 6; length < packed.size(); ++length)
    CHECK(problem_of([&] { spmv::decompress_xz(packed.substr(0, length), "x"); }) ==
          "x: its compressed data end too early; fetch the file again");
  std::string damaged = packed;
  damaged[damaged.size() / 2] ^= 0x55;
  CHECK(has(problem_of([&] { spmv::decompress_xz(damaged, "x"); }), "data are damaged"));
  const auto bomb = compress(std::string(100000, ' '));
  CHECK(has(problem_of([&] { spmv::decompress_xz(bomb, "b", 1000); }), "b: more than 1000 bytes"));
  CHECK(has(problem_of([] { (void)spmv::read_matrix_market("/no/such/file.mtx"); }),
            "/no/such/file.mtx: cannot be opened"));
  CHECK(has(problem_of([] { (void)spmv::read_matrix_market("/"); }), "cannot be read"));
}
