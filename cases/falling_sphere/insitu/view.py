# script-version: 2.0
"""The sphere and the oil that makes way, in ParaView while it runs (`tools/watch cases/falling_sphere`)."""
from corral_view import solids

options = solids(0.12)
