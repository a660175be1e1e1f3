!> The Fortran module agrees with the C interface: each member of its types is set to what shows in the result.
program maps
  use, intrinsic :: iso_c_binding
  use corral
  implicit none

  integer :: failures = 0

  call check(corral_abi_version() == corral_module_abi_version, "the module is of another version than the library")
  call walls_and_kernels()
  call ghosts_and_sections()
  call single_precision()
  call reorder_and_counts()
  call shapes()
  call views()
  call components()
  call windows()
  call errors()
  if (failures > 0) stop 1

contains

  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (good) return
    print "(a)", what
    failures = failures + 1
  end subroutine

  subroutine ok(status)
    integer(c_int), intent(in) :: status
    if (status /= corral_ok) call check(.false., corral_error_text())
  end subroutine

  !> Three cells of size 1/2 along x from -1 upwards; y and z are thin.
  function row(side) result(grid)
    integer(c_int32_t), intent(in) :: side
    type(c_ptr) :: grid
    call ok(corral_grid_make([corral_axis(cells=3, origin=-1, spacing=0.5d0, low=side, high=side), &
                              corral_axis(), corral_axis()], grid))
  end function

  !> One particle of value 8, a quarter of a cell above the wall, between the wall and the first centre.
  subroutine walls_and_kernels()
    real(c_double), target :: at(3, 1), eight(1), plus(3, 1, 1), minus(3, 1, 1), faces(4, 1, 1)
    character(kind=c_char, len=8), target :: nearest = "nearest" // c_null_char
    type(c_ptr) :: grid, order
    type(corral_field) :: fields(3)
    type(corral_map_options) :: options
    integer(c_int64_t) :: points(3)
    integer :: i
    grid = row(corral_wall)
    call ok(corral_grid_points(grid, corral_face_x, points))
    call check(all(points == [4, 1, 1]), "points of a face field")
    at(:, 1) = [-0.875d0, 0.5d0, 0.5d0]
    eight = 8
    plus = 1
    minus = 0
    faces = 0
    fields = [corral_field_of(plus, corral_centre), corral_field_of(minus, corral_centre), &
              corral_field_of(faces, corral_face_x)]
    fields(2)%wall_sign(1) = -1
    call ok(corral_order_make(grid, corral_order_options(threads=1, offset=[1, 0, 0]), order))
    call ok(corral_order_sort(order, [(corral_column_of(at(i, :)), i = 1, 3)]))
    call ok(corral_spread(order, count=3_c_int64_t, columns=[(corral_column_of(eight), i = 1, 3)], fields=fields))
    call check(all(plus(:, 1, 1) == [9, 1, 1]), "a wall with sign +")
    call check(all(minus(:, 1, 1) == [4, 0, 0]), "a wall with sign -")
    call check(all(faces(:, 1, 1) == [6, 2, 0, 0]), "faces")

    options = corral_options_of(nearest)
    options%deterministic = 1
    minus = 0
    call ok(corral_spread(order, options, 1_c_int64_t, [corral_column_of(eight)], fields(2:2)))
    call check(all(minus(:, 1, 1) == [8, 0, 0]), "kernel nearest")
    call corral_order_destroy(order)
    call corral_grid_destroy(grid)
  end subroutine

  !> A field that is a section of an array with ghost points, and columns that are sections.
  subroutine ghosts_and_sections()
    real(c_double), target :: at(3, 1), values(2, 2), field_memory(0:4, 0:2, 0:2)
    type(c_ptr) :: grid, order
    type(corral_field) :: field
    integer :: i
    grid = row(corral_halo)
    at(:, 1) = [-0.875d0, 0.5d0, 0.5d0]
    values = -1
    field_memory = 0
    field_memory(0:1, 1, 1) = [100, 10]
    field = corral_field_of(field_memory(1:3, 1:1, 1:1), corral_centre)
    field%ghosts = 1
    call ok(corral_order_make(grid, order=order))
    call ok(corral_order_sort(order, [(corral_column_of(at(i, :)), i = 1, 3)]))
    call ok(corral_interpolate(order, count=1_c_int64_t, columns=[corral_column_of(values(2, :1))], fields=[field]))
    call check(all(values(:, 1) == [-1d0, 100 / 4d0 + 10 * 3 / 4d0]), "interpolation with a ghost point")
    call ok(corral_spread(order, count=1_c_int64_t, columns=[corral_column_of(values(2, :1))], fields=[field]))
    call check(all(field_memory(0:2, 1, 1) == [108.125d0, 34.375d0, 0d0]), "a spread into a ghost point")
    call corral_order_destroy(order)
    call corral_grid_destroy(grid)
  end subroutine

  subroutine single_precision()
    real(c_float), target :: x(1) = -0.625, half(1) = 0.5, value(1) = 8, cells(3, 1, 1)
    type(c_ptr) :: grid, order
    grid = row(corral_periodic)
    cells = 0
    call ok(corral_order_make(grid, corral_order_options(type=corral_float), order))
    call ok(corral_order_sort(order, [corral_column_of(x), corral_column_of(half), corral_column_of(half)]))
    call ok(corral_spread(order, count=1_c_int64_t, columns=[corral_column_of(value)], &
                          fields=[corral_field_of(cells, corral_centre)]))
    call check(all(cells(:, 1, 1) == [6, 2, 0]), "single precision")
    call corral_order_destroy(order)
    call corral_grid_destroy(grid)
  end subroutine

  subroutine reorder_and_counts()
    real(c_double), target :: x(4) = [0.25d0, 9d0, -0.75d0, 0d0], half(4) = 0.5d0
    integer(c_int32_t), target :: pairs(2, 4) = reshape([1, 0, 2, 0, 3, 0, 4, 0], [2, 4])
    integer(c_int64_t), target :: tags(4) = [1, 2, 3, 4]
    type(c_ptr) :: grid, order
    type(corral_counts) :: counts
    grid = row(corral_open)
    x(4) = x(4) / x(4)
    call ok(corral_order_make(grid, order=order))
    call ok(corral_order_sort(order, [corral_column_of(x), corral_column_of(half), corral_column_of(half)], counts))
    call check(counts%inside == 2 .and. counts%outside == 1 .and. counts%not_finite == 1, "counts")
    call ok(corral_order_reorder(order, 2_c_int64_t, [corral_column_of(pairs(1, :)), corral_column_of(tags)]))
    call check(all(pairs(1, :) == [3, 1, 2, 4]) .and. all(pairs(2, :) == 0), "a column of int32 in cell order")
    call check(all(tags == [3, 1, 2, 4]), "a column of int64 in cell order")
    call corral_order_destroy(order)
    call corral_grid_destroy(grid)
  end subroutine

  !> A field that knows its grid: an array of another shape is refused, and nothing is written.
  subroutine shapes()
    character(*), parameter :: few_points = "a centre field of 2 x 1 x 1 points (the grid has 3 x 1 x 1 of them)"
    real(c_double), target :: at(3, 1), one(1), cells(3, 1, 1), small(2, 1, 1), flat(1, 3, 1), faces(4, 1, 1)
    real(c_float), target :: few(2, 1, 1)
    type(c_ptr) :: grid, order
    type(corral_field) :: field
    integer :: i
    grid = row(corral_wall)
    at(:, 1) = [-0.875d0, 0.5d0, 0.5d0]
    one = 1
    small = 0
    call ok(corral_order_make(grid, order=order))
    call ok(corral_order_sort(order, [(corral_column_of(at(i, :)), i = 1, 3)]))
    call check(corral_spread(order, count=1_c_int64_t, columns=[corral_column_of(one)], &
                             fields=[corral_field_of(small, corral_centre, grid)]) == corral_bad_argument, &
               "a field of two points on a grid of three cells")
    call check(corral_error_text() == few_points, corral_error_text())
    call check(corral_spread(order, count=1_c_int64_t, columns=[corral_column_of(one)], &
                             fields=[corral_field_of(small, corral_centre)]) == corral_bad_argument, &
               "a field of two points that knows no grid")
    call check(corral_error_text() == few_points, corral_error_text())
    call check(all(small == 0), "a field that was refused is as it was")
    field = corral_field_of(flat, corral_centre, grid)
    call check(.not. c_associated(field%data), "a field along another axis")
    field = corral_field_of(cells, corral_face_x, grid)
    call check(.not. c_associated(field%data), "cells are too few for faces")
    field = corral_field_of(few, corral_centre, grid)
    call check(.not. c_associated(field%data), "a field of single precision that is too small")
    field = corral_field_of(faces, corral_face_x, grid)
    call check(c_associated(field%data, c_loc(faces)), "a field of the right shape")
    field = corral_field_of(small, corral_centre)
    call check(c_associated(field%data, c_loc(small)), "a field of which no grid is known")
    call corral_order_destroy(order)
    call corral_grid_destroy(grid)
  end subroutine

  !> Arrays are viewed where they lie, whatever their bounds and strides.
  subroutine views()
    real(c_double), allocatable, target :: row(:), cube(:, :, :)
    real(c_double), pointer :: some(:)
    type(corral_field) :: field
    allocate (row(-3:8), cube(0:3, -1:1, 5:6))
    call check(is(corral_column_of(row), c_loc(row(-3)), 12, 1), "an allocatable with bounds of its own")
    call check(is(corral_column_of(row(8:-3:-3)), c_loc(row(8)), 4, -3), "a section backwards")
    some(0:) => row(-3::2)
    call check(is(corral_column_of(some), c_loc(row(-3)), 6, 2), "a pointer to a section")
    call check(is(corral_column_of(some(5:1:-2)), c_loc(row(7)), 3, -4), "a section of a pointer")
    call check(is(corral_column_of(cube(2, :, 6)), c_loc(cube(2, -1, 6)), 3, 4), "a row of a cube")
    call check(is(corral_column_of(row(2:1)), c_null_ptr, 0, 1), "no values")
    some => null()
    call check(is(corral_column_of(some), c_null_ptr, 0, 1), "a pointer to nothing")
    field = corral_field_of(cube(3:0:-1, :, 6:), corral_centre)
    call check(c_associated(field%data, c_loc(cube(3, -1, 6))), "a field backwards")
    call check(all(field%stride(:2) == [-1, 4]) .and. all(field%extent == [4, 3, 1]), "its strides and extents")
  end subroutine

  logical function is(column, first, count, stride)
    type(corral_column), intent(in) :: column
    type(c_ptr), intent(in) :: first
    integer, intent(in) :: count, stride
    is = column%size == count .and. column%stride == stride .and. &
         (c_associated(column%data, first) .or. .not. (c_associated(column%data) .or. c_associated(first)))
  end function

  !> Components of an array of types are refused, unless their first value and distance are given.
  subroutine components()
    type particle
      integer(c_int32_t) :: tag = 7
      real(c_float) :: charge = 0
      real(c_double) :: mass = 8, at(3) = 0
      complex(c_double) :: wave = 0
    end type
    type(particle), target :: p(2)
    type(particle), allocatable, target :: q(:), points(:, :, :)
    real(c_double), pointer :: mass(:)
    real(c_double), target :: cells(3, 1, 1)
    type(corral_field) :: field
    type(c_ptr) :: grid, order
    integer :: i
    grid = row(corral_wall)
    allocate (q(0:1), points(3, 1, 1))
    p%at(1) = [-0.875d0, 0.5d0]
    p%at(2) = 0.5d0
    p%at(3) = 0.5d0
    call ok(corral_order_make(grid, order=order))
    call ok(corral_order_sort(order, [(corral_column_of(p(1)%at(i), 2_c_int64_t, storage_size(p)), i = 1, 3)]))
    cells = 0
    call ok(corral_spread(order, count=1_c_int64_t, fields=[corral_field_of(cells, corral_centre, grid)], &
                          columns=[corral_column_of(p(1)%mass, 2_c_int64_t, storage_size(p))]))
    call check(all(cells(:, 1, 1) == [8, 0, 8]), "masses of an array of types")
    call ok(corral_interpolate(order, count=1_c_int64_t, fields=[corral_field_of(cells, corral_centre, grid)], &
                               columns=[corral_column_of(p(2)%mass, 2_c_int64_t, -storage_size(p))]))
    call check(all(p%mass == [8, 8]) .and. all(p%tag == 7), "masses backwards")

    cells = 0
    call check(corral_spread(order, count=1_c_int64_t, columns=[corral_column_of(p%mass)], &
                             fields=[corral_field_of(cells, corral_centre)]) == corral_bad_argument, "p%mass")
    call check(corral_error_text() == "a column's data is NULL (in Fortran, corral_column_of gives none to " // &
               "what it cannot view) hand over its memory", corral_error_text())
    call check(all(cells == 0), "a column that was refused is mapped nowhere")
    call refused(corral_column_of(p%charge), "charges")
    call refused(corral_column_of(p(2:1:-1)%mass), "masses backwards")
    call refused(corral_column_of(p%wave%im), "imaginary parts")
    call refused(corral_column_of(q%mass), "a component of an allocatable")
    mass => p%mass
    call refused(corral_column_of(mass), "a pointer to a component")
    field = corral_field_of(points%mass, corral_centre)
    call check(.not. c_associated(field%data) .and. all(field%extent == [3, 1, 1]), "a field of an array of types")
    call refused(corral_column_of(p(1)%mass, 2_c_int64_t, storage_size(p) + 8), "a distance of no whole values")
    call refused(corral_column_of(p(1)%mass, 2_c_int64_t, 0), "no distance")
    call corral_order_destroy(order)
    call corral_grid_destroy(grid)
  end subroutine

  subroutine refused(column, what)
    type(corral_column), intent(in) :: column
    character(*), intent(in) :: what
    call check(column%size == 2 .and. .not. c_associated(column%data), what // ": a component is refused")
  end subroutine

  !> A window takes its shape, and no other kernel takes one.
  subroutine windows()
    real(c_double), target :: at(1) = 0.5d0, half(1) = 0.5d0, one(1) = 1, cells(8, 1, 1)
    character(kind=c_char, len=15), target :: window = "kaiser_bessel4" // c_null_char
    type(c_ptr) :: grid, order
    type(corral_map_options) :: options
    integer :: i
    real(c_double) :: sums(2)
    call ok(corral_grid_make([corral_axis(cells=8), corral_axis(), corral_axis()], grid))
    call ok(corral_order_make(grid, order=order))
    call ok(corral_order_sort(order, [corral_column_of(at), corral_column_of(half), corral_column_of(half)]))
    options = corral_options_of(window)
    do i = 1, 2
      cells = 0
      call ok(corral_spread(order, options, 1_c_int64_t, [corral_column_of(one)], [corral_field_of(cells, 0)]))
      sums(i) = sum(cells)
      options%beta = 18
    end do
    call check(sums(2) < 0.8d0 * sums(1), "a larger beta makes a narrower window")
    options = corral_options_of(window(1:7))
    call check(corral_spread(order, options, 1_c_int64_t, [corral_column_of(one)], [corral_field_of(cells, 0)]) == &
               corral_bad_argument, "a name without an end")
    call check(index(corral_error_text(), "a text that does not end with c_null_char") > 0, corral_error_text())
    options = corral_map_options(beta=2)
    call check(corral_spread(order, options, 1_c_int64_t, [corral_column_of(one)], [corral_field_of(cells, 0)]) == &
               corral_bad_argument, "linear has no beta")
    call check(corral_error_text() == 'kernel "linear" with a beta (only windows have that shape) set beta to 0', &
               corral_error_text())
    call corral_order_destroy(order)
    call corral_grid_destroy(grid)
  end subroutine

  subroutine errors()
    type(c_ptr) :: grid
    call check(corral_grid_make([corral_axis(), corral_axis(), corral_axis(cells=0)], grid) == corral_bad_argument, &
               "a grid without cells is refused")
    call check(corral_error_text() == "axis z has 0 cells (one at least is needed)", corral_error_text())
    call check(.not. c_associated(grid), "a grid that was refused is null")
  end subroutine

end program
