"""A case on two hosts with addresses of their own, which are network namespaces of this machine: by root alone, and by name."""

import os
import shutil
import subprocess
import time
import unittest

from command import settings
from gas_solid_over_ranks import BED
from ranks import ENVIRONMENT, MPIEXEC, NUMPROC, OVER_RANKS, RanksTest, over

# Launches what mpirun asks for on the host of that address, as ssh would.
AGENT = """#!/bin/sh
host=$1; shift
exec ip netns exec {name}_${{host##*.}} unshare --uts sh -c "hostname {name}-${{host##*.}}; $*"
"""
# A host that cannot be reached is given up within some ten seconds.
NETWORK = ("--mca plm_rsh_no_tree_spawn 1 --mca oob_tcp_if_include 10.99.0.0/24 --mca btl_tcp_if_include 10.99.0.0/24 "
           "--mca oob_tcp_keepalive_time 3 --mca oob_tcp_keepalive_intvl 2 --mca oob_tcp_keepalive_probes 2 --host 10.99.0.1:2,10.99.0.2:2")
LONG = settings(time__end="1000 s", output__log="1 s", output__fields="100 s", output__parcels="100 s")


def ip(*words):
    subprocess.run(["ip", *words], check=True)


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("ip") and shutil.which("unshare"), "hosts need root, ip and unshare")
class TwoHosts(RanksTest):
    def setUp(self):
        super().setUp()
        self.name = f"corral{os.getpid()}"
        for host in (1, 2):
            ip("netns", "add", f"{self.name}_{host}")
            self.addCleanup(ip, "netns", "del", f"{self.name}_{host}")
        self.cable = [f"v{os.getpid()}_{host}" for host in (1, 2)]
        ip("link", "add", self.cable[0], "netns", f"{self.name}_1", "type", "veth", "peer", "name", self.cable[1], "netns", f"{self.name}_2")
        for host in (1, 2):
            ip("-n", f"{self.name}_{host}", "addr", "add", f"10.99.0.{host}/24", "dev", self.cable[host - 1])
            for link in ("lo", self.cable[host - 1]):
                ip("-n", f"{self.name}_{host}", "link", "set", link, "up")
        self.agent = self.directory / "agent"
        self.agent.write_text(AGENT.format(name=self.name))
        self.agent.chmod(0o755)

    def started(self, output, *options):
        words = [MPIEXEC, "--mca", "plm_rsh_agent", self.agent, *NETWORK.split(), NUMPROC, 4, OVER_RANKS, "run", self.write_case(BED, output.name + "_case"),
                 "--quiet", "--threads", 1, "--output", output, *options]
        quoted = " ".join(f"'{word}'" for word in words)
        return subprocess.Popen(["ip", "netns", "exec", f"{self.name}_1", "unshare", "--uts", "sh", "-c", f"hostname {self.name}-1; exec {quoted}"],
                                env=os.environ | ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def test_run_and_one_that_is_cut_off(self):
        whole = self.run_over(4, self.write_case(BED, "here"), name="whole")
        with self.started(self.directory / "there") as run:
            said, _ = run.communicate(timeout=120)
            self.assertEqual(run.returncode, 0, said)
        self.assert_same_results(whole, self.directory / "there")
        cut = self.directory / "cut"
        with self.started(cut, *LONG) as run:
            deadline = time.monotonic() + 60
            while not list((cut / "checkpoint").glob("0*/manifest")) and time.monotonic() < deadline:
                time.sleep(0.1)
            ip("-n", f"{self.name}_2", "link", "set", self.cable[1], "down")
            cut_at = time.monotonic()
            said, _ = run.communicate(timeout=60)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("lost communication", said)
            self.assertLess(time.monotonic() - cut_at, 40)
        resume = (2, "resume", self.directory / "cut_case", "--quiet", "--threads", 1, "--output", cut, *LONG, "--steps", 5)
        self.assertIn("cannot see whether it goes on", over(*resume).stderr)  # this host does not know that one
        (cut / "corral.lock").unlink()
        done = over(*resume)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
