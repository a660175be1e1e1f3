# script-version: 2.0
"""The jets in ParaView while they run: parcels, and the solids fraction (`tools/watch cases/colliding_jets`)."""
from corral_view import bed

options = bed(speed=20.0)
