import { times } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { type FileReading, type ProjectFile, importGraph } from '../../src/index.ts'
import { graphOf, sources, told } from './graph-of.ts'

const longTime = 120_000

test('importers are the other side of imports, circles included', async () => {
  const graph = await graphOf({
    'a.ts': `import './b'`,
    'b.ts': `import './a'; import './b'`,
    'c.ts': `import type {} from './a'`,
  })
  expect([...graph.importers('a.ts')].toSorted()).toEqual(['b.ts', 'c.ts'])
  expect([...graph.importers('b.ts')]).toEqual(['a.ts'])
  expect([...graph.importers('c.ts')]).toEqual([])
  expect([...graph.files].toSorted()).toEqual(['a.ts', 'b.ts', 'c.ts'])
})

test('an import is told with its line, and so is one that is computed', async () => {
  const graph = await graphOf({ 'a.ts': `\n\nimport {\n} from './b'\nimport(x)\nimport './c'`, 'b.ts': '' })
  expect(graph.imports('a.ts')).toEqual([{ to: { kind: 'file', path: 'b.ts' }, kind: 'value', line: 4 }])
  expect(graph.unresolved).toEqual([
    { path: 'a.ts', line: 6, why: 'missing', text: './c' },
    { path: 'a.ts', line: 5, why: 'computed' },
  ])
})

test('what is known of a content is not read again', async () => {
  const cache = new Map<string, FileReading>()
  const read: string[] = []
  const files = (b: string): readonly ProjectFile[] => [
    { path: 'a.ts', id: '1', read: () => (read.push('a'), `import './b'`) },
    { path: 'b.ts', id: b, read: () => (read.push('b'), '') },
  ]
  await importGraph(files('2'), { cache })
  const again = await importGraph(files('3'), { cache })
  expect([...read]).toEqual(['a', 'b', 'b'])
  expect([...again.importers('b.ts')]).toEqual(['a.ts'])
})

test('what was read can be kept as JSON', async () => {
  const files = { 'a.ts': `import './b'; open('b.ts')`, 'b.ts': '', 'c.py': 'from . import d', 'd.py': '' }
  const cache = new Map<string, FileReading>()
  const first = await graphOf(files, { cache })
  const second = await graphOf(files, { cache: new Map(JSON.parse(JSON.stringify([...cache]))) })
  for (const path of Object.keys(files)) expect(second.imports(path)).toEqual(first.imports(path))
})

test('files may come one after the other', async () => {
  async function* listed(): AsyncGenerator<ProjectFile> {
    for (const file of sources({ 'a.ts': `import './b'`, 'b.ts': '' })) yield file
  }
  expect(told(await importGraph(listed()), 'a.ts')).toEqual(['b.ts'])
})

test('symbolic links are followed, in circles and out of the project too', async () => {
  const link = (path: string, target: string): ProjectFile => ({ path, link: target, read: () => target })
  const files = [
    ...sources({
      'a.ts': `import './l'; import './f/b'; import './loop'; import './out'; import './up/x'`,
      'real/b.ts': '',
    }),
    link('l.ts', 'real/b.ts'),
    link('f', './real'),
    link('loop.ts', 'loop.ts'),
    link('out.ts', '/etc/passwd'),
    link('up', '../..'),
  ]
  expect(told(await importGraph(files), 'a.ts')).toEqual([
    'missing ./loop',
    'missing ./out',
    'missing ./up/x',
    'real/b.ts',
  ])
})

test('a program without an ending says in its first line what it is', async () => {
  const graph = await graphOf({
    'bin/run': `#!/usr/bin/env node\nimport '../a.js'`,
    'bin/py': '#!/usr/bin/python3\nimport a',
    'bin/a.py': '',
    'a.js': '',
    README: `import './a.js'`,
  })
  expect(told(graph, 'bin/run')).toEqual(['a.js'])
  expect(told(graph, 'bin/py')).toEqual(['bin/a.py'])
  expect(graph.files.has('README')).toBe(false)
})

