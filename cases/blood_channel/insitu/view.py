# script-version: 2.0
"""The red cells in ParaView while they run, in the channel (`tools/watch cases/blood_channel`)."""
from corral_view import membranes

options = membranes(fastest=0.005)
