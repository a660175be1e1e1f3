!> corral from Fortran: interleaved positions as they are, mass to the grid and back.
program in_fortran
  use, intrinsic :: iso_c_binding
  use corral
  implicit none

  integer, parameter :: cells = 16, particles = 10000
  real(c_double), target :: xyz(3, particles), mass(particles), seen(particles), density(cells, cells, cells)
  type(corral_axis) :: axis
  type(corral_order_options) :: options
  type(corral_counts) :: counts
  type(c_ptr) :: grid, order
  integer :: i
  real(c_double) :: total, squares, products

  do i = 1, particles
    xyz(:, i) = modulo(0.7548776662466927d0 * [3 * i - 2, 3 * i - 1, 3 * i], 1d0)
  end do
  mass = 1d-3
  density = 0

  axis = corral_axis(cells=cells, spacing=1d0 / cells, low=corral_wall, high=corral_wall)
  options%offset = corral_offset_half
  call must(corral_grid_make([axis, axis, axis], grid))
  call must(corral_order_make(grid, options, order))
  call must(corral_order_sort(order, [(corral_column_of(xyz(i, :)), i = 1, 3)], counts))
  call must(corral_spread(order, count=1_c_int64_t, columns=[corral_column_of(mass)], &
                          fields=[corral_field_of(density, corral_centre, grid)]))
  call must(corral_interpolate(order, count=1_c_int64_t, columns=[corral_column_of(seen)], &
                               fields=[corral_field_of(density, corral_centre, grid)]))
  call corral_order_destroy(order)
  call corral_grid_destroy(grid)

  total = sum(density)
  squares = sum(density**2)
  products = sum(mass * seen)
  print "(i0, a, g0.9, a, es8.1)", counts%inside, " particles inside; mass ", total, " kg on the grid; adjoint to", &
    abs(squares - products) / squares
  if (abs(total - sum(mass)) > 1d-10 .or. abs(squares - products) > 1d-12 * squares) stop 1

contains

  subroutine must(status)
    integer(c_int), intent(in) :: status
    if (status == corral_ok) return
    print "(a)", corral_error_text()
    stop 1
  end subroutine

end program
