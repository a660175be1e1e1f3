"""Fluids alone, as cases of the driver of bodies have them: small, each judged by its case's check."""

import unittest

from command import CaseTest, settings


class Flows(CaseTest):
    def judge(self, case, name="out", **keys):
        run = self.run_case(case, *settings(**keys), "--threads", 1, name=name)
        self.check(case, run)
        return run


class Poiseuille(Flows):
    def test_exact(self):
        self.judge("poiseuille")

    def test_slip_is_that_of_the_magic_number(self):
        for name, keys in (("quarter", {"lattice__magic": 0.25}), ("bgk", {"lattice__collision": "bgk"}),
                           ("regularised", {"lattice__collision": "regularised"}),
                           ("coarse", {"grid__cells": "2, 5, 1", "grid__size": "0.4, 1, 0.2 mm", "time__dt": "2 ms"})):
            with self.subTest(name):
                self.judge("poiseuille", name=name, **keys)


class TaylorGreen(Flows):
    def test_decay(self):
        long = {"grid__cells": "48, 24, 1", "grid__size": "20, 10, 0.41666666666666667 mm", "time__dt": "2.5 ms"}
        for name, keys in (("square", {}), ("long", long), ("spectral", {"fluid__method": "spectral"}),
                           ("long_spectral", {"fluid__method": "spectral", **long})):
            with self.subTest(name):
                self.judge("taylor_green", name=name, **keys)

    def test_orders(self):
        self.judge_many("taylor_green", "orders.py")


class Cavity(Flows):
    def test_hundred(self):
        self.judge("cavity", grid__cells="32, 32, 1", grid__size="12.8, 12.8, 0.4 mm", time__dt="2.56 ms", time__end="64 s",
                   output__fields="16 s")


if __name__ == "__main__":
    unittest.main()
