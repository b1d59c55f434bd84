import * as z from 'zod'
import { jsonOf } from './json-text.ts'
import { inFolder } from './manifests.ts'
import { type ProjectFiles, ancestors, folderOf, joined } from './project-files.ts'

const Text = z.string().optional().catch(undefined)

const ConfigFile = z.object({
  extends: z
    .union([z.string().transform((it) => [it]), z.array(z.string())])
    .optional()
    .catch(undefined),
  compilerOptions: z
    .object({
      baseUrl: Text,
      outDir: Text,
      rootDir: Text,
      paths: z.record(z.string(), z.array(z.string())).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})

/** The module settings of a `tsconfig.json`; folders are relative to the root of the project. */
export interface CompilerSettings {
  readonly baseUrl?: string
  readonly outDir?: string
  readonly rootDir?: string
  /** Patterns with the places that they stand for. */
  readonly paths?: readonly { readonly pattern: string; readonly places: readonly string[] }[]
}

const longestChain = 20

export function isConfigFile(path: string): boolean {
  return /(^|\/)(ts|js)config[^/]*\.json$/.test(path)
}

type ReadText = (path: string) => Promise<string | undefined>

/** Reads the settings of a file with everything that it extends. An extended file outside the project is ignored. */
export async function readConfig(
  path: string,
  files: ProjectFiles,
  read: ReadText,
  milliseconds: number,
): Promise<CompilerSettings> {
  const leaf = folderOf(path)
  const follow = async (at: string, seen: readonly string[]): Promise<CompilerSettings> => {
    const text = await read(at)
    const config = ConfigFile.safeParse(text === undefined ? undefined : await jsonOf(text, milliseconds)).data
    if (config === undefined) return {}
    const bases: CompilerSettings[] = []
    for (const name of config.extends ?? []) {
      const base = baseOf(name, folderOf(at), files)
      const isNew = base !== undefined && !seen.includes(base) && seen.length < longestChain
      if (isNew) bases.push(await follow(base, [...seen, base]))
    }
    return Object.assign({}, ...bases, ownSettings(config, folderOf(at), leaf))
  }
  return follow(path, [path])
}

function ownSettings(
  { compilerOptions = {} }: z.infer<typeof ConfigFile>,
  folder: string,
  leaf: string,
): CompilerSettings {
  const place = (text: string) =>
    text.startsWith('${configDir}') ? joined(leaf, text.slice('${configDir}'.length)) : joined(folder, text)
  const named = (key: 'baseUrl' | 'outDir' | 'rootDir') => {
    const value = compilerOptions[key]
    const found = value === undefined || value.startsWith('/') ? undefined : place(value)
    return found === undefined ? {} : { [key]: found }
  }
  const { paths, baseUrl } = compilerOptions
  const base = baseUrl === undefined ? '.' : baseUrl
  const mapped = Object.entries(paths ?? {}).map(([pattern, places]) => ({
    pattern,
    places: places.flatMap((it) => place(it.startsWith('${configDir}') ? it : `${base}/${it}`) ?? []),
  }))
  return {
    ...named('baseUrl'),
    ...named('outDir'),
    ...named('rootDir'),
    ...(paths === undefined ? {} : { paths: mapped }),
  }
}

/** The file that `extends` names: beside this one, or in a package that lies in the project. */
function baseOf(name: string, folder: string, files: ProjectFiles): string | undefined {
  const places = /^\.{1,2}(\/|$)/.test(name)
    ? [joined(folder, name)]
    : ancestors(folder).map((it) => joined(inFolder(it, 'node_modules'), name))
  const named = places.flatMap((it) => (it === undefined ? [] : [it, `${it}.json`, `${it}/tsconfig.json`]))
  return named.map((it) => files.file(it)).find((it) => it !== undefined)
}

/** The settings for a file: those of the nearest folder that has any, `tsconfig.json` before the others there. */
export class Configs {
  readonly #byFolder = new Map<string, readonly CompilerSettings[]>()

  constructor(all: Iterable<readonly [path: string, settings: CompilerSettings]>) {
    const sorted = [...all].toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    for (const [path, settings] of sorted) {
      const folder = folderOf(path)
      this.#byFolder.set(folder, [...(this.#byFolder.get(folder) ?? []), settings])
    }
  }

  of(path: string): readonly CompilerSettings[] {
    const folder = ancestors(folderOf(path)).find((it) => this.#byFolder.has(it))
    return folder === undefined ? [] : (this.#byFolder.get(folder) ?? [])
  }
}

function rank(path: string): number {
  if (/(^|\/)tsconfig\.json$/.test(path)) return 0
  return /(^|\/)jsconfig\.json$/.test(path) ? 1 : 2
}
