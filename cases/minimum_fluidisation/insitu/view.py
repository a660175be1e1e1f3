# script-version: 2.0
"""Parcels and the solids fraction in ParaView while gas is turned down (`tools/watch cases/minimum_fluidisation`)."""
from corral_view import bed

options = bed(speed=0.5)
