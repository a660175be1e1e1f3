"""Pictures of a run in a few lines, for scripts that ParaView runs while corral does (docs/insitu.md). A whole script:

    # script-version: 2.0
    from corral_view import bed
    options = bed(speed=1.0)

Sizes are those of the run's own box, the title is that of its case. For pictures of other kinds `Picture` has the view
of paraview.simple, and its methods return what is shown there.
"""

import os

from paraview import catalyst
from paraview.simple import *
from vtkmodules.vtkCommonCore import vtkDoubleArray
from vtkmodules.vtkParallelCore import vtkCommunicator, vtkMultiProcessController

INK, PAPER = [0.13, 0.14, 0.17], [1.0, 1.0, 1.0]
REDS = [0, 0.62, 0.09, 0.10, 1, 0.86, 0.22, 0.17, 2, 0.70, 0.12, 0.12, 3, 0.80, 0.16, 0.20, 4, 0.62, 0.09, 0.10]


def source(name):
    """What the run shows under this name, up to date."""
    one = TrivialProducer(registrationName=name)
    one.UpdatePipeline()
    return one


def largest(values):
    """Of each place, over the ranks that share the run: what ParaView says of data is of this rank's part."""
    mine, of_all = vtkDoubleArray(), vtkDoubleArray()
    for value in values:
        mine.InsertNextValue(value)
    of_all.SetNumberOfValues(len(values))
    controller = vtkMultiProcessController.GetGlobalController()
    if not controller or controller.GetNumberOfProcesses() == 1:
        return list(values)
    controller.AllReduce(mine, of_all, vtkCommunicator.MAX_OP)
    return [of_all.GetValue(place) for place in range(len(values))]


def between(ends):
    """Lowest and highest of each axis, over the ranks."""
    lows, highs = largest([-low for low in ends[0::2]]), largest(ends[1::2])
    return [-low for low in lows], highs


