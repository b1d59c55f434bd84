import { describe, expect, test } from 'vitest'
import { type AsideView, type ChangedPath, type ImportView, type Side, sortChanges } from '../../src/index.ts'

type Edges = Readonly<Record<string, readonly string[]>>

/** A tree by what its files import and what they name; a path that ends with `/` is a folder. */
function tree(imports: Edges, names: Edges = {}): ImportView {
  const above = (edges: Edges, path: string) =>
    new Set(
      Object.keys(edges).filter((from) =>
        edges[from]?.some((to) => to === path || (to.endsWith('/') && path.startsWith(to))),
      ),
    )
  return {
    files: new Set(Object.keys(imports)),
    importers: (path) => above(imports, path),
    namers: (path) => above(names, path),
  }
}

interface Place {
  readonly before?: ImportView
  readonly now?: ImportView
  readonly settings?: readonly string[]
  readonly scripts?: readonly string[]
  readonly leads?: readonly string[]
  readonly programs?: readonly string[]
  readonly protects?: readonly string[]
}

function viewOf({
  before = tree({}),
  now = before,
  settings,
  scripts,
  leads,
  programs,
  protects = [],
}: Place): AsideView {
  return {
    before,
    now,
    testKind: (path) => (/\.test\.js$|_test\.go$/.test(path) ? 'test' : path.endsWith('.rs') ? 'mixed' : 'none'),
    isSnapshot: (path) => path.endsWith('.snap'),
    isSource: (path) => /\.(js|go|rs)$/.test(path),
    hasOwnTest: (path) => [...before.files, ...now.files].includes(path.replace(/\.js$/, '.test.js')),
    settings: new Set(settings),
    scripts: new Set(scripts),
    leads: new Set(leads),
    programs: new Set(programs),
    isProtected: (path) => protects.includes(path),
  }
}

function lies(path: string | ChangedPath, place: Place): string {
  const changed = typeof path === 'string' ? ({ path, change: 'modified' } as const) : path
  return told(sortChanges([changed], viewOf(place))[0]?.lies)
}

function told(side: Side | undefined): string {
  switch (side?.side) {
    case 'aside':
      return `aside ${side.why}`
    case 'by_key':
      return `by_key ${side.asideKeys.join(' ')}`
    default:
      return side?.side ?? 'nothing'
  }
}

const entry = { programs: ['src/index.js'] }
const library = tree({
  'src/index.js': ['src/sum.js'],
  'src/sum.js': [],
  'src/testing/fixture.js': ['src/testing/deep.js'],
  'src/testing/deep.js': [],
  'src/sum.test.js': ['src/index.js', 'src/testing/fixture.js'],
  'src/cli.js': [],
})

