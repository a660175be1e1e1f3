# script-version: 2.0
"""The capsule in ParaView while it runs, and the flow (`tools/watch cases/capsule_in_shear`)."""
from corral_view import membrane

options = membrane("velocity", (-0.006, 0.006), "velocity of the fluid along z [m/s]", "Z", reach=10e-6)
