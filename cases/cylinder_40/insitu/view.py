# script-version: 2.0
"""The cylinder and the two eddies behind it, in ParaView while it runs (`tools/watch cases/cylinder_40`)."""
from corral_view import vortices

options = vortices(2)