describe('what only tests import', () => {
  test('lies aside, directly or through others', () => {
    expect(lies('src/testing/fixture.js', { before: library, ...entry })).toBe('aside only_tests_import')
    expect(lies('src/testing/deep.js', { before: library, ...entry })).toBe('aside only_tests_import')
  })

  test('is product where an entry of the project reaches it, whatever the folder is called', () => {
    expect(lies('src/sum.js', { before: library, ...entry })).toBe('product')
    const tools = tree({ 'tools/index.js': ['testing/a.js'], 'testing/a.js': [], 'a.test.js': ['testing/a.js'] })
    expect(lies('testing/a.js', { before: tools, programs: ['tools/index.js'] })).toBe('product')
  })

  test('is product where a program that nothing imports uses it, too', () => {
    const both = tree({ 'src/index.js': [], 'main.js': ['a.js'], 'a.js': [], 'a.test.js': ['a.js'] })
    expect(lies('a.js', { before: both, ...entry })).toBe('product')
    expect(lies('main.js', { before: both, ...entry })).toBe('product')
  })

  test('stays aside when the product begins to import it', () => {
    const now = tree({ 'src/index.js': ['src/testing/fixture.js'], 'src/testing/fixture.js': [] })
    expect(lies('src/testing/fixture.js', { before: library, now, ...entry })).toBe('aside only_tests_import')
  })

  describe('when it is new and only new tests import it', () => {
    const before = tree({ 'src/index.js': ['src/a.js'], 'src/a.js': [], 'test/a.test.js': ['src/index.js'] })
    const added = (path: string) => ({ path, change: 'added' }) as const
    const sides = (now: ImportView, ...changes: readonly ChangedPath[]) =>
      sortChanges(changes, viewOf({ before, now, ...entry })).map(({ lies: side }) => told(side))
    const beside = tree({ 'src/index.js': [], 'src/new.js': [], 'test/new.test.js': ['src/new.js'] })

    test('is the work itself, unless it lies beside the tests or an older test asks for it', () => {
      expect(sides(beside, added('src/new.js'), added('test/new.test.js'))).toEqual(['product', 'aside test'])
      const helper = tree({ 'src/index.js': [], 'test/new.js': [], 'test/more.test.js': ['test/new.js'] })
      expect(sides(helper, added('test/new.js'), added('test/more.test.js'))).toEqual([
        'aside only_tests_import',
        'aside test',
      ])
      const older = tree({ 'src/index.js': [], 'src/new.js': [], 'test/a.test.js': ['src/new.js'] })
      expect(sides(older, added('src/new.js'), { path: 'test/a.test.js', change: 'modified' })).toEqual([
        'aside only_tests_import',
        'aside test',
      ])
    })

    test('lies aside where the product changed elsewhere: its tests do not speak for that', () => {
      const changes = [
        added('src/new.js'),
        added('test/new.test.js'),
        { path: 'src/a.js', change: 'modified' } as const,
      ]
      expect(sides(beside, ...changes)).toEqual(['aside only_tests_import', 'aside test', 'product'])
    })
  })

  test('lies aside when only a test beside it names its folder', () => {
    const files = { 'spec/run.js': [], 'spec/cases/a.js': ['src/a.js'], 'src/a.js': [], 'pages/a.js': ['src/a.js'] }
    const before = tree(files, { 'spec/run.js': ['spec/cases/', 'pages/'] })
    const place = { before, leads: ['spec/run.js'] }
    expect(lies('spec/cases/a.js', place)).toBe('aside data')
    expect(lies('pages/a.js', place)).toBe('product')
    const used = tree(files, { 'spec/run.js': ['spec/cases/'], 'src/a.js': ['spec/cases/'] })
    expect(lies('spec/cases/a.js', { ...place, before: used })).toBe('product')
  })

  test('lies aside when it is new and only new tests import it', () => {
    const now = tree({ 'src/index.js': [], 'src/eq.js': [], 'src/new.test.js': ['src/eq.js'] })
    expect(lies({ path: 'src/eq.js', change: 'added' }, { before: library, now, ...entry })).toBe(
      'aside only_tests_import',
    )
  })

  test('is product when it is new and a test from before the work asks for it, unless it lies with the tests', () => {
    const before = tree({ 'src/index.js': [], 'test/words.test.js': [], 'test/more.test.js': [] })
    const now = tree({
      'src/index.js': [],
      'src/words.js': [],
      'test/support/eq.js': [],
      'test/words.test.js': ['src/words.js', 'test/support/eq.js'],
      'test/more.test.js': ['test/support/eq.js'],
    })
    const added = (path: string) => ({ path, change: 'added' as const })
    expect(lies(added('src/words.js'), { before, now, ...entry })).toBe('product')
    expect(lies(added('test/support/eq.js'), { before, now, ...entry })).toBe('aside only_tests_import')
    const changed = [added('src/words.js'), { path: 'test/words.test.js', change: 'modified' as const }]
    const [first] = sortChanges(changed, viewOf({ before, now, ...entry }))
    expect(told(first?.lies)).toBe('aside only_tests_import')
  })

  test('lies aside although a program imports the tests that import it', () => {
    const all = tree({ 'src/index.js': [], 'all.js': ['a.test.js'], 'a.test.js': ['eq.js'], 'eq.js': [] })
    expect(lies('eq.js', { before: all, ...entry })).toBe('aside only_tests_import')
  })

  test('is understood where files import each other in a circle', () => {
    const circle = tree({
      'a.js': ['b.js'],
      'b.js': ['a.js'],
      'x.js': ['y.js'],
      'y.js': ['x.js'],
      'all.test.js': ['a.js'],
      'index.js': [],
    })
    expect(lies('b.js', { before: circle, programs: ['index.js'] })).toBe('aside only_tests_import')
    expect(lies('y.js', { before: circle, programs: ['index.js'] })).toBe('product')
  })

  describe('counts where a script is the check', () => {
    const scripted = tree(
      {
        'verify/run.js': ['verify/cases.js', 'src/sum.js'],
        'verify/cases.js': [],
        'src/sum.js': [],
        'src/index.js': ['src/sum.js'],
      },
      { 'verify/run.js': ['verify/numbers.json'], 'src/sum.js': ['src/table.json'] },
    )
    const place = { before: scripted, scripts: ['verify/run.js'], leads: ['verify/run.js'], ...entry }

    test('for what the script imports, and for the data that it names', () => {
      expect(lies('verify/cases.js', place)).toBe('aside only_tests_import')
      expect(lies('verify/numbers.json', place)).toBe('aside data')
      expect(lies('src/sum.js', place)).toBe('product')
      expect(lies('src/table.json', place)).toBe('product')
    })

    test('and no entry is known, for what lies with the script, unless that is everywhere', () => {
      expect(lies('verify/cases.js', { ...place, programs: [] })).toBe('aside only_tests_import')
      expect(lies('src/sum.js', { ...place, programs: [] })).toBe('product')
      const outermost = tree({ 'run.js': ['cases.js', 'src/sum.js'], 'cases.js': [], 'src/sum.js': [] })
      expect(lies('src/sum.js', { before: outermost, leads: ['run.js'] })).toBe('product')
    })
  })

  describe('in a library of which no entry is known', () => {
    const plain = tree({
      'src/sum.js': ['src/round.js'],
      'src/round.js': [],
      'test/sum.test.js': ['src/sum.js', 'test/support/eq.js'],
      'test/support/eq.js': [],
    })
    const together = tree({ 'sum.js': [], 'eq.js': [], 'sum.test.js': ['sum.js', 'eq.js'] })

    test('is product unless it lies with the tests', () => {
      expect(lies('src/sum.js', { before: plain })).toBe('product')
      expect(lies('src/round.js', { before: plain })).toBe('product')
      expect(lies('test/support/eq.js', { before: plain })).toBe('aside only_tests_import')
    })

    test('is product beside the tests if one is named after it', () => {
      expect(lies('sum.js', { before: together })).toBe('product')
      expect(lies('eq.js', { before: together })).toBe('aside only_tests_import')
    })
  })
})