test('what cannot be read is counted, and nothing else suffers', async () => {
  const graph = await importGraph(
    [
      ...sources({
        'a.ts': `import './binary'; import './b'`,
        'b.ts': '',
        'binary.ts': new Uint8Array([0x61, 0, 0x62]),
        'utf16.py': new Uint8Array([0xff, 0xfe, 0x61, 0]),
        'latin.py': new Uint8Array([...new TextEncoder().encode('import b2 # '), 0xe9]),
        'b2.py': '\ufeffimport latin',
        'large.js': 'x'.repeat(2000),
        'page.vue': '<script>import "./a"</script>',
        'deep.js': '('.repeat(5000),
        'package.json': '{"name": 3, "exports": ',
        'tsconfig.json': '{"compilerOptions": [}',
        'data.bin': new Uint8Array([0]),
      }).map((it) => (it.path === 'large.js' ? { ...it, size: 2_000_000 } : it)),
      { path: 'gone.js', read: () => Promise.reject(new Error('gone')) },
    ],
    { limits: { bytes: 100_000 } },
  )
  expect(told(graph, 'a.ts')).toEqual(['b.ts', 'binary.ts'])
  expect([told(graph, 'latin.py'), told(graph, 'b2.py')]).toEqual([['b2.py'], ['latin.py']])
  expect(Object.fromEntries(graph.skipped.map(({ path, why }) => [path, why]))).toEqual({
    'binary.ts': 'not_text',
    'utf16.py': 'not_text',
    'large.js': 'too_large',
    'page.vue': 'language',
    'deep.js': 'too_deep',
    'gone.js': 'unreadable',
  })
})

test(
  'a file that takes too long is given up, and the next one is read',
  async () => {
    const graph = await graphOf(
      { 'a.ts': 'a?(b):c=>'.repeat(30_000), 'b.ts': `import './a'` },
      { limits: { milliseconds: 50 } },
    )
    expect(graph.skipped).toEqual([{ path: 'a.ts', why: 'too_slow' }])
    expect(told(graph, 'b.ts')).toEqual(['a.ts'])
  },
  longTime,
)

/** How deep, or how often. */
const some = (count: number) => times({ quick: Math.ceil(count / 4), ci: count })

const hostile: readonly (readonly [name: string, text: string])[] = [
  ['brackets', '['.repeat(1900) + ']'.repeat(1900)],
  ['calls', 'async('.repeat(some(1900))],
  ['templates', '`${'.repeat(1900)],
  ['generics', 'a<'.repeat(some(5000))],
  ['elements', '<a>'.repeat(some(5000))],
  ['no letters', '\u0001\u0002\uffff'.repeat(some(5000))],
  ['half of a surrogate pair', `import './\ud800'`],
  ['imports cut off', `import {`.repeat(3000)],
  ['calls cut off', `import(require(`.repeat(900)],
  ['names of prototypes', `import '__proto__'; import 'constructor/x'; import '#constructor'; import 'hasOwnProperty'`],
  [
    'odd specifiers',
    `import ''; import '/'; import '@'; import '@/'; import './'; import '#'; import '?'; import '.\0/x'; import '*'; import '\\u{ffffff}'`,
  ],
  ['Python brackets', '(['.repeat(900)],
  ['Python blocks', Array.from({ length: 800 }, (_, depth) => `${' '.repeat(depth)}if x:\n`).join('')],
  ['Python imports cut off', 'from . import (\nimport\nfrom\nimport .\nimport a..b\nfrom ...\n'.repeat(100)],
]
test.each(hostile)(
  'nothing fails at %s',
  async (_, text) => {
    const files = {
      'a.js': text,
      'b.ts': text,
      'c.tsx': text,
      'd.py': text,
      'package.json': text,
      'tsconfig.json': text,
      'last.ts': `import './a.js'`,
    }
    const graph = await graphOf(files)
    expect(told(graph, 'last.ts')).toEqual(['a.js'])
  },
  longTime,
)

test('a manifest that is nested without end leads nowhere', async () => {
  const exports = `${'['.repeat(50_000)}"./a.js"${']'.repeat(50_000)}`
  const graph = await graphOf({ 'package.json': `{"name":"me","exports":${exports}}`, 'a.js': `import 'me'` })
  expect(told(graph, 'a.js')).toEqual(['missing me'])
})

test(
  'a minified file of some hundred thousand characters is read to its end',
  async () => {
    const part = 'function f(a,b){return a?b/2:[a,"x",`${b}`].map(c=>c.d)}'
    const graph = await graphOf({ 'a.js': `${part.repeat(5000)};require("./b")`, 'b.js': '' })
    expect(told(graph, 'a.js')).toEqual(['b.js'])
  },
  longTime,
)

test('who asks for a stop gets it', async () => {
  await expect(graphOf({ 'a.ts': '' }, { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
})
