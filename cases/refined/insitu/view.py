# script-version: 2.0
"""The bed in ParaView while it runs: parcels, and the solids fraction (`tools/watch cases/refined`)."""
from corral_view import bed

options = bed(speed=1.0, packed=0.65)
