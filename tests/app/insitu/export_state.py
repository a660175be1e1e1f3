"""Has ParaView write the script of a session on corral's files, by the code behind its menu File > Save Catalyst State:
export_state.py OUT SCRIPT

The session is what a user may set up: the files opened, parcels and a slice of the fields in a view, an extractor of
pictures and one of data.
"""

import sys

from paraview import catalyst
from paraview.detail.catalyst_export import save_catalyst_state
from paraview.simple import *

out, script = sys.argv[1:3]
view = CreateView("RenderView")
view.ViewSize = [200, 150]
parcels = PVDReader(registrationName="parcels.pvd", FileName=f"{out}/parcels.pvd")
fields = PVDReader(registrationName="fields.pvd", FileName=f"{out}/fields.pvd")
cut = Slice(registrationName="Slice1", Input=fields)
cut.SliceType.Normal = [1, 0, 0]
ColorBy(Show(cut, view), ("CELLS", "solids_fraction"))
ColorBy(Show(parcels, view), ("POINTS", "velocity", "Magnitude"))
view.ResetCamera()
pictures = CreateExtractor("PNG", view, registrationName="PNG1")
pictures.Writer.ImageResolution = [200, 150]
pictures.Writer.FileName = "exported_{timestep:06d}{camera}.png"
CreateExtractor("VTP", parcels, registrationName="VTP1").Writer.FileName = "exported_{timestep:06d}.pvtp"
options = catalyst.Options()
options.ExtractsOutputDirectory = "datasets"
save_catalyst_state(script, options)
