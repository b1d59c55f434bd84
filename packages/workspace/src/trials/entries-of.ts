import * as z from 'zod'
import { jsonOf } from '../imports/json-text.ts'
import { folderOf, joined } from '../imports/project-files.ts'
import { runsAgain } from '../runners/expected-runners.ts'
import { isTestOf } from '../runners/test-patterns.ts'
import type { ScriptOfManifest } from '../runners/expected-runners.ts'
import type { ProjectTexts } from '../runners/runner.ts'

const Entries = z.object({
  main: z.unknown().optional(),
  module: z.unknown().optional(),
  source: z.unknown().optional(),
  browser: z.unknown().optional(),
  types: z.unknown().optional(),
  typings: z.unknown().optional(),
  bin: z.unknown().optional(),
  exports: z.unknown().optional(),
  scripts: z.record(z.string(), z.string()).catch({}).optional(),
})

/**
 * Files through which a program or library is entered from outside, as its manifests declare: they belong to the
 * product, whatever else imports them. Scripts that are part of the check do not count, nor what runs one of its commands
 * again.
 */
export async function entriesOf(
  project: ProjectTexts,
  ofCheck: readonly ScriptOfManifest[] = [],
  commands: readonly (readonly string[])[] = [],
): Promise<ReadonlySet<string>> {
  const all = new Set(project.paths)
  const found = new Set<string>()
  for (const path of project.paths) {
    if (`/${path}`.includes('/node_modules/')) continue
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (name === 'package.json')
      for (const it of await ofPackage(path, project, all, { ofCheck, commands })) found.add(it)
    if (name === '__main__.py' || /(^|\/)src\/(main|lib)\.rs$|(^|\/)src\/bin\/[^/]+\.rs$/.test(path)) found.add(path)
  }
  for (const path of await ofPython(project, all)) found.add(path)
  return found
}

async function ofPackage(
  path: string,
  project: ProjectTexts,
  all: ReadonlySet<string>,
  {
    ofCheck,
    commands,
  }: { readonly ofCheck: readonly ScriptOfManifest[]; readonly commands: readonly (readonly string[])[] },
): Promise<readonly string[]> {
  const manifest = Entries.safeParse(await jsonOf((await project.text(path)) ?? '', 1_000)).data
  if (manifest === undefined) return []
  const { scripts = {}, ...entries } = manifest
  const folder = folderOf(path)
  const named = stringsIn(Object.values(entries)).flatMap((text) => placesOf(text, folder, all))
  const started = Object.entries(scripts)
    .filter(([name]) => !ofCheck.some((it) => it.manifest === path && it.name === name))
    .flatMap(([, text]) => text.split(/[\s;&|'"]+/).filter((word) => !runsAgain(text, word, commands)))
    .flatMap((word) => {
      const place = joined(folder, word)
      return place !== undefined && all.has(place) ? [place] : []
    })
  return [...named, ...started, ...(all.has(inside(folder, 'index.js')) ? [inside(folder, 'index.js')] : [])]
}

/** What is entered, and the source of a build output with the same name, as far as they are there. */
function placesOf(text: string, folder: string, all: ReadonlySet<string>): readonly string[] {
  const place = joined(folder, text)
  if (place === undefined) return []
  const bare = place.replace(/(\.d)?\.[cm]?[jt]sx?$/, '')
  const sources = [bare, bare.replace(/(^|\/)(?:dist|build|lib|out|esm|cjs)\//, '$1src/')]
  const endings = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '/index.ts', '/index.js']
  return [place, ...sources.flatMap((it) => endings.map((ending) => it + ending))].filter((it) => all.has(it))
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsIn)
}

/** The modules of a Python project's packages: any other program can import each of them. */
async function ofPython(project: ProjectTexts, all: ReadonlySet<string>): Promise<readonly string[]> {
  const manifests = project.paths.filter((it) => /(^|\/)(pyproject\.toml|setup\.py|setup\.cfg)$/.test(it))
  const found: string[] = []
  for (const path of manifests) {
    const text = (await project.text(path)) ?? ''
    const folder = folderOf(path)
    const named = [...text.matchAll(/["']?([\w.-]+)["']?\s*[=:]\s*["']([\w.]+):[\w.]+["']/g)].map(([, , it = '']) => it)
    for (const module of named) {
      const place = module.replaceAll('.', '/')
      for (const it of [`${place}.py`, `src/${place}.py`, `${place}/__init__.py`, `src/${place}/__init__.py`]) {
        if (all.has(inside(folder, it))) found.push(inside(folder, it))
      }
    }
    const packages = [folder, inside(folder, 'src')].flatMap((base) => packagesIn(base, project.paths))
    const own = packages.filter((it) => !holdsTests(it, project.paths))
    found.push(...project.paths.filter((it) => own.some((at) => it.startsWith(`${at}/`)) && isModule(it)))
  }
  return found
}

function packagesIn(base: string, paths: readonly string[]): readonly string[] {
  const inits = paths.filter((it) => it.endsWith('/__init__.py')).map(folderOf)
  return inits.filter((it) => folderOf(it) === base)
}

function holdsTests(folder: string, paths: readonly string[]): boolean {
  return paths.some((it) => folderOf(it) === folder && (isTestOf('pytest', it) || it.endsWith('/conftest.py')))
}

function isModule(path: string): boolean {
  return path.endsWith('.py') && !isTestOf('pytest', path) && !path.endsWith('conftest.py')
}

function inside(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`
}
