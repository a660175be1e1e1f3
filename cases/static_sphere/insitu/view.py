# script-version: 2.0
"""The drop in ParaView while it runs, and its pressure (`tools/watch cases/static_sphere`)."""
from corral_view import membrane

options = membrane("pressure", (-2, 10), "pressure [Pa]", preset="Viridis (matplotlib)", reach=4e-6, opacity=0.3,
                   clock=".1e")