describe('tests and data', () => {
  const data = tree(
    { 'src/index.js': [], 'a.test.js': [], 'src/other.js': [] },
    { 'src/index.js': ['locales/', 'both.json'], 'a.test.js': ['golden/', 'both.json'] },
  )

  test('lie aside: test files by the patterns of the runner, snapshots, and data that a test names', () => {
    expect(lies('a.test.js', { before: data })).toBe('aside test')
    expect(lies('pkg/a_test.go', {})).toBe('aside test')
    expect(lies('src/page.snap', { before: data })).toBe('aside snapshot')
    expect(lies('golden/page.html', { before: data })).toBe('aside data')
    expect(lies('both.json', { before: data })).toBe('aside data')
  })

  test('data lies aside where nothing names it, and is product where only the product does', () => {
    expect(lies('README.md', { before: data })).toBe('aside unnamed')
    expect(lies('locales/de.json', { before: data })).toBe('product')
  })

  test('new data that only the new product names is product', () => {
    const now = tree({ 'src/index.js': [], 'a.test.js': [] }, { 'src/index.js': ['cities.json'] })
    expect(lies({ path: 'cities.json', change: 'added' }, { before: data, now })).toBe('product')
  })

  test('a program of a language that no graph reads is product, and one that holds tests is mixed', () => {
    expect(lies('main.go', {})).toBe('product')
    expect(lies('src/lib.rs', {})).toBe('mixed')
  })
})

describe('settings, scripts and what the user protects', () => {
  test('lie aside', () => {
    expect(lies('tsconfig.base.json', { settings: ['tsconfig.base.json'] })).toBe('aside settings')
    expect(lies('scripts/check.js', { scripts: ['scripts/check.js'] })).toBe('aside script')
    expect(lies('src/index.js', { before: library, ...entry, protects: ['src/index.js'] })).toBe('aside protected')
  })

  test('are product where they are the program that a command judges, or an entry, or a new program', () => {
    const app = { before: tree({ 'app.js': [] }), scripts: ['app.js'] }
    expect(lies('app.js', { ...app, programs: ['app.js'] })).toBe('product')
    expect(lies({ path: 'app.js', change: 'added' }, app)).toBe('product')
    expect(lies('src/index.js', { before: library, ...entry, settings: ['src/index.js'] })).toBe('product')
  })

  test('go by key where there are keys', () => {
    const keys = (...steer: readonly boolean[]): ChangedPath => ({
      path: 'package.json',
      change: 'modified',
      keys: steer.map((steersChecks, index) => ({ key: `key${index}`, steersChecks })),
    })
    const place = { settings: ['package.json'] }
    expect(lies(keys(true, false), place)).toBe('by_key key0')
    expect(lies(keys(false), place)).toBe('product')
    expect(lies(keys(true), place)).toBe('aside settings')
    expect(lies(keys(false), { ...place, protects: ['package.json'] })).toBe('aside protected')
  })

  test('count with the target of a link', () => {
    const link: ChangedPath = { path: 'src/link.js', change: 'modified', target: 'a.test.js' }
    expect(lies(link, {})).toBe('aside test')
    expect(lies({ ...link, path: 'b.test.js', target: 'src/sum.js' }, { before: library, ...entry })).toBe('aside test')
  })
})
