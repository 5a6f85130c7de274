// The end user's program: it knows nothing of variants. Prints a checksum of y = A x.
#include <cstdio>
#include <exception>

#include "read_matrix.hpp"
#include "sparse_mat_vec.hpp"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: spmv MATRIX.mtx\n");
    return 2;
  }
  try {
    MySparse::HostMatrix matrix = MySparse::read_matrix(arguments[1]);
    MySparse::SparseMatVec(&matrix);
    double sum = 0.0;
    for (const double y : matrix.y) sum += y;
    std::printf("%.12g\n", sum);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "spmv: %s\n", problem.what());
    return 1;
  }
}
