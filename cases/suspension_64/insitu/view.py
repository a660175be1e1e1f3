# script-version: 2.0
"""The spheres and the liquid that walls shear, in ParaView while it runs (`tools/watch cases/suspension_64`)."""
from corral_view import solids

options = solids(0.25, "X")
