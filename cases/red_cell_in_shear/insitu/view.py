# script-version: 2.0
"""The red cell in ParaView while it runs, and the flow (`tools/watch cases/red_cell_in_shear`)."""
from corral_view import membrane

options = membrane("velocity", (-0.008, 0.008), "velocity of the fluid along z [m/s]", "Z")
