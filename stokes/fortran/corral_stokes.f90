!> Stokes sums for Fortran, over ISO_C_BINDING: the calls of "stokes/stokes.h", which says what each means.
!>
!> Functions that can fail return a status of module corral (corral_ok, ...), and corral_stokes_error_text() says in words
!> what was wrong. Arrays have a column for each point, positions(3, n), and are handed over as they are; compilers copy
!> those that are not contiguous, such as components of an array of types.
!>
!> The file is installed as source, because modules belong to one compiler: compile it with your own, after corral.f90.
module corral_stokes
  use, intrinsic :: iso_c_binding
  use corral, only: corral_column
  implicit none
  private

  integer(c_int32_t), parameter, public :: corral_stokeslet = 0, corral_stresslet = 1, corral_rotlet = 2, &
    corral_laplace = 3
  integer(c_int32_t), parameter, public :: corral_kaiser_bessel = 0, corral_exponential_semicircle = 1

  type, bind(c), public :: corral_stokes_task
    integer(c_size_t) :: struct_size = 112
    integer(c_int32_t) :: kind = corral_stokeslet
    integer(c_int32_t) :: all_results = 0         !< 1: pressure and gradient, too
    integer(c_int32_t) :: free_axis(3) = 0        !< 1: no images along that axis
    integer(c_int32_t) :: threads = 0             !< at most; 0: all
    real(c_double) :: origin(3) = 0, edge(3) = 1  !< [m]
    real(c_double) :: tolerance = 0               !< 0: 1e-6
    integer(c_int64_t) :: sources = 0, targets = 0 !< about so many; targets 0: as many as sources
    real(c_double) :: radius = 0                  !< of spheres [m]; 0: points
  end type

  !> 0: to be chosen.
  type, bind(c), public :: corral_stokes_parameters
    integer(c_size_t) :: struct_size = 64
    real(c_double) :: xi = 0, cut_off = 0 !< [1/m], [m]
    integer(c_int64_t) :: modes(3) = 0
    integer(c_int32_t) :: support = 0, window = corral_kaiser_bessel
    real(c_double) :: beta = 0
  end type

  type, bind(c), public :: corral_stokes_seconds
    integer(c_size_t) :: struct_size = 48
    real(c_double) :: sort = 0, spread = 0, transform = 0, interpolate = 0, near = 0
  end type

  type, bind(c) :: stokes_results
    integer(c_size_t) :: struct_size = 48
    integer(c_int64_t) :: velocity_count = 0, gradient_count = 0
    type(c_ptr) :: velocity = c_null_ptr, gradient = c_null_ptr, pressure = c_null_ptr
  end type

  public :: corral_stokes_plan_make, corral_stokes_plan_destroy, corral_stokes_plan_sum, corral_stokes_plan_parameters
  public :: corral_stokes_plan_seconds, corral_stokes_plan_bytes, corral_stokes_report_text, corral_stokes_error_text

  interface
    !> Without fixed parameters all are chosen.
    integer(c_int) function corral_stokes_plan_make(task, fixed, plan) bind(c)
      import :: c_int, c_ptr, corral_stokes_parameters, corral_stokes_task
      type(corral_stokes_task), intent(in) :: task
      type(corral_stokes_parameters), intent(in), optional :: fixed
      type(c_ptr), intent(out) :: plan
    end function

    subroutine corral_stokes_plan_destroy(plan) bind(c)
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine

    integer(c_int) function corral_stokes_plan_parameters(plan, parameters) bind(c)
      import :: c_int, c_ptr, corral_stokes_parameters
      type(c_ptr), value :: plan
      type(corral_stokes_parameters), intent(inout) :: parameters
    end function

    integer(c_int) function corral_stokes_plan_seconds(plan, seconds) bind(c)
      import :: c_int, c_ptr, corral_stokes_seconds
      type(c_ptr), value :: plan
      type(corral_stokes_seconds), intent(inout) :: seconds
    end function

    integer(c_int) function corral_stokes_plan_bytes(plan, bytes) bind(c)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: plan
      integer(c_int64_t), intent(out) :: bytes
    end function

    !> Columns are targets because the memory that they point to is written (corral_spread says the same).
    integer(c_int) function c_plan_sum(plan, sources, strength_count, strengths, targets, results) &
      bind(c, name="corral_stokes_plan_sum")
      import :: c_int, c_int64_t, c_ptr, corral_column, stokes_results
      type(c_ptr), value :: plan
      type(corral_column), intent(in), target :: sources(3)
      integer(c_int64_t), value :: strength_count
      type(corral_column), intent(in), target :: strengths(*)
      type(c_ptr), value :: targets
      type(stokes_results), intent(in), target :: results
    end function

    integer(c_int) function c_plan_report(plan, text) bind(c, name="corral_stokes_plan_report")
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      type(c_ptr), intent(out) :: text
    end function

    type(c_ptr) function c_last_error() bind(c, name="corral_stokes_last_error")
      import :: c_ptr
    end function

    integer(c_size_t) function c_strlen(text) bind(c, name="strlen")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
    end function
  end interface

