!> The Fortran module of Stokes sums agrees with the C interface: values of direct sums, and shapes that are refused.
program stokes
  use, intrinsic :: iso_c_binding
  use corral, only: corral_ok, corral_bad_argument
  use corral_stokes
  implicit none

  real(c_double), parameter :: nan = transfer(-1_c_int64_t, 1d0)
  !> Of a force (1, 0, 0) at the origin of a unit box, at (.3, .1, -.2).
  real(c_double), parameter :: of_x(3) = [1.14821832164643d0, 0.41151572454894d0, -0.80300456207740d0], &
    pressure_of_x = 8.85790206393598d0, &
    gradient_of_x(9) = [-2.29869564727373d0, -5.73301436876241d0, 11.14271539603223d0, -2.34079618566064d0, &
                        2.95016131749065d0, 2.19629124657538d0, 4.63557677167325d0, 2.19629124657538d0, &
                        -0.65146567021691d0]
  real(c_double) :: origin(3, 1) = 0, at(3, 1) = reshape([0.3d0, 0.1d0, -0.2d0], [3, 1])
  integer :: failures = 0

  call values()
  call other_kinds()
  call sections()
  call plans()
  call spheres()
  call refused()
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
    if (status /= corral_ok) call check(.false., corral_stokes_error_text())
  end subroutine

  subroutine refuses(status, message)
    integer(c_int), intent(in) :: status
    character(*), intent(in) :: message
    call check(status == corral_bad_argument, "not refused: " // message)
    call check(corral_stokes_error_text() == message, corral_stokes_error_text())
  end subroutine

  function plan_of(kind) result(plan)
    integer(c_int32_t), intent(in) :: kind
    type(c_ptr) :: plan
    call ok(corral_stokes_plan_make(corral_stokes_task(kind=kind, all_results=1, tolerance=1d-9, sources=1), plan=plan))
  end function

  subroutine values()
    real(c_double) :: force(3, 1), u(3, 1), gradient(9, 1), pressure(1)
    type(c_ptr) :: plan
    type(corral_stokes_seconds) :: seconds
    plan = plan_of(corral_stokeslet)
    force(:, 1) = [1, 0, 0]
    call ok(corral_stokes_plan_sum(plan, origin, force, u, at, pressure, gradient))
    call check(all(abs(u(:, 1) - of_x) < 1d-7), "velocities")
    call check(abs(pressure(1) - pressure_of_x) < 1d-6, "pressure")
    call check(all(abs(gradient(:, 1) - gradient_of_x) < 1d-6), "gradients")
    gradient = 0
    call ok(corral_stokes_plan_sum(plan, origin, force, u, at, gradient=gradient))
    call check(all(abs(gradient(:, 1) - gradient_of_x) < 1d-6), "gradients without pressure")
    call ok(corral_stokes_plan_sum(plan, origin, force, u))
    call check(all(abs(u(:, 1) - [-3.783063305974d0, 0d0, 0d0]) < 1d-7), "a force at its own place")
    call ok(corral_stokes_plan_seconds(plan, seconds))
    call check(min(seconds%sort, seconds%spread, seconds%transform, seconds%interpolate, seconds%near) > 0, "seconds")
    call corral_stokes_plan_destroy(plan)
  end subroutine

  subroutine other_kinds()
    real(c_double) :: layer(6, 1), charge(1, 1), u(3, 1), potential(1, 1), force(3, 1), slope(3, 1)
    type(c_ptr) :: plan
    layer(:, 1) = [0.7d0, -0.4d0, 0.2d0, 0.1d0, 0.9d0, -0.3d0]
    plan = plan_of(corral_stresslet)
    call ok(corral_stokes_plan_sum(plan, origin, layer, u, at))
    call check(all(abs(u(:, 1) - [-5.711140927436d0, -2.847198192988d0, 3.625089466874d0]) < 1d-7), "a stresslet")
    call refuses(corral_stokes_plan_sum(plan, origin, layer(:3, :), u, at), &
                 "3 columns of strengths (kind stresslet has 6)")
    call corral_stokes_plan_destroy(plan)

    charge = 1
    plan = plan_of(corral_laplace)
    call ok(corral_stokes_plan_sum(plan, origin, charge, potential, at, gradient=slope))
    call check(abs(potential(1, 1) - 0.11300989824810d0) < 1d-7, "a charge")
    call check(all(abs(slope(:, 1) - [-4.42895103196799d0, -1.69610909155089d0, 3.25356931217949d0]) < 1d-6), "its slope")
    call refuses(corral_stokes_plan_sum(plan, origin, charge, u, at), "3 columns of velocity (kind laplace has 1)")
    call corral_stokes_plan_destroy(plan)

    force(:, 1) = [1, 0, 0]
    plan = plan_of(corral_rotlet)
    call ok(corral_stokes_plan_sum(plan, origin, force, u, at))
    call check(all(abs(u(:, 1) - [0d0, 3.25356931217949d0, 1.69610909155089d0]) < 1d-7), "a rotlet")
    call corral_stokes_plan_destroy(plan)
  end subroutine

  !> Arrays that are not contiguous: sections, and components of an array of types.
  subroutine sections()
    type grain
      real(c_double) :: pressure = 0, mass = 1
    end type
    real(c_double) :: all(6, 4), u(4, 4)
    type(grain) :: grains(2)
    type(c_ptr) :: plan
    all = nan
    u = 7
    all(2:4, 2) = origin(:, 1)
    all(2:4, 4) = at(:, 1)
    all(1:5:2, 1) = [1, 0, 0]
    all(1:5:2, 3) = 0
    plan = plan_of(corral_stokeslet)
    call ok(corral_stokes_plan_sum(plan, all(2:4, 2::2), all(1:5:2, 1::2), u(2:, ::3), pressure=grains%pressure))
    call check(maxval(abs(u(2:, 4) - of_x)) < 1d-7, "sections")
    call check(u(1, 1) == 7 .and. u(1, 4) == 7 .and. maxval(abs(u(:, 2:3) - 7)) == 0, "what is beside them is left")
    call check(abs(grains(2)%pressure - pressure_of_x) < 1d-6 .and. grains(2)%mass == 1, "components")
    call corral_stokes_plan_destroy(plan)
  end subroutine

  subroutine plans()
    type(corral_stokes_parameters) :: p
    type(c_ptr) :: plan
    real(c_double) :: force(3, 1), u(3, 1)
    integer(c_int64_t) :: bytes
    p%support = 12
    p%window = corral_exponential_semicircle
    call ok(corral_stokes_plan_make(corral_stokes_task(free_axis=1, threads=1, origin=-1, edge=2, tolerance=1d-7, &
                                                       sources=1, targets=1), p, plan))
    p = corral_stokes_parameters()
    call ok(corral_stokes_plan_parameters(plan, p))
    call check(p%support == 12 .and. p%window == corral_exponential_semicircle .and. p%xi > 0 .and. p%cut_off > 0 &
               .and. all(p%modes > 1) .and. p%beta > 0, "parameters")
    call check(index(corral_stokes_report_text(plan), "windows of 12 points") > 0, corral_stokes_report_text(plan))
    call ok(corral_stokes_plan_bytes(plan, bytes))
    call check(bytes > 24 * product(p%modes), "bytes")
    force(:, 1) = [1, 0, 0]
    call ok(corral_stokes_plan_sum(plan, origin, force, u, at))
    call check(all(abs(u(:, 1) - [4.39072040284697d0, 0.57270266124091d0, -1.14540532248182d0]) < 1d-5), "free space")
    call corral_stokes_plan_destroy(plan)
  end subroutine

  subroutine spheres()
    real(c_double) :: force(3, 1), u(3, 1)
    type(c_ptr) :: plan
    call ok(corral_stokes_plan_make(corral_stokes_task(radius=0.1d0, sources=1), plan=plan))
    force(:, 1) = [1, 0, 0]
    call ok(corral_stokes_plan_sum(plan, origin, force, u))
    call check(abs(u(1, 1) - 9.606120521d0) < 1d-5, "a sphere among its images")
    call corral_stokes_plan_destroy(plan)
  end subroutine

  subroutine refused()
    real(c_double) :: force(3, 1) = 1, u(3, 1) = 7, four(4, 1) = 0, two(2, 1) = 0, none(3, 0)
    type(c_ptr) :: plan
    call refuses(corral_stokes_plan_make(corral_stokes_task(edge=[1d0, 1d0, -1d0], sources=1), plan=plan), &
                 "a box of 1 x 1 x -1 m (each edge must be positive and finite)")
    call check(.not. c_associated(plan), "a plan that was refused is null")
    call refuses(corral_stokes_plan_make(corral_stokes_task(kind=4, sources=1), plan=plan), &
                 "corral_stokes_kind 4 (known are 0 to 3)")
    call refuses(corral_stokes_plan_sum(c_null_ptr, origin, force, u), "plan is NULL")
    call check(corral_stokes_report_text(c_null_ptr) == "", "a report of no plan")
    plan = plan_of(corral_stokeslet)
    call refuses(corral_stokes_plan_sum(plan, four, force, u), "sources with coordinates of 1, 0 and 0 points (three " // &
                 "columns are equally long) in Fortran hand over an array of three rows")
    call refuses(corral_stokes_plan_sum(plan, origin, force, u, two), "targets with coordinates of 1, 0 and 0 points " // &
                 "(three columns are equally long) in Fortran hand over an array of three rows")
    call refuses(corral_stokes_plan_sum(plan, origin, force, u(:2, :)), "2 columns of velocity (kind stokeslet has 3)")
    call refuses(corral_stokes_plan_sum(plan, origin, force, none), &
                 "a column of velocity has 0 values (there are 1 points)")
    force(2, 1) = nan
    call refuses(corral_stokes_plan_sum(plan, origin, force, u), "strength 1 is not finite at 1 sources")
    call check(all(u == 7), "what is refused sets nothing")
    call corral_stokes_plan_destroy(plan)
  end subroutine

end program