class Picture:
    """A view of white paper, which is drawn whenever the script is shown the run."""

    def __init__(self, width=1280, height=1000):
        self.fields = source("fields")
        information = self.fields.GetDataInformation()
        self.low, high = between(information.GetBounds())
        self.size = [h - l for l, h in zip(self.low, high)]
        self.first, self.last = ([int(place) for place in end] for end in between(information.GetExtent()))
        self.view = CreateView("RenderView")
        self.view.ViewSize = [width, height]
        self.view.UseColorPaletteForBackground = 0
        self.view.Background = PAPER
        self.view.OrientationAxesVisibility = 0
        self.bars = []

    def middle(self):
        return [low + size / 2 for low, size in zip(self.low, self.size)]

    def look(self, at, away, up, height=None, angle=30):
        """From at + away; in parallel where a height [m] is given that the picture shows, otherwise in perspective."""
        self.view.CameraFocalPoint = at
        self.view.CameraPosition = [a + d for a, d in zip(at, away)]
        self.view.CameraViewUp = up
        self.view.CameraViewAngle = angle
        if height:
            self.view.CameraParallelProjection = 1
            self.view.CameraParallelScale = height / 2

    def near(self, reach):
        """The cells of the box within `reach` [m] of its middle along each axis."""
        part = []
        for axis, (first, last) in enumerate(zip(self.first, self.last)):
            left_out = max(0, int((self.size[axis] / 2 - reach) / (self.size[axis] / (last - first))))
            part += [first + left_out, last - left_out]
        return ExtractSubset(Input=self.fields, VOI=part)

    def frame(self, of=None, shift=(0, 0, 0)):
        frame = Show(Outline(Input=of or self.fields), self.view)
        frame.AmbientColor = frame.DiffuseColor = INK
        frame.LineWidth, frame.Position = 2, shift
        return frame

    def colour(self, shown, where, name, preset, span, words, component=None, labels="%-.3g"):
        """Colours by an array, with a bar below that says what it is; span is its lowest and highest value."""
        ColorBy(shown, (where, name) if component is None else (where, name, component))
        scale = GetColorTransferFunction(name)
        scale.ApplyPreset(preset.lstrip("-"), True)
        if preset.startswith("-"):
            scale.InvertTransferFunction()
        scale.RescaleTransferFunction(*span)
        shown.SetScalarBarVisibility(self.view, True)
        bar = GetScalarBar(scale, self.view)
        bar.Title, bar.ComponentTitle = words, ""
        bar.Orientation, bar.WindowLocation = "Horizontal", "Any Location"
        bar.ScalarBarLength, bar.ScalarBarThickness = 0.24, 12
        bar.TitleColor = bar.LabelColor = INK
        bar.TitleFontSize, bar.LabelFontSize = 18, 15
        bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, labels, labels
        bar.UseCustomLabels, bar.CustomLabels = 1, [(span[0] + span[1]) / 2]
        self.bars.append(bar)
        for number, one in enumerate(self.bars):  # side by side
            one.Position = [0.38 + 0.3 * (number - (len(self.bars) - 1) / 2), 0.012]
        return scale

    def parcels(self, speed, shift=(0, 0, 0)):
        """Balls of the volume of their solids, coloured by their speed up to this one [m/s]."""
        radius = Calculator(Input=source("parcels"), ResultArrayName="radius", Function="(volume*0.2387324)^(1/3)")
        moving = Calculator(Input=radius, ResultArrayName="speed", Function="mag(velocity)")
        balls = Show(moving, self.view)
        balls.Representation, balls.ShaderPreset, balls.Position = "Point Gaussian", "Sphere", shift
        balls.GaussianRadius = 1
        balls.ScaleByArray, balls.SetScaleArray = 1, ["POINTS", "radius"]
        balls.UseScaleFunction = 0
        self.colour(balls, "POINTS", "speed", "Plasma (matplotlib)", (0, speed), "speed of the parcels [m/s]")
        return balls

    def slice(self, normal, through, of=None, shift=(0, 0, 0)):
        """The box, or part of it, cut at right angles to axis number `normal`, in flat colours; `colour` says of what."""
        cut = Slice(Input=of or self.fields)
        cut.SliceType = "Plane"
        # Not on faces between cells: of a plane where ranks meet each of them might leave the cells to the other.
        through = list(through)
        through[normal] -= 1e-3 * self.size[normal] / (self.last[normal] - self.first[normal])
        cut.SliceType.Origin, cut.SliceType.Normal = through, [float(d == normal) for d in range(3)]
        shown = Show(cut, self.view)
        shown.Position, shown.Specular, shown.Ambient, shown.Diffuse = shift, 0, 1.0, 0.0
        return shown

    def bodies(self):
        """Rigid bodies by the points of their surfaces, balls as large as a cell."""
        shown = Show(source("points"), self.view)
        shown.Representation, shown.ShaderPreset = "Point Gaussian", "Sphere"
        shown.GaussianRadius, shown.ScaleByArray = 0.7 * self.size[0] / (self.last[0] - self.first[0]), 0
        shown.ColorArrayName = ["POINTS", ""]
        shown.AmbientColor = shown.DiffuseColor = [0.45, 0.46, 0.5]
        return shown

    def membranes(self, name="vertices"):
        """Closed surfaces, each in a tone of its own."""
        smooth = GenerateSurfaceNormals(Input=source(name))
        smooth.FeatureAngle = 180
        shown = Show(smooth, self.view)
        ColorBy(shown, ("POINTS", "membrane"))
        tones = GetColorTransferFunction("membrane")
        tones.ColorSpace = "RGB"
        here = smooth.PointData["membrane"].GetRange()[1] if "membrane" in smooth.PointData.keys() else 0
        last = largest([here])[0]
        repeated = []
        for first in range(0, int(last) + 1, 4):
            repeated += [value + first if place % 4 == 0 else value for place, value in enumerate(REDS[:16])]
        tones.RGBPoints = repeated
        shown.SetScalarBarVisibility(self.view, False)
        shown.Interpolation, shown.Specular, shown.SpecularPower = "Gouraud", 0.35, 25
        return shown

    def finish(self, clock=".2f"):
        """The title and the time [s], written with this format, above; a PNG in each call. Returns what a script calls
        `options`."""
        title = os.environ.get("CORRAL_INSITU_TITLE", "").replace("{", "(").replace("}", ")")
        time = AnnotateTimeFilter(Input=self.fields)
        time.Format = (title + ", " if title else "") + "{time:" + clock + "} s"
        above = Show(time, self.view)
        above.WindowLocation, above.Color, above.FontSize = "Upper Center", INK, 24
        picture = CreateExtractor("PNG", self.view)
        picture.Trigger = "TimeStep"
        picture.Writer.FileName = "view_{timestep:06d}.png"
        picture.Writer.ImageResolution = self.view.ViewSize
        picture.Writer.Format = "PNG"
        options = catalyst.Options()
        options.ExtractsOutputDirectory = "."
        options.GlobalTrigger = "TimeStep"
        options.EnableCatalystLive = 0
        return options


