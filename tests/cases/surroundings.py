"""What surrounds a run: other runs, signals, closed and full streams, disks that fill. Results stay whole."""

import json
import os
import resource
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree as xml

from command import CORRAL, CaseTest, corral, settings

BED = """
[case]
driver = mppic
[grid]
cells = 4, 4, 10
size = 40, 40, 100 mm
[sides]
z_high = outlet
[solids]
density = 2500 kg/m3
[size.grains]
diameter = 1 mm
[seed.bed]
high = 40, 40, 50 mm
arrangement = random
solids_fraction = 0.1
parcels = 500
[time]
dt = 5e-4 s
end = {end}
[output]
log = 5e-4 s
fields = 5e-3 s
"""


def default_signals():
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU):
        signal.signal(number, signal.SIG_DFL)


class Surroundings(CaseTest):
    def case(self, end="0.01 s"):
        return self.write_case(BED.format(end=end))

    def start(self, case, *options, shell="", **kinds):
        """The command as a process; `shell` is put before it and may set what it inherits. No signal is ignored, as it
        would be where the tests themselves run in the background or under nohup."""
        words = ["sh", "-c", shell + ' exec "$0" "$@"', CORRAL, "run", str(case), *options]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **kinds}
        process = subprocess.Popen(words, text=True, start_new_session=True, preexec_fn=default_signals, **pipes)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe:
                pipe.close()

    def started(self, case, **kinds):
        """A long run that has written its first rows."""
        process = self.start(case, "--quiet", **kinds)
        log = case / "out" / "log.csv"
        deadline = time.monotonic() + 20
        while not (log.exists() and log.read_text().count("\n") > 2) and time.monotonic() < deadline:
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        return process

    def outcome(self, case):
        return json.loads((case / "out" / "summary.json").read_text())["outcome"]

    def assert_whole(self, case):
        """log.csv and the lists can be read, and nothing of the terminal's is in any file."""
        rows = (case / "out" / "log.csv").read_text().splitlines(keepends=True)
        self.assertTrue(all(row.endswith("\n") and row.count(",") == rows[0].count(",") for row in rows))
        for file in (case / "out").glob("*.pvd"):
            xml.parse(file)
        for file in (p for p in (case / "out").rglob("*") if p.is_file()):
            for said in (b"steps/s", b"phase  ", b"warning "):
                self.assertNotIn(said, file.read_bytes(), file)

    def test_many_at_once(self):
        """Many cells, so that each has looked at the directory before the first writes there."""
        case = self.case()
        large = settings(grid__cells="64, 64, 64", seed__bed__parcels=50000)
        runs = [self.start(case, "--quiet", "--threads", "1", "--steps", "0", *large) for _ in range(4)]
        answers = sorted((run.wait(), run.communicate()[1]) for run in runs)
        self.assertEqual([status for status, _ in answers], [0, 2, 2, 2], answers)
        for _, said in answers[1:]:
            self.assertRegex(said, "is in use|holds results")
        self.assert_whole(case)
        self.assertFalse((case / "out" / "corral.lock").exists())

    def test_overwrite_under_a_run(self):
        case = self.case("1000 s")
        run = self.started(case)
        before = (case / "out" / "used.ini").stat()
        for options in ([], ["--overwrite"]):
            done = corral("run", case, *options)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"is in use (the run of process {run.pid} on ", done.stderr)
        self.assertEqual(before.st_ino, (case / "out" / "used.ini").stat().st_ino)
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(), 3)

    def test_after_a_kill(self):
        case = self.case("1000 s")
        run = self.started(case)
        run.kill()
        run.wait()
        self.assertTrue((case / "out" / "corral.lock").exists())
        self.assert_whole(case)
        done = corral("run", case)
        self.assertEqual(done.returncode, 2)
        self.assertIn("holds results", done.stderr)
        done = corral("run", case, "--overwrite", "--steps", 3)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"left by process {run.pid}, which is gone", done.stderr)
        self.assertFalse((case / "out" / "corral.lock").exists())

    def test_closed_streams(self):
        """What is said to a closed stream must not reach a file that got its number."""
        for number, closed in enumerate(("<&-", "2>&-", "<&- >&- 2>&-")):
            with self.subTest(closed=closed):
                case = self.write_case(BED.format(end="1000 s"), f"closed_{number}")
                run = self.started(case, shell=f"exec {closed};")
                for stream in (0, 1, 2):
                    self.assertNotIn(str(case), os.readlink(f"/proc/{run.pid}/fd/{stream}"))
                run.send_signal(signal.SIGTERM)
                self.assertEqual(run.wait(), 3)
                self.assert_whole(case)

    def test_answer_that_is_lost(self):
        case = self.case()
        for shell in ("exec >&-;", "exec <&- >&- 2>&-;", "exec >/dev/full;"):
            with self.subTest(shell=shell):
                run = self.start(case, "--overwrite", shell=shell)
                said = run.communicate()[1]
                self.assertEqual(run.returncode, 1)
                if "2>" not in shell:
                    self.assertIn("the answer could not be written", said)
                self.assertEqual(self.outcome(case), "end")
                self.assert_whole(case)
        self.assertEqual(self.start(case, "--overwrite", "--quiet", shell="exec >&-;").wait(), 0)  # nothing is lost

    def test_every_answer(self):
        case = self.case()
        for words in (["check", case], ["describe"], ["--help"], ["--version"],
                      ["bench", "--cells", 4, "--particles", 1000, "--map", "sort"]):
            for shell in ("exec >/dev/full;", "exec >&-;"):
                with self.subTest(words=words, shell=shell):
                    done = subprocess.run(["sh", "-c", shell + ' exec "$0" "$@"', CORRAL, *map(str, words)],
                                          capture_output=True, text=True, check=False)
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn("the answer could not be written", done.stderr)

    def test_reader_that_leaves(self):
        case = self.case("0.05 s")
        run = self.start(case)
        run.stdout.readline()
        run.stdout.close()
        self.assertEqual(run.stderr.read(), "")
        self.assertEqual(run.wait(), 0)
        self.assertEqual(self.outcome(case), "end")
        self.assert_whole(case)

    def test_reader_that_leaves_a_measurement(self):
        file = self.directory / "bench.json"
        words = ["bench", "--cells", "4", "--particles", "1000", "--map", "sort", "--json-file", file]
        reader, writer = os.pipe()
        os.close(reader)
        run = subprocess.run([CORRAL, *words], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
        os.close(writer)
        self.assertEqual(run.returncode, 1)
        self.assertIn("could not be written", run.stderr)
        self.assertGreater(len(json.loads(file.read_text())), 1)

    def test_terminal_that_leaves(self):
        case = self.case("1000 s")
        run = self.started(case)
        run.send_signal(signal.SIGHUP)
        self.assertEqual(run.wait(), 3)
        self.assertEqual(self.outcome(case), "interrupted")
        self.assert_whole(case)
        self.assertFalse((case / "out" / "corral.lock").exists())

    def test_nohup(self):
        case = self.case("1000 s")
        run = self.started(case, shell="trap '' HUP;")
        run.send_signal(signal.SIGHUP)
        rows = (case / "out" / "log.csv").stat().st_size
        while (case / "out" / "log.csv").stat().st_size < rows + 10_000:
            self.assertIsNone(run.poll())
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(), 3)

    def test_files_that_may_not_grow(self):
        """Each limit ends a run within other bytes; log.csv and the lists end with a whole row all the same."""
        for limit in range(5000, 5400, 61):
            with self.subTest(limit=limit):
                case = self.write_case(BED.format(end="1 s") + "[contact]\n", f"limit_{limit}")
                run = subprocess.run([CORRAL, "run", case, "--quiet", "--set", "output.fields=0", "--set",
                                      "output.parcels=0"], capture_output=True, text=True, check=False,
                                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertEqual(run.returncode, 1)
                self.assertIn("log.csv (File too large)", run.stderr)
                self.assert_whole(case)

    def test_too_little_memory(self):
        """A sentence with what needs how much and how much there is, before anything is written."""
        case = self.case()
        for words, said in ((["check", *settings(grid__cells="1000, 1000, 1000")], "1e9 cells and 500 parcels need about "),
                            (["run", "--quiet", *settings(seed__bed__parcels=int(2e8))], "160 cells and 2e8 parcels ")):
            with self.subTest(words=words):
                done = subprocess.run([CORRAL, words[0], case, *words[1:]], capture_output=True, text=True, check=False,
                                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (3 * 10**9, 3 * 10**9)))
                self.assertEqual(done.returncode, 2)
                self.assertIn(said, done.stderr)
                self.assertIn("ulimit -v lets this process have", done.stderr)
                self.assertFalse((case / "out").exists())

    def test_too_many_open_files(self):
        case = self.case()
        for most in (4, 5):
            with self.subTest(most=most):
                run = self.start(case, "--quiet", "--overwrite", shell=f"ulimit -n {most};")
                said = run.communicate()[1]
                self.assertIn(run.returncode, (1, 2))
                self.assertIn("Too many open files", said)
                self.assertIn("ulimit -n", said)
                self.assertNotIn("--output", said)


if __name__ == "__main__":
    unittest.main()
