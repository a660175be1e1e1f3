"""Cases that ranks share, beside the same on one process: the same files, and in them the same bits but for sums over ranks."""

import csv
import os
import subprocess
import sys
import unittest

from case_files import Run
from command import CASES, THOROUGH, corral, results, settings
from ranks import ENVIRONMENT, MPIEXEC, NUMPROC, OVER_RANKS, RanksTest, over
from shared_cases import BLOCK, BODIES, BODIES_IN_SLABS, CELLS, CHANNEL, SHEARED, SLABS, STREAM, VISCOUS

# Odd numbers of cells.
VORTICES = settings(grid__cells="33, 30, 1", grid__size="11, 10, 0.333333333333333333 mm", time__end="0.05 s", output__log="6.25 ms",
                    output__fields="25 ms", output__format="both")
CAVITY = settings(grid__cells="32, 32, 1", grid__size="12.8, 12.8, 0.4 mm", time__end="0.16 s", time__dt="6.4 ms", output__log="12.8 ms",
                  output__fields="64 ms")


def corral_words(verb, case, *options):
    return [OVER_RANKS, verb, str(case), "--threads", "1", *map(str, options)]


def read_table(file):
    """Its columns."""
    with open(file, newline="", encoding="utf-8") as text:
        names, *rows = csv.reader(text)
    return {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}