def bed(speed, packed=0.6, clock=".2f"):
    """Left the parcels coloured by their speed up to `speed` [m/s], right a slice of the solids fraction up to
    `packed`. Seen along the shorter side of the box."""
    picture = Picture(height=1200)
    depth, width = (0, 1) if picture.size[0] <= picture.size[1] else (1, 0)
    wide, high = picture.size[width], picture.size[2]
    gap = 0.2 * wide
    height = 1.2 * max(high, wide)
    picture.view.ViewSize = [int(max(720, min(1800, 1200 * 1.15 * (2 * wide + gap) / height))), 1200]
    shift = [0, 0, 0]
    shift[width] = wide + gap
    picture.parcels(speed)
    picture.frame()
    cut = picture.slice(depth, picture.middle(), shift=shift)
    picture.colour(cut, "CELLS", "solids_fraction", "-Blues", (0, packed), "solids fraction [-]")
    picture.frame(shift=shift)
    at = picture.middle()
    at[width] += (wide + gap) / 2
    away = [0, 0, 0]
    away[depth] = 3 * max(picture.size) * (1 if width == 1 else -1)
    picture.look(at, away, [0, 0, 1], height)
    return picture.finish(clock)


def membranes(fastest, clock=".4f"):
    """Bodies in a box that flow along z shears or drives, each in a tone of its own; on the far side of the box how fast
    the fluid goes along z, from -fastest to fastest [m/s]."""
    picture = Picture()
    wall = picture.middle()
    wall[0] = picture.low[0] + 1e-3 * picture.size[0]
    far = picture.slice(0, wall)
    far.Opacity = 0.55
    words = "velocity of the fluid along z [m/s]"
    picture.colour(far, "CELLS", "velocity", "Cool to Warm", (-fastest, fastest), words, "Z")
    picture.frame()
    picture.membranes()
    at, reach = picture.middle(), sum(size**2 / 3 for size in picture.size) ** 0.5
    at[1] -= 0.1 * picture.size[1]
    picture.look(at, [2.6 * reach, 0.85 * reach, 1.4 * reach], [0, 1, 0], angle=31)
    return picture.finish(clock)


def membrane(array, span, words, component=None, preset="Cool to Warm", reach=None, normal=0, opacity=1,
             clock=".4f"):
    """One body, half of it before the plane through the middle of the box at right angles to axis number `normal`,
    which a field of the fluid colours. Of the box what lies within `reach` [m] of the middle, or all."""
    picture = Picture()
    near = picture.near(reach) if reach else picture.fields
    plane = picture.slice(normal, picture.middle(), of=near)
    picture.colour(plane, "CELLS", array, preset, span, words, component)
    picture.frame(of=near)
    body = picture.membranes()
    body.Opacity = opacity
    extent = min(max(picture.size), 2 * reach if reach else max(picture.size))
    away = [0.9, 0.7, 0.9]
    away[normal] = 3.2
    at = picture.middle()
    at[1] -= 0.1 * extent
    picture.look(at, [extent * a for a in away], [0, 1, 0], angle=28)
    return picture.finish(clock)


def vortices(fastest, clock=".1f"):
    """A flow in the plane of x and y and the bodies in it: vorticity along z, from -fastest to fastest [1/s]."""
    picture = Picture(width=1400)
    wide, high = picture.size[0], picture.size[1]
    picture.view.ViewSize = [1400, int(1400 * 1.25 * high / wide) + 80]
    turning = Gradient(Input=picture.fields, ScalarArray=["CELLS", "velocity"])
    turning.ComputeGradient, turning.ComputeVorticity, turning.VorticityArrayName = 0, 1, "vorticity"
    plane = picture.slice(2, picture.middle(), of=turning)
    picture.colour(plane, "CELLS", "vorticity", "Cool to Warm", (-fastest, fastest), "vorticity [1/s]", "Z")
    picture.frame()
    picture.bodies()
    at = picture.middle()
    at[1] -= 0.08 * high
    picture.look(at, [0, 0, 2 * wide], [0, 1, 0], 1.25 * high + 0.06 * wide)
    return picture.finish(clock)


def solids(fastest, along="Y", clock=".3f"):
    """Bodies in a box, and on the plane through its middle at right angles to z how fast the fluid goes along x, y or z, from
    -fastest to fastest [m/s]."""
    picture = Picture()
    plane = picture.slice(2, picture.middle())
    plane.Opacity = 0.8
    words = f"velocity of the fluid along {along.lower()} [m/s]"
    picture.colour(plane, "CELLS", "velocity", "Cool to Warm", (-fastest, fastest), words, along)
    picture.frame()
    picture.bodies()
    at, reach = picture.middle(), max(sum(size**2 / 3 for size in picture.size) ** 0.5, 0.85 * max(picture.size))
    at[1] -= 0.05 * picture.size[1]
    picture.look(at, [1.3 * reach, 0.9 * reach, 2.6 * reach], [0, 1, 0], angle=31)
    return picture.finish(clock)
