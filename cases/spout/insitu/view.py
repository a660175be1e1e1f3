# script-version: 2.0
"""The spout in ParaView while it runs: parcels, and the solids fraction (`tools/watch cases/spout`)."""
from corral_view import bed

options = bed(speed=2.0, packed=0.65)
