import type { Check, TestKind } from '@loader/session-core/coding'
import { folderOf, joined } from '../imports/project-files.ts'
import { type BuiltFiles, builtFiles, type MadeTargets, sourcesIn } from '../runners/built-files.ts'
import { globPattern } from '../runners/glob-pattern.ts'
import { expectedRunners, type ScriptOfManifest } from '../runners/expected-runners.ts'
import type { ProjectTexts, RunnerReport } from '../runners/runner.ts'
import { runnerSettings } from '../runners/runner-settings.ts'
import { isTestOf, launcherSettings, mayHoldTests } from '../runners/test-patterns.ts'

/** The files that a check consists of in one tree. */
export interface FilesOfCheck {
  readonly settings: ReadonlySet<string>
  /** Those that runners load into every test. */
  readonly plugins: ReadonlySet<string>
  /** Files named in its command or in the scripts that it leads to. */
  readonly scripts: ReadonlySet<string>
  /** Files that another command of the check examines. */
  readonly judged: ReadonlySet<string>
  readonly ran: readonly ScriptOfManifest[]
  /** What make is told to make for it, and the sources of that. */
  readonly made: readonly MadeTargets[]
  readonly built: BuiltFiles
  /** All sources in C that it is built of, by make or by a command of its own. */
  readonly sources: ReadonlySet<string>
  /** Its commands, and those of scripts that it leads to, as words. */
  readonly commands: readonly (readonly string[])[]
  /** By the default patterns of the runner, and those in its settings and arguments. */
  isTest(path: string): boolean
  /** The command leads to a known runner in this tree, or to an existing script or recipe. */
  readonly leads: boolean
}

export async function filesOfCheck(
  { command, cwd = '' }: Pick<Check, 'command' | 'cwd'>,
  reports: readonly RunnerReport[],
  project: ProjectTexts,
): Promise<FilesOfCheck> {
  const all = new Set(project.paths)
  const read = await expectedRunners(command, cwd === '.' ? '' : cwd, project)
  const settings = new Set<string>()
  for (const path of project.paths.filter((it) => launcherSettings.test(it))) {
    settings.add(path)
    for (const it of placesOf(wordsIn((await project.text(path)) ?? ''), folderOf(path))) {
      if (all.has(it)) settings.add(it)
    }
  }
  const plugins = new Set<string>()
  for (const report of reports) {
    const own = await runnerSettings(report, project)
    for (const it of own.paths) settings.add(it)
    for (const it of own.plugins) plugins.add(it)
  }
  const patterns = await givenPatterns(reports, read.runners, settings, project)
  const named = new Set(read.runners.flatMap(({ words, folder }) => placesOf(words, folder)))
  const judged = new Set(read.texts.flatMap(({ text, folder }) => placesOf(judgedWords(text), folder)))
  const built = await allBuilt(read.made, project)
  return {
    settings,
    plugins,
    judged,
    ran: read.ran,
    commands: read.commands,
    made: read.made,
    built,
    scripts: new Set([...read.files, ...built.tests]),
    sources: new Set([...built.sources, ...(await sourcesIn(read.files, project))]),
    isTest: (path) =>
      reports.some(({ runner }) => isTestOf(runner, path)) ||
      patterns.some(({ pattern, folder }) => isIn(folder, path) && pattern.test(within(folder, path))) ||
      (named.has(folderOf(path)) && /\.[cm]?[jt]sx?$/.test(path) && reports.some(({ runner }) => runner === 'mocha')),
    leads: read.leads,
  }
}

/** What is product for one of the makefiles is product for the check. */
export async function allBuilt(made: readonly MadeTargets[], project: ProjectTexts): Promise<BuiltFiles> {
  const all = await Promise.all(made.map((it) => builtFiles(it, project)))
  const product = new Set(all.flatMap((it) => [...it.product]))
  const tests = new Set(all.flatMap((it) => [...it.tests].filter((path) => !product.has(path))))
  return { sources: new Set(all.flatMap((it) => [...it.sources])), product, tests }
}

