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
