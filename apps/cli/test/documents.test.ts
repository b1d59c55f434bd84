import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
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

describe('docs/architecture.md', () => {
  const page = pageOf('docs/architecture.md')
  const decisions = [...page.matchAll(/^\| .*?\| \[`(.+?)`\]\((.+?)\) *\| `(\w+)` *\|$/gm)]

  test.each(decisions.map(([, path = '', link = '', name = '']) => ({ path, link, name })))(
    '$name is decided in $path',
    ({ path, link, name }) => {
      expect(join('docs', link)).toBe(join(path))
      expect(pageOf(path)).toMatch(new RegExp(`^export (?:async )?(?:function\\*?|const) ${name}\\b`, 'm'))
    },
  )

  test('answers each question in one step', () => {
    const answers = decisions.map(([row]) => row)
    for (const question of [
      /when does compaction start.*should-compact/i,
      /which exit code.*run-exit/i,
      /how is a call permitted.*decide-permit/i,
      /resumed call become.*settlement/i,
      /how are sessions listed.*list-sessions/i,
      /when is a turn verified.*judge-turn/i,
    ]) {
      expect(answers.filter((row) => question.test(row))).toHaveLength(1)
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

const Manifest = z.object({ files: z.array(z.string()) })
