!> Stokes sums from Fortran: small spheres on a cubic lattice fall more slowly than one alone (Hasimoto 1959).
program stokes_in_fortran
  use, intrinsic :: iso_c_binding
  use corral, only: corral_ok
  use corral_stokes
  implicit none

  integer, parameter :: side = 8, spheres = side**3
  real(c_double), parameter :: pi = acos(-1d0), mu = 1d-3, radius = 0.05d0, weight = 1d-6 ! [Pa s], [m], [N]
  real(c_double) :: xyz(3, spheres), force(3, spheres), u(3, spheres), alone, ratio, theory
  type(c_ptr) :: plan
  integer :: i

  do i = 0, spheres - 1
    xyz(:, i + 1) = [modulo(i, side), modulo(i / side, side), i / side**2]
  end do
  force = 0
  force(3, :) = -weight

  call must(corral_stokes_plan_make(corral_stokes_task(edge=side, tolerance=1d-7, sources=spheres), plan=plan))
  print "(a)", corral_stokes_report_text(plan)
  call must(corral_stokes_plan_sum(plan, xyz, force, u))
  call corral_stokes_plan_destroy(plan)

  alone = -weight / (6 * pi * mu * radius)
  ratio = 1 + u(3, 1) / (8 * pi * mu) / alone
  theory = 1 - 2.837297d0 * radius
  print "(a, f8.6, a, f8.6, a)", "on a lattice they fall at ", ratio, " of the speed of one alone (", theory, " by theory)"
  if (abs(ratio - theory) > 1d-6) stop 1

contains

  subroutine must(status)
    integer(c_int), intent(in) :: status
    if (status == corral_ok) return
    print "(a)", corral_stokes_error_text()
    stop 1
  end subroutine

end program