contains

  !> Sums at the targets, or else at the sources themselves. Positions and velocities have 3 rows; a gradient has 9, d u_i/d
  !> x_l in row 3 (i - 1) + l. Strengths have 3, of stresslets 6 and of charges 1; the potential of charges has 1 row, and
  !> its gradient 3. Pressure and gradient ask for a plan of all results. Arrays of other shapes are refused.
  integer(c_int) function corral_stokes_plan_sum(plan, sources, strengths, velocity, targets, pressure, gradient) &
    result(status)
    type(c_ptr), intent(in) :: plan
    real(c_double), intent(in), contiguous, target :: sources(:, :), strengths(:, :)
    real(c_double), intent(inout), contiguous, target :: velocity(:, :)
    real(c_double), intent(in), contiguous, target, optional :: targets(:, :)
    real(c_double), intent(inout), contiguous, target, optional :: pressure(:), gradient(:, :)
    type(corral_column), target :: from(3), at(3), strength(size(strengths, 1)), of_velocity(size(velocity, 1)), &
      of_pressure
    type(corral_column), allocatable, target :: of_gradient(:)
    type(stokes_results), target :: results
    type(c_ptr) :: where
    from = coordinates(sources)
    strength = rows(strengths)
    of_velocity = rows(velocity)
    results%velocity_count = size(of_velocity)
    if (size(of_velocity) > 0) results%velocity = c_loc(of_velocity)
    if (present(gradient)) then
      of_gradient = rows(gradient)
      results%gradient_count = size(of_gradient)
      if (size(of_gradient) > 0) results%gradient = c_loc(of_gradient)
    end if
    if (present(pressure)) then
      of_pressure%size = size(pressure, kind=c_int64_t)
      if (size(pressure) > 0) of_pressure%data = c_loc(pressure)
      results%pressure = c_loc(of_pressure)
    end if
    where = c_null_ptr
    if (present(targets)) then
      at = coordinates(targets)
      where = c_loc(at)
    end if
    status = c_plan_sum(plan, from, size(strength, kind=c_int64_t), strength, where, results)
  end function

  !> What corral_stokes_plan_report says; empty where there is no plan.
  function corral_stokes_report_text(plan) result(text)
    type(c_ptr), intent(in) :: plan
    character(:), allocatable :: text
    type(c_ptr) :: report
    text = ""
    if (c_plan_report(plan, report) == 0) text = text_at(report)
  end function

  !> What the last call that failed on this thread found.
  function corral_stokes_error_text() result(text)
    character(:), allocatable :: text
    text = text_at(c_last_error())
  end function

  function text_at(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(:), allocatable :: text
    character(kind=c_char), pointer :: bytes(:)
    integer :: i
    call c_f_pointer(pointer, bytes, [c_strlen(pointer)])
    allocate (character(size(bytes)) :: text)
    do i = 1, size(bytes)
      text(i:i) = bytes(i)
    end do
  end function

  !> The rows of an array, each a column of values that stand as far apart as the array is high.
  function rows(values) result(columns)
    real(c_double), intent(in), contiguous, target :: values(:, :)
    type(corral_column) :: columns(size(values, 1))
    integer :: d
    columns%size = size(values, 2, kind=c_int64_t)
    columns%stride = size(values, 1, kind=c_int64_t)
    if (size(values) == 0) return
    do d = 1, size(columns)
      columns(d)%data = c_loc(values(d, 1))
    end do
  end function

  !> The three rows of positions. Of an array that has more or fewer, all but one are empty, which calls refuse.
  function coordinates(values) result(columns)
    real(c_double), intent(in), contiguous, target :: values(:, :)
    type(corral_column) :: columns(3), found(size(values, 1))
    found = rows(values)
    if (size(found) == 3) then
      columns = found
    else if (size(found) > 0) then
      columns(1) = found(1)
    end if
  end function

end module
