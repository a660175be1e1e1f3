# script-version: 2.0
"""The cylinder and the eddies that it sheds to both sides, in ParaView while it runs (`tools/watch cases/oscillating_cylinder`)."""
from corral_view import vortices

options = vortices(4)
