import type { Signal } from '@loader/session-core'
import { breather } from '../walk/breather.ts'
import { type CompilerSettings, Configs, isConfigFile, readConfig } from './compiler-settings.ts'
import type { FileReading, ImportKind } from './file-reading.ts'
import { type Manifest, Manifests, readManifest } from './manifests.ts'
import { ProjectFiles, type ProjectFile } from './project-files.ts'
import { type ReadingCache, type ReadingLimits, type SkipReason, readFile } from './read-file.ts'
import type { Doubt, Resolution } from './resolution.ts'
import { type JavaScriptProject, resolveJavaScript } from './resolve-javascript.ts'
import { type NamedPath, Namers, resolveNames } from './resolve-names.ts'
import { type PythonProject, pythonProject, resolvePython } from './resolve-python.ts'

/** How an import graph is limited, cancelled, and built faster the second time. */
export interface ImportGraphOptions {
  /** Caches readings, so that the next graph only reads new content. */
  readonly cache?: ReadingCache
  readonly limits?: Partial<ReadingLimits>
  readonly signal?: Signal
}

/** One import of a file. */
export interface Import {
  readonly to: { readonly kind: 'file'; readonly path: string } | { readonly kind: 'package'; readonly name: string }
  readonly kind: ImportKind
  readonly line: number
}

/** An import that could not be fully resolved. `computed`: its target is computed when the program runs. */
export interface Unresolved {
  readonly path: string
  readonly line: number
  readonly why: Doubt | 'computed'
  /** The target as written; a computed import has none. */
  readonly text?: string
}

/** A file that the graph could not read, and why. */
export interface SkippedFile {
  readonly path: string
  readonly why: SkipReason
}

/** The import graph of a project in JavaScript, TypeScript and Python. */
export interface ImportGraph {
  /** Files whose imports are known. */
  readonly files: ReadonlySet<string>
  imports(path: string): readonly Import[]
  /** The files that import it, for its values or its types. */
  importers(path: string): ReadonlySet<string>
  /** The files and folders of the project that a file names in fixed text: what it reads, starts or configures. */
  names(path: string): readonly NamedPath[]
  /** The files that name it, or a folder that it lies in; bare words do not count. */
  namers(path: string): ReadonlySet<string>
  readonly unresolved: readonly Unresolved[]
  /** Files that may import others but could not be read. */
  readonly skipped: readonly SkippedFile[]
  /** Files that the parser understood only in part: an import may be missing. */
  readonly broken: readonly string[]
}

const usualLimits: ReadingLimits = { bytes: 8 * 1024 * 1024, milliseconds: 10_000 }

/**
 * Builds the import graph. The files can come from anywhere; nothing is run, and no content makes it fail: what could
 * not be determined is listed in `unresolved`, `skipped` and `broken`.
 */
export async function importGraph(
  files: Iterable<ProjectFile> | AsyncIterable<ProjectFile>,
  options: ImportGraphOptions = {},
): Promise<ImportGraph> {
  const limits = { ...usualLimits, ...options.limits }
  const byPath = new Map<string, ProjectFile>()
  for await (const file of files) byPath.set(file.path, file)
  const project = await projectOf(byPath, limits)
  const graph = new Graph(project)
  const cache = options.cache ?? new Map<string, FileReading>()
  const breathe = breather()
  for (const file of byPath.values()) {
    options.signal?.throwIfAborted()
    await breathe()
    if (file.link !== undefined) continue
    const outcome = await readFile(file, limits, cache)
    if (outcome.kind === 'skipped') graph.skipped.push({ path: file.path, why: outcome.why })
    if (outcome.kind === 'read') graph.add(file.path, outcome.reading)
  }
  return graph
}

interface Project extends JavaScriptProject {
  readonly python: PythonProject
}

const largestSettings = 1024 * 1024

async function projectOf(byPath: ReadonlyMap<string, ProjectFile>, { milliseconds }: ReadingLimits): Promise<Project> {
  const files = new ProjectFiles(byPath.values())
  const read = async (path: string): Promise<string | undefined> => {
    const file = byPath.get(path)
    if (file === undefined || (file.size ?? 0) > largestSettings) return undefined
    try {
      const content = await file.read()
      if (content.length > largestSettings) return undefined
      return typeof content === 'string' ? content : new TextDecoder().decode(content)
    } catch {
      // When the reader fails on this file, only this file is skipped.
      return undefined
    }
  }
  const manifests: Manifest[] = []
  const configs: (readonly [string, CompilerSettings])[] = []
  for (const path of files) {
    if (isConfigFile(path)) configs.push([path, await readConfig(path, files, read, milliseconds)])
    if (!/(^|\/)package\.json$/.test(path)) continue
    const text = await read(path)
    const manifest = text === undefined ? undefined : await readManifest(path, text, milliseconds)
    if (manifest !== undefined) manifests.push(manifest)
  }
  return {
    files,
    manifests: new Manifests(files, manifests),
    configs: new Configs(configs),
    python: pythonProject(files),
  }
}

class Graph implements ImportGraph {
  readonly files = new Set<string>()
  readonly unresolved: Unresolved[] = []
  readonly skipped: SkippedFile[] = []
  readonly broken: string[] = []
  readonly #imports = new Map<string, readonly Import[]>()
  readonly #importers = new Map<string, Set<string>>()
  readonly #names = new Map<string, readonly NamedPath[]>()
  readonly #namers = new Namers()
  readonly #project: Project

  constructor(project: Project) {
    this.#project = project
  }

  imports(path: string): readonly Import[] {
    return this.#imports.get(path) ?? []
  }

  importers(path: string): ReadonlySet<string> {
    return this.#importers.get(path) ?? new Set()
  }

  names(path: string): readonly NamedPath[] {
    return this.#names.get(path) ?? []
  }

  namers(path: string): ReadonlySet<string> {
    return this.#namers.of(path)
  }

  add(path: string, reading: FileReading): void {
    const imports: Import[] = []
    for (const { kind, line, text, resolution } of this.#resolved(path, reading)) {
      for (const file of resolution.files) {
        if (file === path) continue
        imports.push({ to: { kind: 'file', path: file }, kind, line })
        this.#importers.set(file, (this.#importers.get(file) ?? new Set()).add(path))
      }
      if (resolution.package !== undefined)
        imports.push({ to: { kind: 'package', name: resolution.package }, kind, line })
      if (resolution.doubt !== undefined) this.unresolved.push({ path, line, why: resolution.doubt, text })
    }
    for (const line of reading.computed) this.unresolved.push({ path, line, why: 'computed' })
    if (reading.broken) this.broken.push(path)
    this.files.add(path)
    this.#imports.set(path, imports)
    const names = resolveNames(this.#project, path, reading)
    this.#names.set(path, names)
    this.#namers.add(path, names)
  }

  #resolved(path: string, reading: FileReading): readonly ResolvedImport[] {
    switch (reading.language) {
      case 'javascript':
        return reading.imports.map((one) => ({ ...one, resolution: resolveJavaScript(this.#project, path, one) }))
      case 'python':
        return reading.imports.map((one) => ({
          kind: path.endsWith('.pyi') ? 'type' : one.kind,
          line: one.line,
          text: '.'.repeat(one.level) + one.module,
          resolution: resolvePython(this.#project.python, path, one),
        }))
      default:
        return reading satisfies never
    }
  }
}

interface ResolvedImport {
  readonly kind: ImportKind
  readonly line: number
  readonly text: string
  readonly resolution: Resolution
}
