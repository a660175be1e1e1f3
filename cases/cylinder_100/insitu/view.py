# script-version: 2.0
"""The cylinder and its street of eddies, in ParaView while it runs (`tools/watch cases/cylinder_100`)."""
from corral_view import vortices

options = vortices(4)
