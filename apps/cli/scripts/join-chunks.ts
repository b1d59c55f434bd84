import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Options as OfTsup } from 'tsup'

type Plugin = NonNullable<OfTsup['esbuildPlugins']>[number]
type PluginBuild = Parameters<Plugin['setup']>[0]
type Build = PluginBuild['esbuild']['build']
type Options = PluginBuild['initialOptions']
type Metafile = NonNullable<Awaited<ReturnType<Build>>['metafile']>

interface Bundle {
  /** Where its chunks lie, and nothing else that is written in JavaScript. */
  readonly folder: string
  readonly metafile: Metafile
  readonly build: Build
  /** Of the build that made the bundle. */
  readonly options: Options
  /** For each way through the program, the sources that it imports dynamically. */
  readonly ways: Readonly<Record<string, readonly (string | RegExp)[]>>
}

/**
 * Joins the chunks of a bundle that are loaded together into one file. A bundler makes a chunk of each set of dynamic
 * imports that share something, and for Node each of them is a search, two files to read and a module to link. Chunks that
 * the same ways through the program load become one file, so these ways load hardly anything that they did not load
 * before. A way that is missing or wrong costs time and changes nothing else.
 */
export async function joinChunks(bundle: Bundle): Promise<void> {
  const { folder, build, options } = bundle
  const chunks = chunksOf(bundle.metafile)
  const groups = groupsOf(chunks, bundle.ways)
  const groupOf = new Map([...groups].flatMap(([group, names]) => names.map((name) => [name, group] as const)))
  const alone = [...chunks.keys()].filter((name) => !groupOf.has(name))
  const { outputFiles } = await build({
    ...options,
    entryPoints: [
      ...[...groups.keys()].map((group) => ({ in: `${namespace}:${group}`, out: nameOf(group) })),
      ...alone.map((name) => ({ in: join(folder, name), out: nameOf(name) })),
    ],
    outdir: folder,
    bundle: true,
    splitting: false,
    write: false,
    plugins: [joining({ folder, chunks, groups, groupOf, wanted: wantedFrom(folder, chunks, groupOf) })],
  })
  for (const name of groupOf.keys()) rmSync(join(folder, name))
  for (const { path, contents } of outputFiles) writeFileSync(path, contents)
}

interface Chunk {
  readonly bytes: number
  readonly entryPoint: string | undefined
  readonly imports: readonly string[]
}

function chunksOf({ outputs }: Metafile): ReadonlyMap<string, Chunk> {
  return new Map(
    Object.entries(outputs).map(([path, { bytes, entryPoint, imports }]) => {
      const statically = imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true)
      return [basename(path), { bytes, entryPoint, imports: statically.map((each) => basename(each.path)) }]
    }),
  )
}

/** Names of chunks hold digests of what is in them. Of all of them, so that another version has other files. */
function digest(names: readonly string[]): string {
  return createHash('sha256').update(names.join()).digest('hex').slice(0, 8).toUpperCase()
}

interface Group {
  readonly ways: ReadonlySet<string>
  readonly names: readonly string[]
}

/** The chunks of each file, by its name. What awaits at its top stays alone: nothing may wait for it. */
function groupsOf(chunks: ReadonlyMap<string, Chunk>, ways: Bundle['ways']): ReadonlyMap<string, readonly string[]> {
  const waysOf = new Map<string, Set<string>>()
  for (const [way, sources] of Object.entries(ways)) {
    const entries = sources.flatMap((source) => entryNamed(source, chunks))
    for (const name of loadedBy(entries, chunks)) waysOf.set(name, new Set(waysOf.get(name)).add(way))
  }
  waysOf.delete('main.js')
  // The oldest Node on which the workspace is built has no `Map.groupBy`.
  const together = new Map<string, { readonly ways: ReadonlySet<string>; readonly names: string[] }>()
  for (const [name, each] of waysOf) {
    const same = [...each].join()
    const group = together.get(same) ?? { ways: each, names: [] }
    group.names.push(name)
    together.set(same, group)
  }
  const groups: readonly Group[] = [...together.values()]
  const files = withoutSmall(groups, chunks).filter(({ names }) => names.length > 1)
  return new Map(files.map(({ names }) => [`joined-${digest([...names, ...chunks.keys()])}.js`, names]))
}

/** Below this, a file costs more than what is in it. */
const smallBytes = 4_000

/**
 * Has small groups be part of one that more ways load. That must import all they import already: otherwise those ways would
 * load that too, and files would import each other in a circle.
 */
function withoutSmall(groups: readonly Group[], chunks: ReadonlyMap<string, Chunk>): readonly Group[] {
  const bytesOf = ({ names }: Group) => names.reduce((sum, name) => sum + (chunks.get(name)?.bytes ?? 0), 0)
  const importedBy = ({ names }: Group) => new Set(names.flatMap((name) => chunks.get(name)?.imports ?? []))
  for (const small of groups.filter((group) => bytesOf(group) < smallBytes)) {
    const needed = groups.filter((group) => group !== small && group.names.some((name) => importedBy(small).has(name)))
    const [larger] = groups
      .filter(({ ways }) => ways.size > small.ways.size && small.ways.isSubsetOf(ways))
      .filter(({ ways }) => needed.every((group) => ways.isSubsetOf(group.ways)))
      .toSorted((one, other) => one.ways.size - other.ways.size)
    if (larger === undefined) continue
    const joined = { ways: larger.ways, names: [...larger.names, ...small.names] }
    return withoutSmall([...groups.filter((group) => group !== small && group !== larger), joined], chunks)
  }
  return groups
}

