!> corral for Fortran: maps between particles and grids, over ISO_C_BINDING.
!>
!> The types and functions are those of <corral/corral.h>, which says what each means, but for corral_kernel_name and
!> corral_method_name: docs/kernels.md and docs/methods.md have the names. Functions that can fail return a status, and
!> corral_error_text() says in words what was wrong. On top of them stand, for your arrays as they are:
!>
!>   corral_column_of(values)                   a column; a section such as xyz(1, :) is viewed, not copied
!>   corral_column_of(first, count, bits)       a column that is a component of an array of types, p(:)%mass:
!>                                              corral_column_of(p(1)%mass, size(p, kind=c_int64_t), storage_size(p))
!>   corral_field_of(values, staggering, grid)  a field; values(i, j, k), i along x, without its ghost points
!>   corral_options_of(kernel)                  options of a map that names its kernel
!>
!> Fields carry the extents of their array, which maps compare with those that the grid asks for. Given the grid, which
!> may be left out, corral_field_of compares at once: of another shape, the field has no data.
!>
!> Arrays handed to them must have the attribute `target` or `pointer` (compilers refuse others, and expressions) and
!> outlive what is made of them. Values are viewed where they lie, in sections with any stride, backwards too. Not so
!> components of an array of types: compilers hand over copies of them, or another place. Such a column or field, known
!> by its strides unless it has one value, has no data, and calls refuse it; a pointer to the component is refused, too.
!> A procedure of yours that passes a corral_column, corral_field or options on gives that dummy argument `target`: of
!> others compilers assume that what lies behind their pointers is left as it is.
!>
!> The file is installed as source, because modules belong to one compiler: compile it with your own.
module corral
  use, intrinsic :: iso_c_binding
  implicit none
  private

  integer(c_int), parameter, public :: corral_ok = 0, corral_bad_argument = 1, corral_out_of_memory = 2, &
    corral_failed = 3
  integer(c_int32_t), parameter, public :: corral_periodic = 0, corral_wall = 1, corral_open = 2, corral_halo = 3
  integer(c_int32_t), parameter, public :: corral_centre = 0, corral_node = 1, corral_face_x = 2, corral_face_y = 3, &
    corral_face_z = 4
  integer(c_int32_t), parameter, public :: corral_double = 0, corral_float = 1, corral_int32 = 2, corral_int64 = 3
  integer(c_int32_t), parameter, public :: corral_cpu = 0, corral_gpu = 1
  integer(c_int32_t), parameter, public :: corral_offset_zero = 0, corral_offset_half = 1
  !> Of the library that this module was written for; compare with corral_abi_version().
  integer(c_int), parameter, public :: corral_module_abi_version = 1

  type, bind(c), public :: corral_axis
    integer(c_size_t) :: struct_size = 64
    integer(c_int64_t) :: cells = 1
    real(c_double) :: origin = 0, spacing = 1 !< [m]
    integer(c_int32_t) :: low = corral_periodic, high = corral_periodic
    integer(c_int64_t) :: offset = 0          !< of a part: index in the whole axis of its first cell
    integer(c_int64_t) :: global_cells = 0    !< of a part: cells of the whole axis; 0: this is the whole
    integer(c_int32_t) :: global_periodic = 0 !< of a part: 1 where the whole axis is periodic
    integer(c_int32_t) :: reserved = 0
  end type

  type, bind(c), public :: corral_column
    integer(c_size_t) :: struct_size = 40
    type(c_ptr) :: data = c_null_ptr
    integer(c_int64_t) :: size = 0, stride = 1 !< [values]
    integer(c_int32_t) :: type = corral_double, reserved = 0
  end type

  type, bind(c), public :: corral_order_options
    integer(c_size_t) :: struct_size = 40
    integer(c_int32_t) :: type = corral_double, threads = 0, offset(3) = corral_offset_zero, backend = corral_cpu
    type(c_ptr) :: stream = c_null_ptr !< a cudaStream_t
  end type

  type, bind(c), public :: corral_counts
    integer(c_size_t) :: struct_size = 32
    integer(c_int64_t) :: inside = 0, outside = 0, not_finite = 0
  end type

  type, bind(c), public :: corral_field
    integer(c_size_t) :: struct_size = 96
    type(c_ptr) :: data = c_null_ptr !< the point (0, 0, 0) of C
    integer(c_int32_t) :: type = corral_double, staggering = corral_centre
    integer(c_int64_t) :: stride(3) = 0 !< [values]
    integer(c_int32_t) :: wall_sign(3) = 1, reserved = 0
    integer(c_int64_t) :: ghosts = 0, extent(3) = 0
  end type

  type, bind(c), public :: corral_map_options
    integer(c_size_t) :: struct_size = 40
    type(c_ptr) :: kernel = c_null_ptr, method = c_null_ptr
    integer(c_int32_t) :: deterministic = 0, reserved = 0
    real(c_double) :: beta = 0 !< shape of a window; 0: its default
  end type

  !> The name of no kernel, which messages then tell.
  character(kind=c_char, len=*), parameter :: unended_text = "a text that does not end with c_null_char"//c_null_char
  character(kind=c_char, len=len(unended_text)), target, save :: unended = unended_text

  public :: corral_abi_version, corral_error_text, corral_grid_make, corral_grid_destroy, corral_grid_points
  public :: corral_order_make, corral_order_destroy, corral_order_sort, corral_order_reorder
  public :: corral_spread, corral_interpolate, corral_column_of, corral_field_of, corral_options_of

  interface
    integer(c_int) function corral_abi_version() bind(c)
      import :: c_int
    end function

    integer(c_int) function corral_grid_make(axes, grid) bind(c)
      import :: c_int, c_ptr, corral_axis
      type(corral_axis), intent(in) :: axes(3)
      type(c_ptr), intent(out) :: grid
    end function

    subroutine corral_grid_destroy(grid) bind(c)
      import :: c_ptr
      type(c_ptr), value :: grid
    end subroutine

    integer(c_int) function corral_grid_points(grid, staggering, points) bind(c)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: grid
      integer(c_int), value :: staggering
      integer(c_int64_t), intent(out) :: points(3)
    end function

    !> Without options: double, offset zero, all threads.
    integer(c_int) function corral_order_make(grid, options, order) bind(c)
      import :: c_int, c_ptr, corral_order_options
      type(c_ptr), value :: grid
      type(corral_order_options), intent(in), optional :: options
      type(c_ptr), intent(out) :: order
    end function

    subroutine corral_order_destroy(order) bind(c)
      import :: c_ptr
      type(c_ptr), value :: order
    end subroutine

    integer(c_int) function corral_order_sort(order, positions, counts) bind(c)
      import :: c_int, c_ptr, corral_column, corral_counts
      type(c_ptr), value :: order
      type(corral_column), intent(in), target :: positions(3)
      type(corral_counts), intent(inout), optional :: counts
    end function

    integer(c_int) function corral_order_reorder(order, count, columns) bind(c)
      import :: c_int, c_int64_t, c_ptr, corral_column
      type(c_ptr), value :: order
      integer(c_int64_t), value :: count
      type(corral_column), intent(in), target :: columns(*)
    end function

    !> Without options: kernel linear, method automatic. Arguments are targets because the memory that they point to is
    !> written: compilers may otherwise suppose that what is reached through an intent(in) stays as it is.
    integer(c_int) function corral_spread(order, options, count, columns, fields) bind(c)
      import :: c_int, c_int64_t, c_ptr, corral_column, corral_field, corral_map_options
      type(c_ptr), value :: order
      type(corral_map_options), intent(in), optional, target :: options
      integer(c_int64_t), value :: count
      type(corral_column), intent(in), target :: columns(*)
      type(corral_field), intent(in), target :: fields(*)
    end function

    integer(c_int) function corral_interpolate(order, options, count, columns, fields) bind(c)
      import :: c_int, c_int64_t, c_ptr, corral_column, corral_field, corral_map_options
      type(c_ptr), value :: order
      type(corral_map_options), intent(in), optional, target :: options
      integer(c_int64_t), value :: count
      type(corral_column), intent(in), target :: columns(*)
      type(corral_field), intent(in), target :: fields(*)
    end function

    type(c_ptr) function c_last_error() bind(c, name="corral_last_error")
      import :: c_ptr
    end function

    integer(c_size_t) function c_strlen(text) bind(c, name="strlen")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
    end function
  end interface

  interface corral_column_of
    module procedure column_of_double, column_of_float, column_of_int32, column_of_int64
    module procedure column_from_double, column_from_float, column_from_int32, column_from_int64
  end interface

  interface corral_field_of
    module procedure field_of_double, field_of_float
  end interface

