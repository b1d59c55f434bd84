import { isBuiltin } from 'node:module'
import type { CompilerSettings, Configs } from './compiler-settings.ts'
import type { ImportKind, JavaScriptImport } from './file-reading.ts'
import { type Manifest, type Manifests, inFolder } from './manifests.ts'
import { targetsOf } from './package-targets.ts'
import { type ProjectFiles, folderOf, joined } from './project-files.ts'
import type { Resolution } from './resolution.ts'

export interface JavaScriptProject {
  readonly files: ProjectFiles
  readonly manifests: Manifests
  readonly configs: Configs
}

/** Where an import of a file leads. */
export function resolveJavaScript(project: JavaScriptProject, from: string, one: JavaScriptImport): Resolution {
  const text = one.by === 'require' ? one.text : one.text.replace(/(?<=.)[?].*$/s, '')
  if (one.by === 'path') {
    const file = /^(\/|[a-z][\w+.-]*:)/i.test(text) ? undefined : placed(project.files, joined(folderOf(from), text))
    return { files: file === undefined ? [] : [file] }
  }
  if (/^\.{1,2}(\/|$)/.test(text)) return found(moduleAt(project, joined(folderOf(from), text), from))
  if (text.startsWith('#')) return resolvePrivate(project, from, text, one)
  if (isBuiltin(text)) return { files: [], package: `node:${text.replace(/^node:/, '')}` }
  if (/^[a-z][\w+.-]*:/i.test(text)) return { files: [], package: text.slice(0, longestName) }
  return (
    resolveMapped(project, from, text) ??
    (text.startsWith('/') || text === '' ? { files: [], doubt: 'missing' } : resolvePackage(project, from, text, one))
  )
}

const longestName = 214

function found(file: string | undefined): Resolution {
  return file === undefined ? { files: [], doubt: 'missing' } : { files: [file] }
}

function placed(files: ProjectFiles, place: string | undefined): string | undefined {
  return place === undefined ? undefined : files.file(place)
}

/** TypeScript imports name the file that will exist after the build. */
const sourcesOf: Readonly<Record<string, readonly string[]>> = {
  js: ['ts', 'tsx', 'd.ts', 'jsx'],
  jsx: ['tsx', 'd.ts'],
  mjs: ['mts', 'd.mts'],
  cjs: ['cts', 'd.cts'],
}

const typedEndings = ['ts', 'tsx', 'mts', 'cts', 'd.ts']
const plainEndings = ['js', 'jsx', 'mjs', 'cjs']
const otherEndings = ['json', 'node', 'vue', 'svelte']

/** The file for a module path without ending, or for a folder. */
export function moduleAt(project: JavaScriptProject, place: string | undefined, from: string): string | undefined {
  if (place === undefined) return undefined
  const isTyped = /\.[mc]?tsx?$/.test(from)
  const main = () => {
    const manifest = project.files.folder(place) === undefined ? undefined : project.manifests.at(place)
    const named = manifest?.main ?? manifest?.module
    return manifest === undefined || named === undefined ? undefined : fileAt(project, joined(place, named), isTyped)
  }
  return fileAt(project, place, isTyped) ?? main() ?? fileAt(project, inFolder(place, 'index'), isTyped)
}

function fileAt({ files }: JavaScriptProject, place: string | undefined, isTyped: boolean): string | undefined {
  if (place === undefined) return undefined
  const [, stem = '', ending = ''] = /^(.*[^/])\.([mc]?jsx?)$/.exec(place) ?? []
  const sources = ((Object.hasOwn(sourcesOf, ending) ? sourcesOf[ending] : undefined) ?? []).map(
    (it) => `${stem}.${it}`,
  )
  const endings = isTyped ? [...typedEndings, ...plainEndings] : [...plainEndings, ...typedEndings]
  const added = [...endings, ...otherEndings].map((it) => `${place}.${it}`)
  const candidates = isTyped ? [...sources, place, ...added] : [place, ...sources, ...added]
  return candidates.map((it) => files.file(it)).find((it) => it !== undefined)
}

/** `paths` and `baseUrl` of the nearest settings of the compiler. */
function resolveMapped(project: JavaScriptProject, from: string, text: string): Resolution | undefined {
  for (const { paths = [], baseUrl } of project.configs.of(from)) {
    const places = bestFitting(paths, text)
    const all = baseUrl === undefined || text.startsWith('/') ? places : [...places, inFolder(baseUrl, text)]
    const file = all.map((it) => moduleAt(project, it, from)).find((it) => it !== undefined)
    if (file !== undefined) return { files: [file] }
  }
  return undefined
}

