import { expect, test } from 'vitest'
import { graphOf } from './graph-of.ts'

const data = {
  'fixtures/a.json': '',
  'test/fixtures/b.json': '',
  'test/golden.txt': '',
  'src/clock.ts': '',
  LICENSE: '',
}

const javascript: readonly (readonly [text: string, ...expected: string[]])[] = [
  [`readFileSync('fixtures/a.json')`, 'fixtures/a.json'],
  [`readFileSync('test/fixtures/b.json')`, 'test/fixtures/b.json'],
  [`new URL('./golden.txt', import.meta.url)`, 'test/golden.txt'],
  [`path.join(__dirname, 'golden.txt')`, 'test/golden.txt'],
  [`path.join(__dirname, 'fixtures', 'b.json')`, 'fixtures', 'test/fixtures', 'test/fixtures/b.json'],
  [`path.join(__dirname, '..', 'fixtures', 'a.json')`, 'fixtures', 'fixtures/a.json', 'test/fixtures'],
  [`readFileSync(__dirname + '/golden.txt')`, 'test/golden.txt'],
  ['readFileSync(`${root}/fixtures/a.json`)', 'fixtures/a.json'],
  ['readFileSync(`fixtures/${name}.json`)', 'fixtures', 'test/fixtures'],
  ['readFileSync(`${root}/fixtures/${name}.json`)', 'fixtures', 'test/fixtures'],
  [`glob('fixtures/**/*.json')`, 'fixtures', 'test/fixtures'],
  [`vi.mock('../src/clock')`, 'src/clock.ts'],
  [`readFileSync('LICENSE')`, 'LICENSE as a word'],
  [`describe('src', () => {})`, 'src as a word'],
  [`import '../src/clock'; fetch('https://a.example/fixtures'); '/etc/passwd'; '..'; './'; ''`],
]
test.each(javascript)('JavaScript names files: %s', async (text, ...expected) => {
  expect(await named('test/a.test.ts', text)).toEqual(expected.toSorted())
})

const python: readonly (readonly [text: string, ...expected: string[]])[] = [
  [`open("fixtures/a.json")`, 'fixtures/a.json'],
  [`Path(__file__).parent / "fixtures" / 'b.json'`, 'fixtures', 'test/fixtures', 'test/fixtures/b.json'],
  [`os.path.join(HERE, "golden.txt")`, 'test/golden.txt'],
  [`open(f"{HERE}/golden.txt")`, 'test/golden.txt'],
  [`open(f'fixtures/{name}.json')`, 'fixtures', 'test/fixtures'],
  [`open(r"""golden.txt""")`, 'test/golden.txt'],
  [`open("fixtures/" + "a.json")`, 'fixtures', 'fixtures/a.json', 'test/fixtures'],
]
test.each(python)('Python names files: %s', async (text, ...expected) => {
  expect(await named('test/test_a.py', text)).toEqual(expected.toSorted())
})

async function named(path: string, text: string): Promise<readonly string[]> {
  const graph = await graphOf({ ...data, [path]: text })
  return graph
    .names(path)
    .map((it) => (it.as === 'word' ? `${it.path} as a word` : it.path))
    .toSorted()
}

test('who names a folder names what lies in it, unless by a bare word', async () => {
  const graph = await graphOf({ ...data, 'test/a.ts': `join(here, 'fixtures')`, 'test/b.ts': `it('fixtures', run)` })
  expect([...graph.namers('test/fixtures/b.json')]).toEqual(['test/a.ts'])
  expect([...graph.namers('LICENSE')]).toEqual([])
})