class OverRanks(RanksTest):
    def block(self, text=BLOCK, name="block"):
        directory = self.directory / name
        return directory if directory.exists() else self.write_case(text, name)

    def check_alike(self, one, other, tolerance, nothing=1e-20):
        """Fields have the same bits; figures are sums, whose order the ranks decide: round-off of what has the same unit.
        `nothing` is the momentum of vortices, which have none."""
        self.assertEqual(list(results(one)), list(results(other)))
        for file in (*one.rglob("*.vti"), *one.rglob("*.vtp"), *one.rglob("openpmd_*.h5"), *one.rglob("cells.csv"), *one.rglob("bodies.csv")):
            self.assertEqual(file.read_bytes(), (other / file.relative_to(one)).read_bytes(), file)
        for file in one.rglob("profile.csv"):
            self.check_near(read_table(file), read_table(other / file.name), tolerance)
        self.check_logs(one, other, tolerance, nothing)

    def check_near(self, one, other, tolerance):
        """Columns, each by its largest value; by that of all three where there is one for each axis."""
        self.assertEqual(list(one), list(other))
        largest = {}
        for column, values in one.items():
            largest[column.rstrip("xyz")] = max([largest.get(column.rstrip("xyz"), 0), *map(abs, values)])
        for column, values in one.items():
            self.assertEqual(len(values), len(other[column]), column)
            for x, y in zip(values, other[column]):
                self.assertLessEqual(abs(x - y), tolerance * largest[column.rstrip("xyz")], column)

    def test_fluids_have_one_process_s_fields(self):
        for case, options, cuts in ((CASES / "taylor_green", VORTICES, (4,)), (CASES / "cavity", CAVITY, (3,)), (self.block(), [], (2, 3, 4) if THOROUGH else (3,))):
            alone = self.run_alone(case, *options, name=f"{case.name}_alone")
            for ranks in cuts:
                self.check_alike(alone, self.run_over(ranks, case, *options, name=f"{case.name}_{ranks}"), 1e-11)

    def test_other_lattices(self):
        for name, lattice in (("thick", settings(lattice__scheme="two_lattices", lattice__velocity_set="D3Q27")),
                              ("coarse", settings(lattice__precision="float"))):
            alone = self.run_alone(self.block(), *lattice, "--steps", 9, name=f"{name}_alone")
            self.check_alike(alone, self.run_over(3, self.block(), *lattice, "--steps", 9, name=name), 1e-5)

    def test_membranes_have_one_process_s_bits_in_one_order(self):
        case = self.block(CELLS, "cells")
        alone = self.run_alone(case)
        for ranks in (2, 3, 4) if THOROUGH else (4,):
            self.check_alike(alone, self.run_over(ranks, case), 1e-10, nothing=1e-30)
        self.run_over(4, case, "--steps", 15, name="cut")
        self.run_over(3, case, "--steps", 11, verb="resume", name="cut")
        self.run_alone(case, "--steps", 8, verb="resume", name="cut")
        self.check_alike(alone, self.run_over(2, case, verb="resume", name="cut"), 1e-10, nothing=1e-30)

    def test_the_spectral_fluid_has_one_process_s_bits_in_slabs(self):
        case = self.block(SLABS, "slabs")
        alone = self.run_alone(case)
        self.check_alike(alone, self.run_over(4, case), 1e-10, nothing=1e-30)
        self.run_over(2, case, "--steps", 5, name="cut")
        self.run_alone(case, "--steps", 3, verb="resume", name="cut")
        self.check_alike(alone, self.run_over(3, case, verb="resume", name="cut"), 1e-10, nothing=1e-30)
        for name, text in (("sheared", SHEARED), ("bodies_in_slabs", BODIES_IN_SLABS)):
            case = self.block(text, name)
            self.check_alike(self.run_alone(case, name=f"{name}_alone"), self.run_over(3, case, name=name + "_3"), 1e-10, nothing=1e-30)

    def test_a_viscosity_that_varies_is_one_process_s_to_round_off(self):
        case = self.block(VISCOUS, "viscous")
        alone, over_3 = self.run_alone(case), self.run_over(3, case)
        self.check_near(read_table(alone / "cells.csv"), read_table(over_3 / "cells.csv"), 1e-10)
        self.check_logs(alone, over_3, 1e-10, 1e-26)

    def test_a_red_cell_in_a_sheared_box_is_one_process_s_to_round_off(self):
        options = ["--steps", 100, *settings(output__log="12.5 us", output__vertices="0")]
        alone, over_3 = self.run_alone(CASES / "red_cell_lattice", *options), self.run_over(3, CASES / "red_cell_lattice", *options)
        told = ("volume", "area", "centre_x", "centre_y", "centre_z", "deformation", "inclination", "tank_treading", "kinetic_energy", "elastic_energy",
                "bending_energy", "work", "dissipated", "fluid_speed_max", "stress_yz")
        one, other = Run(alone).log, Run(over_3).log
        self.check_near({name: one[name] for name in told}, {name: other[name] for name in told}, 1e-9)

    def test_goes_on_with_other_ranks(self):
        whole = self.run_alone(self.block())
        for before, after in ((4, 2), (1, 3), (2, 1)) if THOROUGH else ((4, 2),):
            name = f"from_{before}_to_{after}"
            for ranks, verb, options in ((before, "run", ("--steps", 11)), (after, "resume", ())):
                if ranks == 1:
                    self.run_alone(self.block(), *options, verb=verb, name=name)
                else:
                    self.run_over(ranks, self.block(), *options, verb=verb, name=name)
            self.check_alike(whole, self.directory / name, 1e-11)

    def check_goes_on(self, case, tolerance):
        """On 3 ranks as on one process; and in a run that 4 of them begin, 3 go on with, then one, and 2 end."""
        alone = self.run_alone(case)
        self.check_alike(alone, self.run_over(3, case), tolerance)
        self.run_over(4, case, "--steps", 10, name="cut")
        self.run_over(3, case, "--steps", 7, verb="resume", name="cut")
        self.run_alone(case, "--steps", 6, verb="resume", name="cut")
        self.check_alike(alone, self.run_over(2, case, verb="resume", name="cut"), tolerance)

    def test_outlets_go_on_with_other_ranks(self):
        self.check_goes_on(self.block(CHANNEL, "channel"), 1e-11)

    def test_bodies_have_one_process_s_bits_in_one_order(self):
        self.check_goes_on(self.block(BODIES, "bodies"), 1e-10)

    def test_bodies_between_inlets_and_outlets(self):
        case = self.block(STREAM, "stream")
        self.check_alike(self.run_alone(case), self.run_over(3, case), 1e-10)

    def test_bodies_are_one_process_s_to_round_off(self):
        case = self.block(BODIES, "bodies")
        for scheme in ("one_pass", "multi_direct"):
            options = ["--steps", 15, *settings(forcing__method="automatic", forcing__scheme=scheme)]
            alone, over_3 = self.run_alone(case, *options, name=f"{scheme}_alone"), self.run_over(3, case, *options, name=scheme)
            for table in ("log.csv", "bodies.csv"):
                self.check_near(read_table(alone / table), read_table(over_3 / table), 1e-9)

    def test_files_without_a_disk_in_common(self):
        """Ranks that look for rank 0's files elsewhere: it writes and reads for all."""
        for place in ("here", "there"):
            (self.directory / place).mkdir()
        def run(verb, *options):
            said = corral_words(verb, self.block(), "--output", "out", *options)
            done = subprocess.run([MPIEXEC, NUMPROC, "1", "-wdir", self.directory / "here", *said, ":", NUMPROC, "2", "-wdir", self.directory / "there", *said],
                                  capture_output=True, text=True, check=False, timeout=300, env=os.environ | ENVIRONMENT)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("the others do not see rank 0's files", done.stdout)

        run("run", "--steps", 11, *settings(drive__body_force="1, 0, 0.25 N/m3"))
        run("resume")
        self.check_alike(self.run_alone(self.block(), *settings(drive__body_force="1, 0, 0.25 N/m3")), self.directory / "here" / "out", 1e-11)
        self.assertEqual(list((self.directory / "there").iterdir()), [])

    def test_files_take_no_memory_for_the_whole(self):
        """A box of 72 MB of populations, in files of every kind and in none; its fields are 15 MB."""
        few = settings(grid__cells="80, 80, 74", grid__size="80, 80, 74 mm", output__log="0", output__format="both")
        def most(name, *options):
            words = [MPIEXEC, NUMPROC, "2", *corral_words("run", self.block(), "--steps", "1", "--quiet", "--output", self.directory / name, *few, *options)]
            code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
            return int(subprocess.run([sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, check=True, env=os.environ | ENVIRONMENT).stdout)

        without = most("without", *settings(output__fields="0", checkpoint__at_end="false", checkpoint__steps="0"))
        self.assertLess(most("with", *settings(output__fields="8 ms")), without + 30_000)
        self.assertGreater((next((self.directory / "with").glob("checkpoint/0*/state.h5"))).stat().st_size, 70e6)

    def test_a_disk_that_is_full_for_one_rank(self):
        """It may write no more than 30 MB of a file: a checkpoint is left out, and the run goes on; fields that are due end it."""
        def run(name, *options):
            words = corral_words("run", self.block(), "--steps", "1", "--quiet", "--output", self.directory / name, *options)
            limited = ["sh", "-c", 'ulimit -f 60000; exec "$@"', "sh", *words]
            return subprocess.run([MPIEXEC, NUMPROC, "1", *words, ":", NUMPROC, "1", *limited], capture_output=True, text=True, check=False, timeout=300,
                                  env=os.environ | ENVIRONMENT)

        done = run("left_out", *settings(grid__cells="80, 80, 74", grid__size="80, 80, 74 mm", output__fields="0"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("no checkpoint was written, those before stand: rank 1: cannot write"), 1, done.stderr)
        self.assertIn("(File too large) allow larger files", done.stderr)
        self.assertEqual(list((self.directory / "left_out" / "checkpoint").iterdir()), [])
        done = run("ended", *settings(grid__cells="120, 120, 90", grid__size="120, 120, 90 mm", output__format="openpmd", checkpoint__at_end="false"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("corral: rank 1: cannot write"), 1, done.stderr)
        self.assertEqual(list((self.directory / "ended").glob("openpmd*")), [])

    def test_refuses(self):
        def refused(ranks, case, said, *options):
            output = self.directory / "refused"
            done = over(ranks, "run", case, "--output", output, *options)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(said, done.stderr)
            self.assertEqual(done.stderr.count(said), 1, done.stderr)
            self.assertFalse(output.exists())

        refused(2, CASES / "sedimenting_pair", "it runs on one, with threads")
        refused(2, CASES / "cylinder_20", "set forcing.placement = together", *settings(forcing__placement="at_once"))
        refused(4, self.block(), "take 2", *settings(grid__cells="4, 2, 2", grid__size="4, 2, 2 mm"))
        refused(4, self.block(), "and x is not, and z is not) take 3",
                *settings(fluid__method="spectral", sides__z_low="periodic", sides__z_high="periodic", grid__cells="18, 6, 16", grid__size="18, 6, 16 mm"))
        refused(2, self.block(), "--backend gpu on 2 processes", "--backend", "gpu")
        refused(2, self.directory / "nowhere", "nowhere")
        first = self.run_over(2, self.block(), "--steps", 2)
        self.assertIn("holds results", self.again(first))
        # One that is no such command says so, each of its processes: none runs all of the case beside the others.
        done = subprocess.run([os.environ["CORRAL"], "run", self.block()], capture_output=True, text=True, check=False,
                              env=os.environ | {"OMPI_COMM_WORLD_SIZE": "2"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("-DCORRAL_DISTRIBUTED=ON", done.stderr)

    def test_check_says_what_ranks_have(self):
        said = corral("check", self.block(), "-n", 4)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("ranks     4 as 1 x 2 x 2, of up to 18 x 9 x 8 cells, 18 x 11 x 10 with ghosts", said.stdout)
        self.assertIn("sends", said.stdout)
        self.assertIn("case.ini:5: 1000 ranks for 18 x 17 x 16 cells (along an axis that is cut each has at least 2) take 576",
                      corral("check", self.block(), "-n", 1000).stderr)
        said = corral("check", self.block(CELLS, "cells"), "-n", 4)
        self.assertIn("ranks     4 as 2 x 2 x 1, of up to 9 x 8 x 16 cells, 13 x 10 x 16 with ghosts, and all membranes each", said.stdout, said.stderr)
        self.assertIn("of markers a step", said.stdout)
        self.assertIn("case.ini:5: 1000 ranks for 18 x 15 x 16 cells (along an axis that is cut each has at least 3) take 150",
                      corral("check", self.block(CELLS, "cells"), "-n", 1000, *settings(coupling__kernel="ib6")).stderr)
        said = corral("check", self.block(BODIES, "bodies"), "-n", 3)
        self.assertIn("ranks     3 as 3 x 1 x 1, of up to 7 x 20 x 19 cells, 11 x 20 x 19 with ghosts, and all bodies each", said.stdout, said.stderr)
        self.assertIn("MB of points", said.stdout)
        self.assertIn("(along an axis that is cut each has at least 3) take", corral("check", self.block(BODIES, "bodies"), "-n", 5000, *settings(forcing__kernel="ib6")).stderr)
        self.assertIn("at least 2, and y is not) take 256", corral("check", CASES / "red_cell_lattice", "-n", 1000).stderr)
        said = corral("check", CASES / "red_cell_in_shear", "-n", 4)
        self.assertIn("ranks     4 as 1 x 1 x 4, of up to 64 x 64 x 16 cells, 64 x 64 x 20 with ghosts, and all membranes each", said.stdout, said.stderr)
        self.assertIn("and 2.84 MB of spectra in each step", said.stdout)
        self.assertIn("at least 2, and x is not, and y is not) take 32", corral("check", CASES / "red_cell_in_shear", "-n", 1000).stderr)
        self.assertIn("ranks     5 as 1 x 5 x 1, of up to 64 x 26 x 64 cells", corral("check", CASES / "capsule_in_shear", "-n", 5).stdout)
        for case, options in ((CASES / "sedimenting_pair", ["-n", 2]), (self.block(), ["-n", 0]), (self.block(), ["-n", 2, "--backend", "gpu"])):
            self.assertEqual(corral("check", case, *options).returncode, 2)

    def again(self, output):
        done = over(2, "run", self.block(), "--output", output)
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr

    def test_a_failure_ends_all(self):
        done = over(3, "run", self.block(), "--quiet", "--output", self.directory / "fast", *settings(drive__body_force="9000, 0, 0 N/m3", drive__start="rest"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("a Mach number of", done.stderr)
        self.assertEqual(done.stderr.count("a Mach number of"), 1, done.stderr)
        done = over(3, "run", self.block(BODIES, "bodies"), "--quiet", "--output", self.directory / "left",
                    *settings(bodies__moved__position="6, 16.3, 8 mm", bodies__moved__velocity="0, 12, 0 mm/s"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("body 2 has left the box"), 1, done.stderr)

    def test_a_rank_that_is_killed_ends_all_and_the_last_checkpoint_stands(self):
        case = self.block()
        long = settings(time__end="800 s", output__fields="80 s", output__log="8 s")
        self.killed_once_it_has_a_checkpoint(3, case, *long)
        self.run_over(2, case, *long, "--steps", 400, verb="resume", name="killed")


if __name__ == "__main__":
    unittest.main()
