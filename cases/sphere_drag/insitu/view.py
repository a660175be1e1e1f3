# script-version: 2.0
"""The sphere and its wake, in ParaView while it runs (`tools/watch cases/sphere_drag`)."""
from corral_view import solids

options = solids(0.01, "X")
