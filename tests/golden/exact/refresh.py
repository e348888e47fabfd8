#!/usr/bin/env python3
"""Write the golden files anew: refresh.py PROGRAM, in the root of the repository. For a program that takes lists."""
import json
import pathlib
import shlex
import subprocess
import sys

here = pathlib.Path(__file__).parent
for line in (here / 'commands').read_text().splitlines():
    if line.startswith('#'):
        continue
    name, arguments = line.split(': ', 1)
    out = subprocess.run([sys.argv[1], 'exact', '--json', *shlex.split(arguments)], check=True, capture_output=True)
    result = json.loads(out.stdout)
    for key in ('seconds', 'version'):
        del result[key]
    (here / f'{name}.json').write_text(json.dumps(result) + '\n')
