# script-version: 2.0
"""The red cells in ParaView while they run, in the box that walls shear (`tools/watch cases/red_cells_8`)."""
from corral_view import membranes

options = membranes(fastest=0.01)
