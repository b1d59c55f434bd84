import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { localAgent } from '@loader/agent/local'
import { MemoryStore, readSession } from '@loader/session-core'
import { call, line, ScriptedBackend, temporaryWorkspace } from '@loader/test-harness'
import { fromCi, needing, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { isBuilt, packages, programsIn, ran, root } from './programs.ts'

const pages = globSync(['*.md', 'docs/**/*.md', '{packages,apps}/*/README.md', '.changeset/README.md'], { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .toSorted()

const pageOf = (path: string) => readFileSync(join(root, path), 'utf8')
/** Without what is only shown. */
const proseOf = (path: string) => pageOf(path).replaceAll(/^```[^]*?^```$/gm, '')

describe('what a document names is there:', () => {
  test.each(pages)('links of %s', (page) => {
    const broken = linksOf(page).filter(({ file, heading }) => {
      if (!existsSync(join(root, file))) return true
      return heading !== undefined && !headingsOf(file).has(heading)
    })
    expect(broken).toEqual([])
  })

  // A decision page is not rewritten when files move.
  test.each(pages.filter((path) => !/decisions\/\d/.test(path)))('paths of %s', (page) => {
    const spans = [...proseOf(page).matchAll(/`((?:packages|apps|docs|scripts|examples|bench|\.ci)\/[^`\s]+)`/g)]
    const paths = spans.map(([, path = '']) => path).filter((path) => !/[A-Z]{4}|…/.test(path))
    expect(paths.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([])
  })

  test.each([...packages.map((name) => `packages/${name}`), 'apps/cli'])(
    'the README of %s links to nothing that its tarball does not hold',
    (folder) => {
      const { files } = Manifest.parse(JSON.parse(pageOf(`${folder}/package.json`)))
      const linked = linksOf(`${folder}/README.md`).map(({ file }) => relative(folder, file).replaceAll('\\', '/'))
      expect(linked.filter((path) => !files.includes(path.split('/')[0] ?? ''))).toEqual([])
    },
  )
})

test('docs/README.md leads to every page of docs', () => {
  const linked = linksOf('docs/README.md').map(({ file }) => file)
  expect(globSync('docs/*.md', { cwd: root }).filter((page) => !linked.includes(page))).toEqual(['docs/README.md'])
})

describe('docs/architecture.md', () => {
  const page = pageOf('docs/architecture.md')
  const decisions = [...page.matchAll(/^\| .*?\| \[`(.+?)`\]\((.+?)\) *\| `(\w+)` *\|$/gm)]

  test.each(decisions.map(([, path = '', link = '', name = '']) => ({ path, link, name })))(
    '$name is decided in $path',
    ({ path, link, name }) => {
      expect(join('docs', link)).toBe(join(path))
      expect(pageOf(path)).toMatch(new RegExp(`^export (?:async )?(?:function\\*?|const|class) ${name}\\b`, 'm'))
    },
  )

  test('answers each question in one step', () => {
    const answers = decisions.map(([row]) => row)
    for (const question of [
      /when does compaction start.*should-compact/i,
      /which exit code.*run-exit/i,
      /how is a call permitted.*decide-permission/i,
      /resumed call become.*reconciliation/i,
      /how are sessions listed.*list-sessions/i,
      /when is a turn verified.*judge-turn/i,
    ]) {
      expect(answers.filter((row) => question.test(row))).toHaveLength(1)
    }
  })

  test('walks through the events of a turn in the order in which they are recorded', async () => {
    const walk = page.slice(page.indexOf('## A walk of one turn'), page.indexOf('After a crash'))
    const named = [...walk.matchAll(/`([a-z]+\.[a-z]+)`/g)].map(([, type = '']) => type)
    // An answer that comes at once leaves no progress behind.
    const expected = named.filter((type) => type !== 'answer.progressed')
    let place = 0
    for (const type of await recordedOfWalk()) if (type === expected[place]) place += 1
    expect(expected.slice(place)).toEqual([])
    expect(expected.length).toBeGreaterThan(15)
  })

  test('draws the imports of packages as they are', () => {
    const arrows = arrowsIn(page)
    const reached = (from: string): Set<string> =>
      new Set(arrows.filter((arrow) => arrow.from === from).flatMap(({ to }) => [to, ...reached(to)]))
    for (const name of packages) {
      const drawn = name === 'agent' ? reached('agent/local') : reached(name)
      const imported = dependenciesOf(`packages/${name}`)
      expect({ name, notDrawn: imported.filter((one) => !drawn.has(one)) }).toEqual({ name, notDrawn: [] })
    }
    for (const { from, to } of arrows.filter((arrow) => arrow.from !== 'cli' && arrow.to !== 'agent')) {
      const folder = from === 'web' ? 'apps/web' : `packages/${from.split('/')[0]}`
      expect(dependenciesOf(folder)).toContain(to)
    }
  })

  test('names every package', () => {
    for (const name of packages) expect(page).toContain(`(../packages/${name}/README.md)`)
  })
})

describe('a program in', () => {
  const programs = pages
    .filter((path) => path.startsWith('docs/'))
    .flatMap((path) => programsIn(pageOf(path)).map((program, index) => ({ path, number: index + 1, ...program })))

  test.each(programs)('$path ($number) has its output behind it', ({ prints }) => {
    expect(prints).not.toBeUndefined()
  })

  test.each(sample(programs, { quick: 2 }))('$path ($number) prints what stands there', async ({ text, prints }) => {
    expect(await ran(text, 'sources')).toEqual({ status: 0, stdout: prints, stderr: '' })
  })

  test.runIf(fromCi && isBuilt).each(programs)(
    needing(!isBuilt && 'the packages are not built', '$path ($number) prints the same on the Node of the machine'),
    async ({ text, prints }) => {
      expect(await ran(text, 'built')).toEqual({ status: 0, stdout: prints, stderr: '' })
    },
  )
})

/** Links of a page to files of this repository, from its root. */
function linksOf(page: string): { readonly file: string; readonly heading: string | undefined }[] {
  const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', heading] = link.split('#')
      return { file: path === '' ? page : join(dirname(page), path), heading }
    })
}

/** The anchors that GitHub gives to headings. */
function headingsOf(page: string): Set<string> {
  const headings = [...pageOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )
}

/** The events that the task of the walk leads to. */
async function recordedOfWalk(): Promise<string[]> {
  await using workspace = await temporaryWorkspace()
  const write = call('write', { file_path: 'hello.txt', content: 'hello\n' })
  const backend = new ScriptedBackend(line('On it.', write), line('It is written.'))
  const store = new MemoryStore()
  const agent = localAgent({ backend, projectRoot: workspace.root, store, walls: { use: 'off' } })
  await agent.run('Create hello.txt', { doneWhen: [{ command: 'grep hello hello.txt' }] })
  await agent.close()
  const { history } = await readSession(store, agent.session.id)
  return history.map(({ type }) => type)
}

/** The arrows of the diagram, by names of packages. */
function arrowsIn(page: string): { readonly from: string; readonly to: string }[] {
  const [, diagram = ''] = /^```mermaid\n([^]*?)^```$/m.exec(page) ?? []
  const names = new Map([...diagram.matchAll(/(\w+)\[([\w/-]+)<br>/g)].map(([, id = '', name = '']) => [id, name]))
  const nameOf = (id: string) => names.get(id) ?? `${id} is not in the diagram`
  return [...diagram.matchAll(/^ *(\w+)\[.*?\] --> (.+)$/gm)].flatMap(([, from = '', targets = '']) =>
    targets.split(' & ').map((to) => ({ from: nameOf(from), to: nameOf(/^\w+/.exec(to)?.[0] ?? '') })),
  )
}

function dependenciesOf(folder: string): string[] {
  const { dependencies } = Manifest.parse(JSON.parse(pageOf(`${folder}/package.json`)))
  return Object.keys(dependencies).flatMap((name) =>
    name.startsWith('@loader/') ? [name.slice('@loader/'.length)] : [],
  )
}

const Manifest = z.object({
  files: z.array(z.string()).default([]),
  dependencies: z.record(z.string(), z.string()).default({}),
})
