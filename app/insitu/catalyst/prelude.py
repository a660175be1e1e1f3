# Runs once in the interpreter that the plug-in starts, before any script of a user.
import os
import sys
import traceback


def _remember(kind, value, trace):
    """What went wrong, in a sentence for corral and in full on standard error."""
    traceback.print_exception(kind, value, trace)
    if sys.corral_failure is None:
        frames = [frame for frame in traceback.extract_tb(trace) if "paraview" not in frame.filename]
        where = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
        if isinstance(value, SyntaxError) and value.filename:
            where = f" ({os.path.basename(value.filename)}, line {value.lineno})"
        text = " ".join(str(value.msg if isinstance(value, SyntaxError) else value).split())
        sys.corral_failure = f"{kind.__name__}: {text}{where}" if text else kind.__name__ + where


def _refuse_view(*_arguments, **_named):
    raise RuntimeError("nothing can be drawn here, for neither a display nor Xvfb answers (package xvfb)")


sys.corral_failure = None
sys.excepthook = _remember
sys.dont_write_bytecode = True
if os.environ["CORRAL_INSITU_RENDER"] == "0":
    # The first picture would end the process: VTK aborts where no X server answers.
    from paraview import servermanager

    servermanager._create_view = _refuse_view


def _rescale_over_ranks(self, *arguments):
    """What ParaView says of data is of this rank's part: colours have the range of all, as `coprocessing` sees to for scripts of version 1."""
    self.SMProxy.RescaleTransferFunctionToDataRange(*arguments)
    data, colours = self.GetArrayInformationForColorArray(), self.LookupTable
    low, high = float("inf"), float("-inf")
    if data and colours and data.GetNumberOfTuples() > 0:
        low, high = colours.RGBPoints[0], colours.RGBPoints[-4]
    mine, of_all = vtkDoubleArray(), vtkDoubleArray()
    for end in (-low, high):
        mine.InsertNextValue(end)
    of_all.SetNumberOfValues(2)
    vtkMultiProcessController.GetGlobalController().AllReduce(mine, of_all, vtkCommunicator.MAX_OP)
    low, high = -of_all.GetValue(0), of_all.GetValue(1)
    if colours and low <= high:
        colours.RescaleTransferFunction(low, high)


from vtkmodules.vtkCommonCore import vtkDoubleArray
from vtkmodules.vtkParallelCore import vtkCommunicator, vtkMultiProcessController

if vtkMultiProcessController.GetGlobalController().GetNumberOfProcesses() > 1:
    from paraview import servermanager

    servermanager.Proxy.RescaleTransferFunctionToDataRange = _rescale_over_ranks
