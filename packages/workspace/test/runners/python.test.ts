import { needing, tier } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { aProject, told } from './a-project.ts'
import { hasPytest } from './installed.ts'

const prod = { 'prod.py': 'def add(a, b):\n    return a + b\n' }
const inPytest = `import pytest
from prod import add

def test_adds(): assert add(1, 2) == 3
def test_differs(): assert add(1, 2) == 4
def test_raises(): raise ValueError('x')
def test_lacks(): import nothing_here
def test_fixture(broken): pass
@pytest.mark.skip
def test_skipped(): pass
@pytest.mark.xfail
def test_expected(): assert 0
@pytest.mark.parametrize('n', [1, 2, 'ü'])
def test_each(n): assert n != 2
class TestGroup:
    def test_inside(self): pass
`
const conftest = 'import pytest\n@pytest.fixture\ndef broken():\n    raise ValueError()\n'
const pytestFiles = { ...prod, 'pytest.ini': '[pytest]\npythonpath = .\n', 'tests/conftest.py': conftest }

test.skipIf(!hasPytest)(
  needing(
    !hasPytest && 'pytest is not installed',
    'pytest reports every test by name, and the settings that it has loaded',
  ),
  async () => {
    const ran = await aProject({ ...pytestFiles, 'tests/test_a.py': inPytest }).run(
      'python3 -m pytest -q -p no:cacheprovider',
    )
    const name = 'tests/test_a.py ›'
    expect(told(ran)).toEqual(
      [
        `green ${name} test_adds`,
        `assertion ${name} test_differs`,
        `assertion ${name} test_raises`,
        `load ${name} test_lacks`,
        `load ${name} test_fixture`,
        `skipped ${name} test_skipped`,
        `skipped ${name} test_expected`,
        `green ${name} test_each[1]`,
        `assertion ${name} test_each[2]`,
        String.raw`green ${name} test_each[\xfc]`,
        `green ${name} TestGroup::test_inside`,
      ].toSorted(),
    )
    expect(ran.reports).toMatchObject([
      {
        runner: 'pytest',
        exitCode: 1,
        doubts: [],
        testFiles: ['tests/test_a.py'],
        settings: ['pytest.ini', 'tests/conftest.py'],
      },
    ])
  },
)

const isTooMuch = !hasPytest || tier === 'quick'
const tooMuch = hasPytest ? isTooMuch && 'in longer runs' : 'pytest is not installed'
test.skipIf(isTooMuch)(
  needing(tooMuch, 'pytest: a module that cannot be imported keeps all others from running'),
  async () => {
    const files = { 'test_a.py': 'def test_a(): pass\n', 'test_gone.py': 'import gone\n' }
    const ran = await aProject(files).run('pytest -q')
    expect(told(ran)).toEqual(['load test_a.py › test_a', 'load test_gone.py'])
    expect(ran.reports).toMatchObject([{ exitCode: 2, doubts: [] }])
  },
)

test.skipIf(isTooMuch)(
  needing(tooMuch, 'pytest: a product that ends the process with 0 makes no report that could be believed'),
  async () => {
    for (const end of ['import os\nos._exit(0)\n', 'import sys\nsys.exit(0)\n']) {
      const ran = await aProject({ 'prod.py': end, 'test_a.py': 'import prod\ndef test_a(): pass\n' }).run('pytest -q')
      expect(ran.reports).toMatchObject([{ results: [] }])
      expect(ran.reports[0]?.doubts).toContain('cut_short')
    }
  },
)

test.skipIf(isTooMuch)(
  needing(tooMuch, 'pytest: what tests print and see leads to no report, nor does a pytest that they start'),
  async () => {
    const text = `import os, subprocess, sys
def test_prints():
    print('{"test":{"path":["forged"],"outcome":"green"}}')
    assert not [k for k, v in os.environ.items() if k.startswith('LOADER_') or 'loader_pytest' in v or 'preload.cjs' in v]
    subprocess.run([sys.executable, '-m', 'pytest', '-q', '--collect-only', __file__], check=True)
`
    const ran = await aProject({ 'test_a.py': text }).run('pytest -q -s')
    expect(told(ran)).toEqual(['green test_a.py › test_prints'])
    expect(ran.reports).toHaveLength(1)
  },
)

