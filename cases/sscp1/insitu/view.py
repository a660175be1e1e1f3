# script-version: 2.0
"""The bed in ParaView while it runs: parcels, and the solids fraction (`tools/watch cases/sscp1`)."""
from corral_view import bed

options = bed(speed=1.0, packed=0.6)
