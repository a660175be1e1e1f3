# script-version: 2.0
"""The red cells in ParaView while they run, each in a tone of its own, in the box that walls shear.

Watched by `tools/watch cases/red_cells_8`; docs/insitu.md says how to write or export such a script.
"""
from paraview import catalyst
from paraview.simple import *

INK, PAPER = [0.13, 0.14, 0.17], [1.0, 1.0, 1.0]
SIZE = 20e-6  # of the box [m]

fields = TrivialProducer(registrationName="fields")
vertices = TrivialProducer(registrationName="vertices")

view = CreateView("RenderView")
view.ViewSize = [1280, 1000]
view.UseColorPaletteForBackground = 0
view.Background = PAPER
view.OrientationAxesVisibility = 0
view.CameraFocalPoint = [0.5 * SIZE, 0.4 * SIZE, 0.5 * SIZE]
view.CameraPosition = [3.1 * SIZE, 1.25 * SIZE, 1.9 * SIZE]
view.CameraViewUp = [0, 1, 0]
view.CameraViewAngle = 31

# The fluid on the wall of the box that lies farthest away: how fast it goes along the shear.
wall = Slice(Input=fields)
wall.SliceType = "Plane"
wall.SliceType.Origin = [0.001 * SIZE, 0.5 * SIZE, 0.5 * SIZE]
wall.SliceType.Normal = [1, 0, 0]
flow = Show(wall, view)
ColorBy(flow, ("CELLS", "velocity", "Z"))
flow.Ambient, flow.Diffuse, flow.Specular, flow.Opacity = 1.0, 0.0, 0, 0.55
tones = GetColorTransferFunction("velocity")
tones.ApplyPreset("Cool to Warm", True)
tones.RescaleTransferFunction(-0.01, 0.01)
flow.SetScalarBarVisibility(view, True)
scale = GetScalarBar(tones, view)
scale.Title, scale.ComponentTitle = "velocity of the fluid along the walls [m/s]", ""
scale.Orientation, scale.WindowLocation, scale.Position = "Horizontal", "Any Location", [0.32, 0.015]
scale.ScalarBarLength, scale.ScalarBarThickness = 0.36, 12
scale.TitleColor = scale.LabelColor = INK
scale.TitleFontSize, scale.LabelFontSize = 18, 15
scale.AutomaticLabelFormat, scale.LabelFormat, scale.RangeLabelFormat = 0, "%-#.3f", "%-#.3f"
scale.UseCustomLabels, scale.CustomLabels = 1, [-0.005, 0, 0.005]

box = Show(Outline(Input=fields), view)
box.AmbientColor = box.DiffuseColor = INK
box.LineWidth = 2

normals = GenerateSurfaceNormals(Input=vertices)
normals.FeatureAngle = 180
cells = Show(normals, view)
ColorBy(cells, ("POINTS", "membrane"))
reds = GetColorTransferFunction("membrane")
reds.ColorSpace = "RGB"
reds.RGBPoints = [0, 0.62, 0.09, 0.10, 2, 0.86, 0.22, 0.17, 4, 0.70, 0.12, 0.12, 7, 0.80, 0.16, 0.20]
cells.SetScalarBarVisibility(view, False)
cells.Interpolation = "Gouraud"
cells.Specular, cells.SpecularPower = 0.35, 25

clock = AnnotateTimeFilter(Input=fields, Format="Eight red cells in shear, {time:.4f} s")
words = Show(clock, view)
words.WindowLocation, words.Color, words.FontSize = "Upper Center", INK, 24

picture = CreateExtractor("PNG", view)
picture.Trigger = "TimeStep"
picture.Writer.FileName = "view_{timestep:06d}.png"
picture.Writer.ImageResolution = view.ViewSize
picture.Writer.Format = "PNG"

options = catalyst.Options()
options.ExtractsOutputDirectory = "."
options.GlobalTrigger = "TimeStep"
options.EnableCatalystLive = 0
