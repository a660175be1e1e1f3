# script-version: 2.0
"""The sphere in ParaView while it runs, and the flow around it (`tools/watch cases/sphere_array`)."""
from corral_view import membrane

options = membrane("velocity", (0, 2e-3), "speed of the fluid [m/s]", "Magnitude", "Viridis (matplotlib)", normal=2,
                   clock=".1e")
