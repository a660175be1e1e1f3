# script-version: 2.0
"""The sphere in ParaView while it runs, and the flow that it makes (`tools/watch cases/sphere_relaxation`)."""
from corral_view import membrane

options = membrane("velocity", (0, 0.008), "speed of the fluid [m/s]", "Magnitude", "Viridis (matplotlib)", opacity=0.5,
                   clock=".1e")
