# script-version: 2.0
"""The red cells in ParaView while forces pull at two of them (`tools/watch cases/red_cell_stretch`)."""
from corral_view import Picture

picture = Picture()
picture.frame()
picture.membranes()
reach = max(picture.size)
picture.look(picture.middle(), [0.35 * reach, 0.3 * reach, 2.4 * reach], [0, 1, 0], angle=29)
options = picture.finish(".4f")
