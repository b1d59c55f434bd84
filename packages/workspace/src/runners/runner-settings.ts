import { ancestors, folderOf, joined } from '../imports/project-files.ts'
import { slashed } from './canary-request.ts'
import type { ProjectTexts, RunnerName, RunnerReport } from './runner.ts'

/** The files that a runner reads before it runs tests. A change to them is a change to the checks. */
export interface RunnerSettings {
  /** Files of the project, each with all that it extends or names. */
  readonly paths: readonly string[]
  /** Those loaded into every test, even if they lie among the modules of the product. */
  readonly plugins: readonly string[]
  /** Named files that are not part of the project: they lie in a package, or are generated. */
  readonly unread: readonly string[]
}

const program = String.raw`\.[cm]?[jt]s`

/** The settings files that each runner looks for, in its folder and above. */
const usual: Readonly<Record<RunnerName, RegExp | undefined>> = {
  'node:test': undefined,
  vitest: new RegExp(`^(vitest|vite)\\.config${program}$|^vitest\\.workspace(${program}|\\.json)$`),
  jest: new RegExp(`^(jest|babel)\\.config(${program}|\\.json)$|^\\.babelrc(${program}|\\.json)?$|^package\\.json$`),
  mocha: /^\.mocharc(\.[cm]?js|\.jsonc?|\.ya?ml)?$|^package\.json$/,
  pytest: /^\.?pytest\.(ini|toml)$|^pyproject\.toml$|^tox\.ini$|^setup\.cfg$|^conftest\.py$/,
  unittest: undefined,
  'cargo test': /^Cargo\.toml$|^rust-toolchain(\.toml)?$|^build\.rs$/,
  'go test': /^go\.(mod|work)$/,
  tsc: /^tsconfig\.json$/,
  eslint: new RegExp(`^eslint\\.config${program}$|^\\.eslintrc(\\.[cm]?js|\\.json|\\.ya?ml)?$|^\\.eslintignore$`),
}

/**
 * The settings of one run: the files it reports as loaded, those at conventional places, and those named in its
 * arguments, with everything that these extend, import or name as setup files. A computed name is found only if the
 * runner itself reports it (vitest, jest, pytest).
 */
export async function runnerSettings(report: RunnerReport, project: ProjectTexts): Promise<RunnerSettings> {
  const all = new Set(project.paths)
  const settings = new Set<string>()
  const unread = new Set<string>()
  const plugins = new Set<string>()
  const follow = async (path: string): Promise<void> => {
    if (settings.has(path)) return
    settings.add(path)
    const text = await project.text(path)
    if (text === undefined) return void unread.add(path)
    for (const name of pluginsIn(path, text)) {
      const places = ancestors(folderOf(path)).flatMap((it) => [it, `${slashed(it)}src`])
      const found = places.map((it) => fileOf(name, it, all)).find((it) => it !== undefined)
      if (found === undefined) continue
      plugins.add(found)
      await follow(found)
    }
    for (const name of namedIn(path, text)) {
      const found = fileOf(name, folderOf(path), all)
      if (found === undefined) unread.add(name)
      else await follow(found)
    }
  }
  const tests = new Set(report.testFiles)
  const named = report.arguments
    .map((it) => fileOf(it.replace(/^--?[^=]+=/, ''), report.folder, all))
    .filter((it) => it !== undefined && !tests.has(it))
  for (const path of [...report.settings, ...usualOf(report, project), ...named]) {
    if (path !== undefined && all.has(path)) await follow(path)
  }
  return { paths: [...settings].toSorted(), plugins: [...plugins].toSorted(), unread: [...unread].toSorted() }
}

function usualOf({ runner, folder, testFiles }: RunnerReport, { paths }: ProjectTexts): readonly string[] {
  const pattern = usual[runner]
  if (pattern === undefined) return []
  const folders = new Set([folder, ...testFiles.map(folderOf)].flatMap(ancestors))
  const isCargo = runner === 'cargo test'
  return paths.filter((path) => {
    if (isCargo && /(^|\/)\.cargo\/config(\.toml)?$/.test(path)) return true
    return folders.has(folderOf(path)) && pattern.test(path.slice(slashed(folderOf(path)).length))
  })
}

/** Keys of settings that name further files, in JSON, YAML, INI and programs. */
const keys =
  'extends|require|file|import|preset|presets|plugins|setupFiles|setupFilesAfterEnv|globalSetup|globalTeardown|path'

function namedIn(path: string, text: string): readonly string[] {
  if (path.endsWith('package.json')) return []
  const imports = /\.[cm]?[jt]s$/.test(path)
    ? [...text.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.[^'"\n]+)['"]/g)].map((it) => it[1] ?? '')
    : []
  const values = [...text.matchAll(new RegExp(`["']?\\b(?:${keys})["']?\\s*[:=]\\s*(\\[[^\\]]*\\]|[^\\n,}]*)`, 'g'))]
  const strings = values.flatMap(([, value = '']) => [
    ...value.matchAll(/["']([^"'\n]+)["']|(?:^|[\s-])(\.{1,2}\/[^\s"',\]]+)/g),
  ])
  return [...imports, ...strings.map((it) => it[1] ?? it[2] ?? '')].filter((it) => it !== '')
}

/** Python modules that pytest loads as plugins: they take part in every test. */
function pluginsIn(path: string, text: string): readonly string[] {
  if (!/\.(?:py|ini|toml|cfg)$/.test(path)) return []
  const lists = [...text.matchAll(/\bpytest_plugins\s*(?::[^=\n]*)?=\s*(\[[^\]]*\]|\([^)]*\)|[^\n]*)/g)]
  const listed = lists.flatMap(([, list = '']) => [...list.matchAll(/["']([\w.]+)["']/g)])
  const given = [...text.matchAll(/(?:^|[\s"'])-p[\s"',]*([\w.]+)/g)]
  return [...listed, ...given].map(([, name = '']) => `${name.replaceAll('.', '/')}.py`)
}

function fileOf(name: string, folder: string, all: ReadonlySet<string>): string | undefined {
  const place = name.startsWith('/') ? undefined : joined(folder, name)
  if (place === undefined || place === '') return undefined
  const endings = [
    '',
    '.json',
    '.js',
    '.ts',
    '.mjs',
    '.cjs',
    '.mts',
    '.cts',
    '/tsconfig.json',
    '/index.js',
    '/index.ts',
  ]
  const unended = place.replace(/\.js$/, '')
  return [...endings.map((it) => `${place}${it}`), `${unended}.ts`].find((it) => all.has(it))
}