function entryNamed(source: string | RegExp, chunks: ReadonlyMap<string, Chunk>): string[] {
  const isNamed = (path: string) => (typeof source === 'string' ? path === source : source.test(path))
  const found = [...chunks].flatMap(([name, { entryPoint = '' }]) => (isNamed(entryPoint) ? [name] : []))
  if (found.length === 0)
    throw new Error(`Nothing imports ${source} dynamically, so no way through the command begins there.`)
  return found
}

function loadedBy(entries: readonly string[], chunks: ReadonlyMap<string, Chunk>): ReadonlySet<string> {
  const found = new Set(entries)
  for (const name of found) for (const each of chunks.get(name)?.imports ?? []) found.add(each)
  return found
}

const namespace = 'joined'

interface Joining {
  readonly folder: string
  readonly chunks: ReadonlyMap<string, Chunk>
  readonly groups: ReadonlyMap<string, readonly string[]>
  readonly groupOf: ReadonlyMap<string, string>
  /** Of each chunk, the names that files of other groups import. */
  readonly wanted: ReadonlyMap<string, ReadonlySet<string>>
}

function wantedFrom(
  folder: string,
  chunks: ReadonlyMap<string, Chunk>,
  groupOf: ReadonlyMap<string, string>,
): Joining['wanted'] {
  const wanted = new Map([...chunks.keys()].map((name) => [name, new Set<string>()]))
  for (const importer of chunks.keys()) {
    const imports = readFileSync(join(folder, importer), 'utf8').matchAll(importOfChunk)
    for (const [, names = '', name = ''] of imports) {
      const group = groupOf.get(name)
      if (group === undefined || group === groupOf.get(importer)) continue
      for (const each of names.split(',')) wanted.get(name)?.add(each.trim().replace(/ as .*/s, ''))
    }
  }
  return wanted
}

/** As the bundler writes it. Where it wrote anything else, building ends with a name that is not found. */
const importOfChunk = /\bimport\s*\{([^}]*)\}\s*from\s*"\.\/([\w.-]+)"/g

/** Has each import of a chunk that was joined lead to the file of its group, where its names have a prefix. */
function joining({ folder, chunks, groups, groupOf, wanted }: Joining): Plugin {
  const prefixOf = (name: string) => `m${groups.get(groupOf.get(name) ?? '')?.indexOf(name)}`
  const groupOfImporter = (importer: string) => groupOf.get(basename(importer))
  return {
    name: 'join-chunks',
    setup(building) {
      building.onResolve({ filter: /^joined:/ }, ({ path }) => ({ path: path.slice(namespace.length + 1), namespace }))
      building.onResolve({ filter: /^\.\/[\w.-]+\.js$/ }, ({ path, importer, namespace: from }) => {
        const name = basename(path)
        const group = groupOf.get(name)
        if (group === undefined) return { path, external: true }
        if (from === namespace || groupOfImporter(importer) === group) return { path: join(folder, name) }
        return { path: name, namespace: 'moved', sideEffects: false }
      })
      building.onLoad({ filter: /./, namespace }, ({ path: group }) => {
        const lines = groups.get(group)?.map((name) => {
          const names = [...(wanted.get(name) ?? [])].map((each) => `${each} as ${prefixOf(name)}_${each}`)
          const isEntry = chunks.get(name)?.entryPoint !== undefined
          return [
            `export {${names.join()}} from './${name}'`,
            ...(isEntry ? [`export * as ${prefixOf(name)} from './${name}'`] : []),
          ].join('\n')
        })
        return { contents: lines?.join('\n'), resolveDir: folder }
      })
      building.onLoad({ filter: /./, namespace: 'moved' }, ({ path: name }) => {
        const names = [...(wanted.get(name) ?? [])].map((each) => `${prefixOf(name)}_${each} as ${each}`)
        return { contents: `export {${names.join()}} from '${outside}./${groupOf.get(name)}'` }
      })
      // What leads out of the group, and what is no part of the bundle.
      building.onResolve({ filter: /./ }, ({ path, kind }) =>
        kind === 'entry-point' ? undefined : { path: path.replace(outside, ''), external: true },
      )
      building.onLoad({ filter: /\.js$/, namespace: 'file' }, ({ path }) => {
        const own = groupOfImporter(path)
        const seen = new Set<string>()
        const contents = readFileSync(path, 'utf8')
          .replaceAll(/\bimport\("\.\/([\w.-]+\.js)"\)/g, (whole, name: string) => {
            const group = groupOf.get(name)
            if (group === undefined || group === own) return whole
            return `import("${outside}./${group}").then(all=>all.${prefixOf(name)})`
          })
          // Imported for the order only, and there are many of them.
          .replaceAll(/\bimport ?"\.\/([\w.-]+\.js)";/g, (whole, name: string) => {
            const group = groupOf.get(name)
            if (group === undefined || group === own) return whole
            if (seen.has(group)) return ''
            seen.add(group)
            return `import "${outside}./${group}";`
          })
        return { contents, loader: 'js' }
      })
    },
  }
}

const outside = 'outside:'

function nameOf(file: string): string {
  return basename(file, '.js')
}