function bestFitting(paths: NonNullable<CompilerSettings['paths']>, text: string): readonly string[] {
  const fitting = paths.flatMap(({ pattern, places }) => {
    const [head = '', tail] = pattern.split('*')
    if (tail === undefined) return pattern === text ? [{ weight: Number.POSITIVE_INFINITY, places }] : []
    if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return []
    const star = text.slice(head.length, text.length - tail.length)
    return [{ weight: head.length, places: places.map((it) => it.replace('*', () => star)) }]
  })
  return fitting.toSorted((a, b) => b.weight - a.weight)[0]?.places ?? []
}

/** Resolves `#name` by the `imports` of the file's own package. */
function resolvePrivate(project: JavaScriptProject, from: string, text: string, one: JavaScriptImport): Resolution {
  const manifest = project.manifests.of(from)
  const targets = manifest === undefined ? [] : targetsOf(manifest.imports, text, one.by, one.kind)
  if (manifest === undefined || targets.length === 0) return resolveMapped(project, from, text) ?? found(undefined)
  const relative = targets.map((it) => it.text).filter((it) => it.startsWith('.'))
  const [other] = targets.map((it) => it.text).filter((it) => !it.startsWith('.') && !it.startsWith('#'))
  if (relative.length === 0) {
    return other === undefined ? found(undefined) : resolveJavaScript(project, from, { ...one, text: other })
  }
  return inPackage(project, manifest, relative)
}

function resolvePackage(project: JavaScriptProject, from: string, text: string, one: JavaScriptImport): Resolution {
  const [, name = text, rest = ''] = /^(@[^/]+\/[^/]+|[^@/][^/]*)(\/.*)?$/.exec(text) ?? []
  if (!/^(@[^/]+\/)?[^/@]/.test(name)) return found(undefined)
  const own = project.manifests.named(name, from)
  switch (own.kind) {
    case 'other':
      return { files: [], package: name }
    case 'ambiguous':
      return { files: [], package: name, doubt: 'ambiguous' }
    case 'own':
      return resolveOwn(project, own.manifest, `.${rest}`, one)
    default:
      return own satisfies never
  }
}

function resolveOwn(
  project: JavaScriptProject,
  manifest: Manifest,
  subpath: string,
  one: JavaScriptImport,
): Resolution {
  if (manifest.exports !== undefined && manifest.exports !== null) {
    return inPackage(
      project,
      manifest,
      targetsOf(manifest.exports, subpath, one.by, one.kind).map((it) => it.text),
    )
  }
  if (subpath !== '.') return inPackage(project, manifest, [subpath])
  const mains = mainsOf(manifest, one.kind)
  return inPackage(project, manifest, mains.length === 0 ? ['./index'] : mains)
}

function mainsOf({ main, module, source, types, typings }: Manifest, kind: ImportKind): readonly string[] {
  const values = [source, module, main].filter((it) => it !== undefined)
  const typed = [types, typings].filter((it) => it !== undefined)
  if (kind === 'type') return [...typed, ...values]
  return values.length > 0 ? values : typed
}

/** All targets that exist. Which of them a program loads depends on its conditions. */
function inPackage(project: JavaScriptProject, manifest: Manifest, targets: readonly string[]): Resolution {
  const inside = targets.map((it) => joined(manifest.folder, it)).filter((it) => it !== undefined)
  const any = `${manifest.folder}/any.ts`
  const there = inside.map((it) => moduleAt(project, it, any)).filter((it) => it !== undefined)
  if (there.length > 0) return { files: [...new Set(there)] }
  if (inside.length === 0) return found(undefined)
  const source = inside.map((it) => sourceOf(project, manifest, it)).find((it) => it !== undefined)
  return { files: source === undefined ? [] : [source], doubt: 'not_built' }
}

/** The likely source of a build output: by the compiler's folder settings, otherwise in `src` or beside it. */
function sourceOf(project: JavaScriptProject, { folder }: Manifest, output: string): string | undefined {
  const any = inFolder(folder, 'any.ts')
  const plain = output.replace(/\.d\.([mc]?)ts$/, '.$1js').replace(/\.[mc]js$/, '.js')
  const moved = project.configs
    .of(any)
    .flatMap(({ outDir, rootDir = inFolder(folder, 'src') }) =>
      outDir !== undefined && plain.startsWith(`${outDir}/`) ? [inFolder(rootDir, plain.slice(outDir.length + 1))] : [],
    )
  const inside = folder === '' ? plain : plain.slice(folder.length + 1)
  const rest = inside.split('/')
  const deeper = rest.map((_, index) => rest.slice(index + 1).join('/')).filter((it) => it !== '')
  const guessed = deeper.flatMap((it) => [inFolder(folder, `src/${it}`), inFolder(folder, it)])
  return [...moved, ...guessed].map((it) => fileAt(project, it, true)).find((it) => it !== undefined)
}
