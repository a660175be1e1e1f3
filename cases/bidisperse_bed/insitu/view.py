# script-version: 2.0
"""The bed in ParaView while it runs: parcels, and the solids fraction (`tools/watch cases/van_wachem`)."""
from corral_view import bed

options = bed(speed=0.6, packed=0.62)