contains

  !> What the last call that failed on this thread found.
  function corral_error_text() result(text)
    character(:), allocatable :: text
    character(kind=c_char), pointer :: bytes(:)
    integer :: i
    call c_f_pointer(c_last_error(), bytes, [c_strlen(c_last_error())])
    allocate (character(size(bytes)) :: text)
    do i = 1, size(bytes)
      text(i:i) = bytes(i)
    end do
  end function

  !> Options with a kernel by name, which must end with c_null_char and outlive them; a call refuses one that does not
  !> end so.
  function corral_options_of(kernel) result(options)
    character(kind=c_char, len=*), intent(in), target :: kernel
    type(corral_map_options) :: options
    options%kernel = c_loc(unended)
    if (index(kernel, c_null_char) > 0) options%kernel = c_loc(kernel)
  end function

  ! The same for each type of values: Fortran has no templates.
  !
  ! A pointer sees an actual argument's own strides; an assumed-shape array of the same values, which plain_... take,
  ! strides by its own type alone, or is a copy. Where both see the same addresses the values are plain ones.

  function column_of_double(values) result(column)
    real(c_double), intent(in), pointer :: values(:)
    type(corral_column) :: column
    integer(c_int64_t) :: i, j
    column%type = corral_double
    if (.not. associated(values)) return
    if (size(values) == 0) return
    i = lbound(values, 1, c_int64_t)
    j = min(i + 1, ubound(values, 1, c_int64_t))
    column = plain_column(column, size(values, kind=c_int64_t), [c_loc(values(i)), c_loc(values(j))], &
                          plain_double(values), c_sizeof(values(i)))
  end function

  function plain_double(values) result(ends)
    real(c_double), intent(in), target :: values(:)
    type(c_ptr) :: ends(2)
    ends = [c_loc(values(1)), c_loc(values(min(2, size(values))))]
  end function

  function column_from_double(first, count, bits) result(column)
    real(c_double), intent(in), target :: first
    integer(c_int64_t), intent(in) :: count
    integer, intent(in) :: bits
    type(corral_column) :: column
    column = strided_column(corral_double, c_loc(first), count, bits, storage_size(first))
  end function

  function column_of_float(values) result(column)
    real(c_float), intent(in), pointer :: values(:)
    type(corral_column) :: column
    integer(c_int64_t) :: i, j
    column%type = corral_float
    if (.not. associated(values)) return
    if (size(values) == 0) return
    i = lbound(values, 1, c_int64_t)
    j = min(i + 1, ubound(values, 1, c_int64_t))
    column = plain_column(column, size(values, kind=c_int64_t), [c_loc(values(i)), c_loc(values(j))], &
                          plain_float(values), c_sizeof(values(i)))
  end function

  function plain_float(values) result(ends)
    real(c_float), intent(in), target :: values(:)
    type(c_ptr) :: ends(2)
    ends = [c_loc(values(1)), c_loc(values(min(2, size(values))))]
  end function

  function column_from_float(first, count, bits) result(column)
    real(c_float), intent(in), target :: first
    integer(c_int64_t), intent(in) :: count
    integer, intent(in) :: bits
    type(corral_column) :: column
    column = strided_column(corral_float, c_loc(first), count, bits, storage_size(first))
  end function

  function column_of_int32(values) result(column)
    integer(c_int32_t), intent(in), pointer :: values(:)
    type(corral_column) :: column
    integer(c_int64_t) :: i, j
    column%type = corral_int32
    if (.not. associated(values)) return
    if (size(values) == 0) return
    i = lbound(values, 1, c_int64_t)
    j = min(i + 1, ubound(values, 1, c_int64_t))
    column = plain_column(column, size(values, kind=c_int64_t), [c_loc(values(i)), c_loc(values(j))], &
                          plain_int32(values), c_sizeof(values(i)))
  end function

  function plain_int32(values) result(ends)
    integer(c_int32_t), intent(in), target :: values(:)
    type(c_ptr) :: ends(2)
    ends = [c_loc(values(1)), c_loc(values(min(2, size(values))))]
  end function

  function column_from_int32(first, count, bits) result(column)
    integer(c_int32_t), intent(in), target :: first
    integer(c_int64_t), intent(in) :: count
    integer, intent(in) :: bits
    type(corral_column) :: column
    column = strided_column(corral_int32, c_loc(first), count, bits, storage_size(first))
  end function

  function column_of_int64(values) result(column)
    integer(c_int64_t), intent(in), pointer :: values(:)
    type(corral_column) :: column
    integer(c_int64_t) :: i, j
    column%type = corral_int64
    if (.not. associated(values)) return
    if (size(values) == 0) return
    i = lbound(values, 1, c_int64_t)
    j = min(i + 1, ubound(values, 1, c_int64_t))
    column = plain_column(column, size(values, kind=c_int64_t), [c_loc(values(i)), c_loc(values(j))], &
                          plain_int64(values), c_sizeof(values(i)))
  end function

  function plain_int64(values) result(ends)
    integer(c_int64_t), intent(in), target :: values(:)
    type(c_ptr) :: ends(2)
    ends = [c_loc(values(1)), c_loc(values(min(2, size(values))))]
  end function

  function column_from_int64(first, count, bits) result(column)
    integer(c_int64_t), intent(in), target :: first
    integer(c_int64_t), intent(in) :: count
    integer, intent(in) :: bits
    type(corral_column) :: column
    column = strided_column(corral_int64, c_loc(first), count, bits, storage_size(first))
  end function

  function field_of_double(values, staggering, grid) result(field)
    real(c_double), intent(in), pointer :: values(:, :, :)
    integer(c_int32_t), intent(in) :: staggering
    type(c_ptr), intent(in), optional :: grid
    type(corral_field) :: field
    integer(c_int64_t) :: i(3), j(3)
    field%type = corral_double
    field%staggering = staggering
    if (.not. associated(values)) return
    if (size(values) == 0) return
    i = lbound(values, kind=c_int64_t)
    j = min(i + 1, ubound(values, kind=c_int64_t))
    field = plain_field(field, shape(values, c_int64_t), &
                        [c_loc(values(i(1), i(2), i(3))), c_loc(values(j(1), i(2), i(3))), &
                         c_loc(values(i(1), j(2), i(3))), c_loc(values(i(1), i(2), j(3)))], &
                        plain_doubles(values), c_sizeof(values(i(1), i(2), i(3))), grid)
  end function

  function plain_doubles(values) result(corners)
    real(c_double), intent(in), target :: values(:, :, :)
    type(c_ptr) :: corners(4)
    integer :: next(3)
    next = min(2, shape(values))
    corners = [c_loc(values(1, 1, 1)), c_loc(values(next(1), 1, 1)), c_loc(values(1, next(2), 1)), &
               c_loc(values(1, 1, next(3)))]
  end function

  function field_of_float(values, staggering, grid) result(field)
    real(c_float), intent(in), pointer :: values(:, :, :)
    integer(c_int32_t), intent(in) :: staggering
    type(c_ptr), intent(in), optional :: grid
    type(corral_field) :: field
    integer(c_int64_t) :: i(3), j(3)
    field%type = corral_float
    field%staggering = staggering
    if (.not. associated(values)) return
    if (size(values) == 0) return
    i = lbound(values, kind=c_int64_t)
    j = min(i + 1, ubound(values, kind=c_int64_t))
    field = plain_field(field, shape(values, c_int64_t), &
                        [c_loc(values(i(1), i(2), i(3))), c_loc(values(j(1), i(2), i(3))), &
                         c_loc(values(i(1), j(2), i(3))), c_loc(values(i(1), i(2), j(3)))], &
                        plain_floats(values), c_sizeof(values(i(1), i(2), i(3))), grid)
  end function

  function plain_floats(values) result(corners)
    real(c_float), intent(in), target :: values(:, :, :)
    type(c_ptr) :: corners(4)
    integer :: next(3)
    next = min(2, shape(values))
    corners = [c_loc(values(1, 1, 1)), c_loc(values(next(1), 1, 1)), c_loc(values(1, next(2), 1)), &
               c_loc(values(1, 1, next(3)))]
  end function

  !> The column with its size and, where its first two values are seen at the same addresses in either way, its data.
  function plain_column(empty, n, seen, plain, bytes) result(column)
    type(corral_column), intent(in) :: empty
    integer(c_int64_t), intent(in) :: n
    type(c_ptr), intent(in) :: seen(2), plain(2)
    integer(c_size_t), intent(in) :: bytes
    type(corral_column) :: column
    column = empty
    column%size = n
    if (any(addresses(seen) /= addresses(plain))) return
    column%data = seen(1)
    if (n > 1) column%stride = between(seen(1), seen(2)) / int(bytes, c_int64_t)
  end function

  !> The field with its extents and, where its corners are seen at the same addresses and it fits the grid, its data.
  function plain_field(empty, extent, seen, plain, bytes, grid) result(field)
    type(corral_field), intent(in) :: empty
    integer(c_int64_t), intent(in) :: extent(3)
    type(c_ptr), intent(in) :: seen(4), plain(4)
    integer(c_size_t), intent(in) :: bytes
    type(c_ptr), intent(in), optional :: grid
    type(corral_field) :: field
    integer :: d
    field = empty
    field%extent = extent
    if (.not. fits(extent, field%staggering, grid) .or. any(addresses(seen) /= addresses(plain))) return
    field%data = seen(1)
    field%stride = [(between(seen(1), seen(d)) / int(bytes, c_int64_t), d = 2, 4)]
  end function

  !> The column of `count` values that stand so many bits apart; no data where that is no whole number of values,
  !> or none.
  function strided_column(type, first, count, bits, bits_of_value) result(column)
    integer(c_int32_t), intent(in) :: type
    type(c_ptr), intent(in) :: first
    integer(c_int64_t), intent(in) :: count
    integer, intent(in) :: bits, bits_of_value
    type(corral_column) :: column
    column%type = type
    column%size = count
    column%stride = bits / bits_of_value
    if (modulo(bits, bits_of_value) == 0 .and. bits /= 0) column%data = first
  end function

  !> Whether an array of that shape has as many points along each axis as a field of the grid, if there is one.
  logical function fits(extents, staggering, grid)
    integer(c_int64_t), intent(in) :: extents(3)
    integer(c_int32_t), intent(in) :: staggering
    type(c_ptr), intent(in), optional :: grid
    integer(c_int64_t) :: points(3)
    fits = .true.
    if (.not. present(grid)) return
    fits = corral_grid_points(grid, staggering, points) == corral_ok
    if (fits) fits = all(extents == points)
  end function

  elemental integer(c_intptr_t) function addresses(pointer)
    type(c_ptr), intent(in) :: pointer
    integer(c_intptr_t), parameter :: address = 0
    addresses = transfer(pointer, address)
  end function

  !> [bytes]
  integer(c_int64_t) function between(first, second)
    type(c_ptr), intent(in) :: first, second
    between = addresses(second) - addresses(first)
  end function

end module
