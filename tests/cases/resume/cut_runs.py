"""What tests of cut runs share: a run and a resumed one compared, file by file."""

from command import CASES, CaseTest, corral, settings


def checkpoints(output):
    return sorted(p for p in (output / "checkpoint").iterdir() if p.name.isdigit())


class ResumeTest(CaseTest):
    def run_into(self, output, case, *options, command="run", status=0):
        done = corral(command, case, "--output", output, "--quiet", *options)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def small(self, **keys):
        """A bed that falls, some 100 steps."""
        text = (CASES / "column" / "case.ini").read_text(encoding="utf-8")
        return self.write_case(text), settings(time__end="0.12", output__log="2e-3", output__fields="0.01",
                                               output__parcels="0.02", output__format="both", **keys)
