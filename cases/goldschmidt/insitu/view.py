# script-version: 2.0
"""The bed in ParaView while it runs: parcels coloured by speed, behind them a slice of the solids fraction.

Watched by `tools/watch cases/goldschmidt`; docs/insitu.md says how to write or export such a script.
"""
from paraview import catalyst
from paraview.simple import *

INK, PAPER = [0.13, 0.14, 0.17], [1.0, 1.0, 1.0]
DEPTH, WIDTH, HEIGHT = 0.015, 0.15, 0.45  # of the column [m]
GAP = 0.03  # between the slice and the parcels in the picture [m]

fields = TrivialProducer(registrationName="fields")
parcels = TrivialProducer(registrationName="parcels")

view = CreateView("RenderView")
view.ViewSize = [1280, 1200]
view.UseColorPaletteForBackground = 0
view.Background = PAPER
view.OrientationAxesVisibility = 0
view.CameraParallelProjection = 1
middle = WIDTH + GAP / 2
view.CameraFocalPoint = [DEPTH / 2, middle, HEIGHT / 2 - 0.005]
view.CameraPosition = [1.0, middle, HEIGHT / 2 - 0.005]
view.CameraViewUp = [0, 0, 1]
view.CameraParallelScale = 0.27


def bar(values, title, place):
    scale = GetScalarBar(GetColorTransferFunction(values), view)
    scale.Title, scale.ComponentTitle = title, ""
    scale.Orientation, scale.WindowLocation, scale.Position = "Horizontal", "Any Location", place
    scale.ScalarBarLength, scale.ScalarBarThickness = 0.2, 12
    scale.TitleColor = scale.LabelColor = INK
    scale.TitleFontSize, scale.LabelFontSize = 18, 15
    scale.AutomaticLabelFormat, scale.LabelFormat, scale.RangeLabelFormat = 0, "%-#.1f", "%-#.2f"


def framed(source, shift):
    frame = Show(Outline(Input=source), view)
    frame.AmbientColor = frame.DiffuseColor = INK
    frame.LineWidth = 2
    frame.Position = [0, shift, 0]


# Left: the parcels, true to scale.
speed = Calculator(Input=parcels, ResultArrayName="speed", Function="mag(velocity)")
beads = Show(speed, view)
beads.Representation = "Point Gaussian"
beads.GaussianRadius = 0.00125
beads.ShaderPreset = "Sphere"
ColorBy(beads, ("POINTS", "speed"))
colours = GetColorTransferFunction("speed")
colours.ApplyPreset("Plasma (matplotlib)", True)
colours.RescaleTransferFunction(0.0, 1.0)
beads.SetScalarBarVisibility(view, True)
bar("speed", "speed of the parcels [m/s]", [0.26, 0.01])
framed(fields, 0)

# Right: the solids fraction in the middle of the column.
middle_plane = Slice(Input=fields)
middle_plane.SliceType = "Plane"
middle_plane.SliceType.Origin = [DEPTH / 2, WIDTH / 2, HEIGHT / 2]
middle_plane.SliceType.Normal = [1, 0, 0]
fraction = Show(middle_plane, view)
fraction.Position = [0, WIDTH + GAP, 0]
ColorBy(fraction, ("CELLS", "solids_fraction"))
shades = GetColorTransferFunction("solids_fraction")
shades.ApplyPreset("Blues", True)
shades.InvertTransferFunction()
shades.RescaleTransferFunction(0.0, 0.65)
fraction.SetScalarBarVisibility(view, True)
fraction.Specular = 0
fraction.Ambient, fraction.Diffuse = 1.0, 0.0
bar("solids_fraction", "solids fraction [-]", [0.54, 0.01])
framed(fields, WIDTH + GAP)

clock = AnnotateTimeFilter(Input=fields, Format="Goldschmidt's bed, {time:.2f} s")
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
