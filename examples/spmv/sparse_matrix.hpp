// The matrix that the tuned function takes: CSR, and the other formats where their fill allows it.
#pragma once

#include <optional>

#include "dia.hpp"
#include "ell.hpp"
#include "sell.hpp"

namespace spmv {

/// Places that a format stores for each nonzero; a format is only made up to this fill. Above it,
/// the padding alone moves more bytes than the whole of CSR.
inline constexpr double largest_fill = 4;

/// One matrix in all its formats. As in the paper (dissertation 2.3.1), converting is part of
/// loading the matrix and not of the multiplication that is tuned; what a format would have to pad
/// is known from then on, whether it was made or not. The padded formats multiply their zeros with
/// elements of x, which must therefore be finite.
struct sparse_matrix {
  csr_matrix<double> csr;
  index longest_row = 0;
  double dia_fill = 1;  ///< stored elements for each nonzero; 1 for a matrix without nonzeros
  double ell_fill = 1;
  double sell_fill = 1;
  std::optional<dia_matrix<double>> dia;
  std::optional<ell_matrix<double>> ell;
  std::optional<sell_matrix<double>> sell;
};

/// Converts to every format whose fill is at most `largest_fill`. O(nonzeros + rows + columns).
inline sparse_matrix with_all_formats(csr_matrix<double> csr) {
  sparse_matrix a;
  a.csr = std::move(csr);
  a.longest_row = longest_row(a.csr);
  auto diagonals = occupied_diagonals(a.csr);
  auto sell = sell_from_csr(a.csr);
  if (const double nonzeros = a.csr.nonzeros(); nonzeros > 0) {
    const auto stored = [&](index block, double stored_per_row) {
      return static_cast<double>((a.csr.rows + block - 1) / block) * block * stored_per_row;
    };
    const auto diagonal_count = static_cast<double>(diagonals.size());
    a.dia_fill = stored(dia_matrix<double>::block, diagonal_count) / nonzeros;
    a.ell_fill = stored(ell_matrix<double>::lanes, a.longest_row) / nonzeros;
    a.sell_fill = static_cast<double>(sell.values.size()) / nonzeros;
  }
  if (a.dia_fill <= largest_fill) a.dia = dia_from_csr(a.csr, std::move(diagonals));
  if (a.ell_fill <= largest_fill) a.ell = ell_from_csr(a.csr, a.longest_row);
  if (a.sell_fill <= largest_fill) a.sell = std::move(sell);
  return a;
}

}  // namespace spmv
