import { folderOf } from '../imports/project-files.ts'
import { type CanaryRequest, type CanaryText, slashed } from './canary-request.ts'

const plain = {
  asserts: 'assert 1 == 2',
  raises: 'raise ValueError("canary")',
}
const withPytest = {
  fails: 'pytest.fail("canary")',
  expects_raise: 'with pytest.raises(ValueError): pass',
  approximates: 'assert 1 == pytest.approx(2)',
}
const withCase = {
  equal: 'self.assertEqual(1, 2)',
  not_equal: 'self.assertNotEqual(1, 1)',
  true: 'self.assertTrue(False)',
  false: 'self.assertFalse(True)',
  is_none: 'self.assertIsNone(1)',
  is_in: 'self.assertIn(1, [])',
  list_equal: 'self.assertListEqual([1], [2])',
  dict_equal: 'self.assertDictEqual({"a": 1}, {"a": 2})',
  expects_raise: 'with self.assertRaises(ValueError): pass',
  fails: 'self.fail("canary")',
}

export async function pytestCanary(request: CanaryRequest): Promise<CanaryText | string> {
  const { mark } = request
  const place = placeOf(request)
  if (place === undefined) return 'the run had no test file that shows where tests lie'
  const functions = Object.entries({ ...plain, ...withPytest }).map(
    ([name, code]) => `def test_${mark}_${name}():\n    ${code}\n`,
  )
  const text = `import pytest, unittest\n${loads(request)}\n\n${functions.join('\n\n')}\n\n${caseOf(mark)}`
  return {
    path: place,
    text: `${await textBefore(request)}${text}`,
    mark,
    ways: [...names(mark, { ...plain, ...withPytest }), ...names(`${mark}_case`, withCase)],
  }
}

export async function unittestCanary(request: CanaryRequest): Promise<CanaryText | string> {
  const { mark } = request
  const place = placeOf(request)
  if (place === undefined) return 'the run had no test file that shows where tests lie'
  const ways = { ...plain, ...withCase }
  return {
    path: place,
    text: `${await textBefore(request)}import unittest\n${loads(request)}\n\n${caseOf(mark, ways)}`,
    mark,
    ways: names(`${mark}_case`, ways),
  }
}

async function textBefore({ project, instead, isAmong }: CanaryRequest): Promise<string> {
  return isAmong === true && instead !== undefined ? `${(await project.text(instead)) ?? ''}\n\n` : ''
}

/** The name comes behind all others in the order of the alphabet, which is that of unittest. */
function caseOf(mark: string, ways: Readonly<Record<string, string>> = withCase): string {
  const methods = Object.entries(ways).map(
    ([name, code]) => `    def test_${mark}_case_${name}(self):\n        ${code}\n`,
  )
  return `class zz_${mark}(unittest.TestCase):\n${methods.join('\n')}`
}

function names(mark: string, ways: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(ways).map((it) => `test_${mark}_${it}`)
}

function placeOf({ report, project, mark, instead }: CanaryRequest): string | undefined {
  if (instead?.endsWith('.py') === true && project.paths.includes(instead)) return instead
  const neighbour = report.testFiles.find((it) => it.endsWith('.py') && project.paths.includes(it))
  return neighbour === undefined ? undefined : `${slashed(folderOf(neighbour))}test_${mark}.py`
}

/**
 * Loads each module under every name that tests may use for its file; a module that cannot be imported must not keep
 * the canary from failing.
 */
function loads({ modules }: CanaryRequest): string {
  const paths = modules.filter((it) => it.endsWith('.py'))
  const all = paths.map((path) => {
    const parts = path.replace(/(\/__init__)?\.py$/, '').split('/')
    return parts.map((_part, index) => parts.slice(index).join('.')).filter((it) => /^[\w.]+$/.test(it))
  })
  if (all.length === 0) return ''
  return [
    'import importlib.util',
    `for _names in ${JSON.stringify(all)}:`,
    '    for _name in _names:',
    '        try:',
    '            if importlib.util.find_spec(_name) is not None:',
    '                importlib.import_module(_name)',
    '                break',
    '        except ImportError:',
    '            continue',
  ].join('\n')
}
