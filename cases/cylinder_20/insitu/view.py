# script-version: 2.0
"""The cylinder and what it leaves behind, in ParaView while it runs (`tools/watch cases/cylinder_20`)."""
from corral_view import vortices

options = vortices(1)
