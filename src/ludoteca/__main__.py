"""`python -m ludoteca` is the program, where its own name is not on the path."""

import sys

from ludoteca.cli import main

if __name__ == '__main__':
    sys.exit(main())
