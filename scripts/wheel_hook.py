"""What hatchling asks while it builds a wheel.

With LUDOTECA_COMPILED the wheel gets compiled kernels, for one Python and one kind of processor (see
scripts/make_wheel.py). Without, it is a wheel for every computer.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledKernels(BuildHookInterface[Any]):
    """Adds the folder of compiled kernels."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is written. Raises KeyError if the tag is not given."""
        folder = os.environ.get('LUDOTECA_COMPILED')
        if folder and version == 'standard':
            build_data['pure_python'] = False
            build_data['tag'] = (
                f'cp{sys.version_info[0]}{sys.version_info[1]}-none-{os.environ["LUDOTECA_PLATFORM"]}'
            )
            build_data['force_include'][folder] = 'ludoteca/compiled'
