import { expect, test } from 'vitest'
import { graphOf, told } from './graph-of.ts'

const project = {
  'pyproject.toml': '',
  'src/app/__init__.py': '',
  'src/app/core.py': '',
  'src/app/sub/__init__.py': '',
  'src/app/sub/deep.py': '',
  'src/bare/part.py': '',
  'tests/conftest.py': '',
  'tests/tools.py': '',
  'tests/unit/near.py': '',
  'other/pyproject.toml': '',
  'other/src/neighbour.py': '',
  'script.py': '',
}
const app = 'src/app/__init__.py'

const spellings: readonly (readonly [text: string, ...expected: string[]])[] = [
  ['import app', app],
  ['import app.core as c, os', app, 'src/app/core.py', 'package os'],
  ['from app import core', app, 'src/app/core.py'],
  ['from app import name', app],
  ['from app import *', app],
  ['from app.sub import (\n  deep,  # why\n  x as y)', app, 'src/app/sub/__init__.py', 'src/app/sub/deep.py'],
  ['import app.gone', app, 'missing app.gone'],
  ['import bare.part', 'src/bare/part.py'],
  ['from bare import part', 'src/bare/part.py'],
  ['from bare import other', 'package bare'],
  ['import json, requests.auth', 'package json', 'package requests'],
  ['import tools', 'tests/tools.py'],
  ['from conftest import fixture', 'tests/conftest.py'],
  ['import near', 'tests/unit/near.py'],
  ['import script', 'script.py'],
  ['import neighbour', 'other/src/neighbour.py'],
  ['from . import near', 'tests/unit/near.py'],
  ['from .. import tools', 'tests/tools.py'],
  ['from ..tools import x', 'tests/tools.py'],
  ['from ..... import x', 'missing .....'],
  ['from .gone import x', 'missing .gone'],
  ['import importlib\nimportlib.import_module("app.core")', 'package importlib', app, 'src/app/core.py'],
  ['import_module(".near", __package__)', 'tests/unit/near.py'],
  ['import_module(".core", package="app")', app, 'src/app/core.py'],
  ['import_module(f"app.{name}")', 'computed'],
  ['import_module("app." + name)', 'computed'],
  ['__import__("app")', app],
  ['np = pytest.importorskip("numpy")', 'package numpy'],
  ['pytest_plugins = ["app.core", "tools"]', app, 'src/app/core.py', 'tests/tools.py'],
  ['if TYPE_CHECKING:\n    import app\nelse:\n    import tools', `${app} (type)`, 'tests/tools.py'],
  ['if typing.TYPE_CHECKING: import app', `${app} (type)`],
  ['if not TYPE_CHECKING:\n    import app', app],
  ['def f():\n    try:\n        import app\n    except ImportError: pass', app],
  ['"""\nimport app\n"""\n# import app'],
  ['print "old"\nimport app\nclass (:', app],
]

test.each(spellings)('Python: %s', async (text, ...expected) => {
  const graph = await graphOf({ ...project, 'tests/unit/test_a.py': text })
  expect(told(graph, 'tests/unit/test_a.py')).toEqual(expected.toSorted())
})

test('a module that two projects beside have is not known', async () => {
  const files = { 'a/setup.py': '', 'a/x.py': '', 'b/setup.py': '', 'b/x.py': '', 'c/main.py': 'import x' }
  expect(told(await graphOf(files), 'c/main.py')).toEqual(['ambiguous x', 'package x'])
})

test('a module beside a script comes before a project above, and a package does not see its own folder', async () => {
  const files = {
    'pyproject.toml': '',
    'x.py': '',
    'a/x.py': '',
    'a/main.py': 'import x',
    'p/__init__.py': '',
    'p/x.py': '',
    'p/main.py': 'import x',
  }
  const graph = await graphOf(files)
  expect([told(graph, 'a/main.py'), told(graph, 'p/main.py')]).toEqual([['a/x.py'], ['x.py']])
})

test('imports of a stub are of types', async () => {
  const graph = await graphOf({ 'a.pyi': 'import b', 'b.py': '' })
  expect(told(graph, 'a.pyi')).toEqual(['b.py (type)'])
})