/** The kind of one file: by what has run, and by the patterns of the tree that judges the file. */
export function testKindOf(path: string, { isTest, reports, importers }: TestKindRequest): TestKind {
  const ran = reports.some(({ testFiles }) => testFiles.includes(path))
  if (isTest) return 'test'
  if (reports.some(({ runner }) => mayHoldTests(runner, path))) return 'mixed'
  if (!ran || importers === 'tests') return 'none'
  return importers === 'product' ? 'mixed' : 'test'
}

interface TestKindRequest {
  readonly isTest: boolean
  readonly reports: readonly RunnerReport[]
  /** A module that tests load does not become a test itself by containing one. */
  readonly importers: 'none' | 'tests' | 'product'
}

interface GivenPattern {
  readonly pattern: RegExp
  readonly folder: string
}

/** The patterns in settings and arguments of the runners, each with its folder. */
async function givenPatterns(
  reports: readonly RunnerReport[],
  expected: readonly { readonly words: readonly string[]; readonly folder: string }[],
  settings: ReadonlySet<string>,
  project: ProjectTexts,
): Promise<readonly GivenPattern[]> {
  const inWords = expected.flatMap(({ words, folder }) => words.map((text) => ({ text, folder })))
  const told = reports.flatMap(({ patterns, folder }) => patterns.map((text) => ({ text, folder })))
  const inSettings: { readonly text: string; readonly folder: string }[] = []
  for (const path of settings) {
    if (path.endsWith('package.json')) continue
    const texts = ((await project.text(path)) ?? '').matchAll(/["']([^"'\n]*\*[^"'\n]*)["']|=\s*([^\s"']*\*[^\s"']*)/g)
    for (const [, quoted, bare] of texts) inSettings.push({ text: quoted ?? bare ?? '', folder: folderOf(path) })
  }
  return [...inWords, ...told, ...inSettings].flatMap(({ text, folder }) => {
    if (!text.includes('*') || /node_modules|\*\*\/\*$|^\*+$|^!/.test(text)) return []
    const plain = text.replace(/^<rootDir>\//, '').replace(/^\/+/, '')
    const pattern = globPattern(plain.includes('/') ? plain : `**/${plain}`)
    return pattern === undefined ? [] : [{ pattern, folder }]
  })
}

/** Programs that only read their arguments and compare them, without running them. */
const lookers = /^(?:[ef]?grep|rg|test|\[|\[\[|cat|head|tail|wc|stat|ls|file|jq|yq)$/

/**
 * Words of a command that another command examines: `app.js` in `node app.js | grep 42`, and in `grep -q 42 app.js`.
 */
function judgedWords(command: string): readonly string[] {
  const looked = command.split(/&&|\|\||[;|&\n(]/).flatMap((it) => {
    const [program = '', ...rest] = it
      .trim()
      .replace(/^!\s*/, '')
      .split(/[\s"']+/)
    return lookers.test(program) ? rest : []
  })
  const inner = [...command.matchAll(/[$<]\(([^()]*)\)|`([^`]*)`/g)].map(([, one, other]) => one ?? other ?? '')
  const piped = command.split(/&&|\|\||[;\n]/).flatMap((it) => it.split('|').slice(0, -1))
  const written = [...command.matchAll(/([^;&|\n]*)>\s*[^\s&;|]+/g)].map(([, it = '']) => it)
  return [...looked, ...inner, ...piped, ...written].flatMap((it) => it.split(/[\s"']+/))
}

/** Values of settings in an unknown format: every word that could be a path. */
function wordsIn(text: string): readonly string[] {
  return text.split(/[\s=:,;"'[\]{}()]+/).filter((it) => it !== '')
}

function placesOf(words: readonly string[], folder: string): readonly string[] {
  return words.flatMap((word) => joined(folder, word) ?? [])
}

function isIn(folder: string, path: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

function within(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1)
}
