#include "tests/catch.hpp"

#include "distributed/make_team.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

/// Matrices that ranks share by rows, and by columns.
namespace corral::test {
namespace {

using distributed::SharedMatrix;

double entry(int matrix, std::int64_t row, std::int64_t column, std::int64_t number) {
  return static_cast<double>(number + 10 * (column + 1000 * (row + 1000 * matrix))) + 0.5;
}

} // namespace

TEST_CASE("Matrices go from rows to columns and back, whoever has how much of them") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  const auto each = [](const SharedMatrix& m, int matrices, std::int64_t rows, std::int64_t columns, std::int64_t stride, const auto& f) {
    for (int k = 0; k < matrices; ++k)
      for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
          for (std::int64_t b = 0; b < m.block; ++b)
            f(static_cast<std::size_t>(m.block * (column + stride * (row + rows * k)) + b), k, row, column, b);
  };
  for (const std::int64_t columns : {1, 2, 7, 33}) {
    // As many rows as the rank's number says: none of the first one's.
    const SharedMatrix m{.rows = team->size() == 1 ? 3 : 2 * team->rank(), .columns = columns, .block = 4, .row_stride = columns + 3};
    const std::int64_t before = static_cast<std::int64_t>(team->rank()) * (team->rank() - 1);
    const auto moved = team->transposition(m);
    const std::int64_t first = moved->first_column();
    CHECK(team->sums(std::vector{static_cast<double>(moved->columns())}).front() == static_cast<double>(columns));
    CHECK(moved->rows() == (team->size() == 1 ? 3 : team->size() * (team->size() - 1)));
    CHECK(moved->row_stride() >= moved->columns());
    CHECK(moved->row_stride() % 2 == 1);
    for (const int matrices : {1, 3, 1}) {
      const std::size_t size = static_cast<std::size_t>(m.block * m.row_stride * m.rows * matrices);
      std::vector<double> by_rows(size, -1), back(size, -1);
      std::vector<double> by_columns(static_cast<std::size_t>(m.block * moved->row_stride() * moved->rows() * matrices), -2);
      each(m, matrices, m.rows, m.columns, m.row_stride,
           [&](std::size_t i, int k, std::int64_t row, std::int64_t column, std::int64_t b) { by_rows[i] = entry(k, before + row, column, b); });
      moved->by_columns(by_rows.data(), by_columns.data(), matrices);
      std::int64_t wrong = 0, seen = 0;
      each(m, matrices, moved->rows(), moved->columns(), moved->row_stride(), [&](std::size_t i, int k, std::int64_t row, std::int64_t column, std::int64_t b) {
        wrong += by_columns[i] != entry(k, row, first + column, b), ++seen;
      });
      CHECK(wrong == 0);
      CHECK(std::count(by_columns.begin(), by_columns.end(), -2.0) == static_cast<std::int64_t>(by_columns.size()) - seen); // nothing else is written
      moved->by_rows(by_columns.data(), back.data(), matrices);
      CHECK(back == by_rows);
    }
  }
}

TEST_CASE("A matrix of more columns than MPI counts is refused by all ranks") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  const std::int64_t many = std::int64_t{std::numeric_limits<int>::max()} + 1;
  CHECK_THROWS_WITH(team->transposition({.rows = 1, .columns = many, .block = 1, .row_stride = many}), Catch::Matchers::ContainsSubstring("MPI counts"));
}

} // namespace corral::test