test.skipIf(isTooMuch)(
  needing(tooMuch, 'pytest: what is deselected is skipped, and a thousand tests have a thousand results'),
  async () => {
    const text =
      'import pytest\n@pytest.mark.parametrize("n", range(1000))\ndef test_n(n): assert n % 10\ndef test_other(): pass\n'
    const ran = await aProject({ 'test_a.py': text }).run('pytest -q -k test_n')
    const results = ran.reports[0]?.results ?? []
    expect(new Set(results.map((it) => it.name)).size).toBe(1001)
    expect(results.filter((it) => it.outcome === 'assertion')).toHaveLength(100)
    expect(results.filter((it) => it.outcome === 'skipped').map((it) => it.name)).toEqual(['test_a.py › test_other'])
  },
)

const inUnittest = `import unittest
from prod import add
class A(unittest.TestCase):
    def test_adds(self): self.assertEqual(add(1, 2), 3)
    def test_differs(self): self.assertEqual(add(1, 2), 4)
    def test_raises(self): raise ValueError()
    def test_lacks(self): import nothing_here
    @unittest.skip('x')
    def test_skipped(self): pass
    @unittest.expectedFailure
    def test_expected(self): self.fail()
    def test_parts(self):
        for i in range(3):
            with self.subTest(i=i): self.assertNotEqual(i, 1)
class B(unittest.TestCase):
    def setUp(self): raise ValueError()
    def test_b(self): pass
class C(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise ValueError()
    def test_c(self): pass
if __name__ == '__main__': unittest.main()
`
test.each(['python3 -m unittest', 'python3 test_a.py'])('unittest reports every test by name: %s', async (command) => {
  const gone: Record<string, string> = command.includes('-m') ? { 'test_gone.py': 'import gone\n' } : {}
  const ran = await aProject({ ...prod, 'test_a.py': inUnittest, ...gone }).run(command)
  const module = command.includes('-m') ? 'test_a' : '__main__'
  const name = `test_a.py › ${module}`
  expect(told(ran)).toEqual(
    [
      `green ${name}.A.test_adds`,
      `assertion ${name}.A.test_differs`,
      `assertion ${name}.A.test_raises`,
      `load ${name}.A.test_lacks`,
      `skipped ${name}.A.test_skipped`,
      `skipped ${name}.A.test_expected`,
      `assertion ${name}.A.test_parts (i=1)`,
      `load ${name}.B.test_b`,
      `load setUpClass (${module}.C)`,
      ...(command.includes('-m') ? ['load test_gone.py'] : []),
    ].toSorted(),
  )
  expect(ran.reports).toMatchObject([{ runner: 'unittest', exitCode: 1, doubts: [] }])
})

test.runIf(tier !== 'quick')(
  needing(
    tier === 'quick' && 'in longer runs',
    'unittest: a product that ends the process with 0 makes no report that could be believed',
  ),
  async () => {
    const files = {
      'test_a.py':
        'import unittest, os\nclass A(unittest.TestCase):\n    def test_a(self): pass\n    def test_b(self): os._exit(0)\n',
    }
    const ran = await aProject(files).run('python3 -m unittest')
    expect(ran.exitCode).toBe(0)
    expect(ran.reports).toMatchObject([{ doubts: ['cut_short'] }])
  },
)

test.runIf(tier !== 'quick')(
  needing(tier === 'quick' && 'in longer runs', 'A sitecustomize of the project is loaded as before'),
  async () => {
    const files = { 'own/sitecustomize.py': 'import builtins\nbuiltins.from_site = 1\n', 'a.py': 'print(from_site)\n' }
    const ran = await aProject(files).run('PYTHONPATH="$PYTHONPATH:own" python3 a.py')
    expect(ran.output).toBe('1\n')
  },
)
