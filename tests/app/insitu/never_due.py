# script-version: 2.0
"""Is asked in every step and wants nothing: what a look costs then (docs/insitu.md has the command)."""
from paraview import catalyst

options = catalyst.Options()
options.GlobalTrigger = "TimeStep"
options.GlobalTrigger.UseStartTimeStep = 1
options.GlobalTrigger.StartTimeStep = 2**30
