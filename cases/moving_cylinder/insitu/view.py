# script-version: 2.0
"""The cylinder on its way, in ParaView while it runs (`tools/watch cases/moving_cylinder`)."""
from corral_view import vortices

options = vortices(2)
