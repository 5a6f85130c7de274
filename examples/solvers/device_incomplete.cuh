// Incomplete factors with the matrix's own pattern on a GPU: exactly, by cuSPARSE, and by
// fixed-point sweeps (Chow, Patel, SISC 2015). For a symmetric matrix they are those of the
// incomplete Cholesky factorisation L D L^T.
#pragma once

#include "device_preconditioners.cuh"

namespace solvers::device {

/// Factors and triangular solves by cuSPARSE. Not usable where a pivot is zero, or missing.
class incomplete_lu {
 public:
  explicit incomplete_lu(const system& s) : a_(s.a), factors_(s.a.values) {
    between_ = array<double>(static_cast<std::size_t>(s.size()));
    is_usable = factorise();
    if (is_usable) {
      lower_.analyse(*this, CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_UNIT);
      upper_.analyse(*this, CUSPARSE_FILL_MODE_UPPER, CUSPARSE_DIAG_TYPE_NON_UNIT);
    }
  }
  void apply(const array<double>& r, array<double>& z) const {
    lower_.solve(r, between_);
    upper_.solve(between_, z);
  }

  bool is_usable = false;

 private:
  static void check(cusparseStatus_t status, const char* what) {
    spmv::device::check(status, what);
  }
  static cusparseHandle_t handle() { return spmv::device::cusparse(); }

  bool factorise() {
    struct descriptors {
      cusparseMatDescr_t matrix = nullptr;
      csrilu02Info_t info = nullptr;
      ~descriptors() {
        cusparseDestroyCsrilu02Info(info);
        cusparseDestroyMatDescr(matrix);
      }
    } made;
    check(cusparseCreateMatDescr(&made.matrix), "cusparseCreateMatDescr");
    check(cusparseCreateCsrilu02Info(&made.info), "cusparseCreateCsrilu02Info");
    const int rows = a_.rows;
    const auto entries = static_cast<int>(factors_.size());
    int bytes = 0;
    check(cusparseDcsrilu02_bufferSize(handle(), rows, entries, made.matrix, factors_.data(),
                                       a_.offsets.data(), a_.columns.data(), made.info, &bytes),
          "cusparseDcsrilu02_bufferSize");
    void* const buffer = examples::device::scratch(2, static_cast<std::size_t>(bytes));
    check(cusparseDcsrilu02_analysis(handle(), rows, entries, made.matrix, factors_.data(),
                                     a_.offsets.data(), a_.columns.data(), made.info,
                                     CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer),
          "cusparseDcsrilu02_analysis");
    if (has_zero_pivot(made.info)) return false;
    check(
        cusparseDcsrilu02(handle(), rows, entries, made.matrix, factors_.data(), a_.offsets.data(),
                          a_.columns.data(), made.info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer),
        "cusparseDcsrilu02");
    return !has_zero_pivot(made.info);
  }
  static bool has_zero_pivot(csrilu02Info_t info) {
    int row = 0;
    const cusparseStatus_t found = cusparseXcsrilu02_zeroPivot(handle(), info, &row);
    if (found != CUSPARSE_STATUS_ZERO_PIVOT) check(found, "cusparseXcsrilu02_zeroPivot");
    return found == CUSPARSE_STATUS_ZERO_PIVOT;
  }

  /// One of the two triangles, with its analysis.
  class triangle {
   public:
    triangle() = default;
    triangle(const triangle&) = delete;
    triangle& operator=(const triangle&) = delete;
    ~triangle() {
      if (solver_ != nullptr) cusparseSpSV_destroyDescr(solver_);
      if (y_ != nullptr) cusparseDestroyDnVec(y_);
      if (x_ != nullptr) cusparseDestroyDnVec(x_);
      if (matrix_ != nullptr) cusparseDestroySpMat(matrix_);
    }
    void analyse(const incomplete_lu& of, cusparseFillMode_t fill, cusparseDiagType_t diagonal) {
      check(cusparseCreateCsr(&matrix_, of.a_.rows, of.a_.rows,
                              static_cast<std::int64_t>(of.factors_.size()), of.a_.offsets.data(),
                              of.a_.columns.data(), of.factors_.data(), CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
            "cusparseCreateCsr");
      check(cusparseSpMatSetAttribute(matrix_, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill)),
            "cusparseSpMatSetAttribute");
      check(
          cusparseSpMatSetAttribute(matrix_, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof(diagonal)),
          "cusparseSpMatSetAttribute");
      double* const any = of.between_.data();
      check(cusparseCreateDnVec(&x_, of.a_.rows, any, CUDA_R_64F), "cusparseCreateDnVec");
      check(cusparseCreateDnVec(&y_, of.a_.rows, any, CUDA_R_64F), "cusparseCreateDnVec");
      check(cusparseSpSV_createDescr(&solver_), "cusparseSpSV_createDescr");
      std::size_t bytes = 0;
      check(cusparseSpSV_bufferSize(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, x_,
                                    y_, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, solver_, &bytes),
            "cusparseSpSV_bufferSize");
      buffer_ = array<char>(bytes);
      check(
          cusparseSpSV_analysis(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, x_, y_,
                                CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, solver_, buffer_.data()),
          "cusparseSpSV_analysis");
    }
    void solve(const array<double>& right, const array<double>& solution) const {
      check(cusparseDnVecSetValues(x_, right.data()), "cusparseDnVecSetValues");
      check(cusparseDnVecSetValues(y_, solution.data()), "cusparseDnVecSetValues");
      check(cusparseSpSV_solve(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, x_, y_,
                               CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, solver_),
            "cusparseSpSV_solve");
    }

   private:
    static constexpr double one_ = 1;
    cusparseSpMatDescr_t matrix_ = nullptr;
    cusparseDnVecDescr_t x_ = nullptr;
    cusparseDnVecDescr_t y_ = nullptr;
    cusparseSpSVDescr_t solver_ = nullptr;
    array<char> buffer_;
  };

  const matrix& a_;
  array<double> factors_;
  array<double> between_;
  triangle lower_;
  triangle upper_;
};

/// The row and the diagonal's position of every entry's row; counts missing diagonals.
__global__ void find_rows_kernel(csr_view a, int* rows, int* diagonals, int* missing) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= a.rows) return;
  diagonals[i] = position_of(a, i, i);
  if (diagonals[i] < 0 || a.values[diagonals[i]] == 0) atomicAdd(missing, 1);
  for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k) rows[k] = i;
}

/// A thread an entry: what it has to be for the product of the factors to equal the matrix there,
/// given the other entries. The first guess is the matrix, its lower part scaled by the diagonal.
__global__ void sweep_kernel(csr_view a, int entries, const int* rows, const int* diagonals,
                             const double* before, double* after) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (at >= entries) return;
  const int i = rows[at];
  const int j = a.columns[at];
  double value = a.values[at];
  if (before == nullptr) {
    after[at] = i > j ? value / a.values[diagonals[j]] : value;
    return;
  }
  for (int k = a.offsets[i]; a.columns[k] < min(i, j); ++k) {
    const int other = position_of(a, a.columns[k], j);
    if (other >= 0) value -= before[k] * before[other];
  }
  after[at] = i > j ? value / before[diagonals[j]] : value;
}

/// Makes the lower factor the upper one's transpose over the diagonal, as conjugate gradients need.
__global__ void symmetrise_kernel(csr_view a, int entries, const int* rows, const int* diagonals,
                                  const double* before, double* after) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (at >= entries) return;
  const int i = rows[at];
  const int j = a.columns[at];
  const int mirrored = i > j ? position_of(a, j, i) : -1;
  after[at] = mirrored >= 0 ? before[mirrored] / before[diagonals[j]] : before[at];
}

/// One sweep of z = D^-1 (r - N z), where N is the strict lower or upper triangle and D is 1 or the
/// diagonal; the first sweep, without a `before`, is z = D^-1 r.
template <bool Lower>
__global__ void triangle_sweep_kernel(csr_view factors, const int* diagonals, const double* r,
                                      const double* before, double* after) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= factors.rows) return;
  const int diagonal = diagonals[i];
  double sum = r[i];
  if (before != nullptr)
    for (int k = Lower ? factors.offsets[i] : diagonal + 1;
         k < (Lower ? diagonal : factors.offsets[i + 1]); ++k)
      sum -= factors.values[k] * before[factors.columns[k]];
  after[i] = Lower ? sum : sum / factors.values[diagonal];
}

/// Factors and triangular solves by a few sweeps, each as parallel as a product with the matrix.
class incomplete_sweeps {
 public:
  explicit incomplete_sweeps(const system& s)
      : view_(s.a.view()),
        rows_(s.a.values.size()),
        diagonals_(static_cast<std::size_t>(s.size())),
        factors_(s.a.values.size()),
        other_(s.a.values.size()),
        vectors_(3 * static_cast<std::size_t>(s.size())) {
    const array<int> missing(std::vector<int>{0});
    find_rows_kernel<<<row_blocks(view_.rows), row_block>>>(view_, rows_.data(), diagonals_.data(),
                                                            missing.data());
    is_usable = missing.host().front() == 0;
    if (!is_usable) return;
    const auto entries = static_cast<int>(factors_.size());
    const double* before = nullptr;
    for (int n = 0; n <= factor_sweeps; ++n) {
      sweep_kernel<<<row_blocks(entries), row_block>>>(view_, entries, rows_.data(),
                                                       diagonals_.data(), before, other_.data());
      factors_.swap(other_);
      before = factors_.data();
    }
    if (s.host.is_symmetric) {
      symmetrise_kernel<<<row_blocks(entries), row_block>>>(
          view_, entries, rows_.data(), diagonals_.data(), before, other_.data());
      factors_.swap(other_);
    }
    view_.values = factors_.data();
  }
  void apply(const array<double>& r, array<double>& z) const {
    double* const first = vectors_.data();
    double* const second = first + view_.rows;
    double* const third = second + view_.rows;
    const double* const lower = solve<true>(r.data(), first, second);
    // What is left of the two is not read any more.
    double* const spare = lower == first ? second : first;
    const double* const upper = solve<false>(lower, spare, third);
    check(cudaMemcpyAsync(z.data(), upper, static_cast<std::size_t>(view_.rows) * sizeof(double),
                          cudaMemcpyDeviceToDevice),
          "cudaMemcpyAsync");
  }

  bool is_usable = false;

 private:
  static constexpr int factor_sweeps = 4;
  static constexpr int solve_sweeps = 3;

  template <bool Lower>
  const double* solve(const double* r, double* one, double* two) const {
    const double* before = nullptr;
    for (int n = 0; n <= solve_sweeps; ++n) {
      double* const after = n % 2 == 0 ? one : two;
      triangle_sweep_kernel<Lower>
          <<<row_blocks(view_.rows), row_block>>>(view_, diagonals_.data(), r, before, after);
      before = after;
    }
    return before;
  }

  csr_view view_;
  array<int> rows_;
  array<int> diagonals_;
  array<double> factors_;
  array<double> other_;
  array<double> vectors_;
};

}  // namespace solvers::device
