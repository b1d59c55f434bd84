import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, resolve } from 'node:path'
import { build, defineConfig, type Options } from 'tsup'

type Manifest = { exports: Record<string, { '@loader/source'?: string } | undefined> }
type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * Modules of Node are loaded when something of them is used, and nothing else of them: an `import` makes Node look at
 * every name of a module, and loads what some of these names stand for, which takes a third of a short command's time.
 */
const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(build) {
    const namespace = 'builtin'
    build.onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path, kind }) => {
      if (!isBuiltin(path) || (kind !== 'import-statement' && kind !== 'require-call')) return undefined
      return { path: path.replace(/^(node:)?/, 'node:'), namespace, sideEffects: false }
    })
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => /^[A-Za-z]\w*$/.test(name))
      // Whatever imports this gets an object with the same prototype, so that there is nothing to copy.
      const contents =
        `let loaded; const names = {}; module.exports = Object.create(names);` +
        `for (const name of ${JSON.stringify(names.join(' '))}.split(' '))` +
        `Object.defineProperty(names, name, { get: () => (loaded ??= process.getBuiltinModule(${JSON.stringify(path)}))[name] })`
      return { contents }
    })
  },
}

/**
 * Libraries of providers import zod as one object, which keeps all of it in a bundle, every language included. They get
 * a copy of their own, so that what every command loads stays small; it is loaded with them, and without languages.
 */
const zodOfProviders: Plugin = {
  name: 'zod-of-providers',
  setup(build) {
    const namespace = 'zod-of-providers'
    const own = (path: string) => ({ path, namespace, sideEffects: false })
    build.onResolve({ filter: /^zod(\/|$)/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === namespace || !/[/\\]@ai-sdk[/\\]/.test(importer)) return undefined
      const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: namespace })
      return found.errors.length > 0 ? found : own(found.path)
    })
    build.onResolve({ filter: /^\./, namespace }, ({ path, importer }) => own(resolve(dirname(importer), path)))
    build.onLoad({ filter: /[/\\]locales[/\\]index\.js$/, namespace }, () => ({ contents: 'export {}' }))
    build.onLoad({ filter: /.*/, namespace }, async ({ path }) => ({ contents: await readFile(path, 'utf8') }))
  },
}

/**
 * Libraries of providers make headers of requests, and ask whether something is such headers. That of the platform
 * comes with all of its `fetch`, which takes a tenth of the time up to the first request; they get ours.
 */
const headersOfProviders: Plugin = {
  name: 'headers-of-providers',
  setup(build) {
    const ours = resolve(import.meta.dirname, '../../packages/backends/src/http/plain-headers.ts')
    build.onLoad({ filter: /[/\\]@ai-sdk[/\\]provider-utils[/\\]dist[/\\]index\.js$/ }, async ({ path }) => ({
      contents: `import { PlainHeaders as Headers } from ${JSON.stringify(ours)}\n${await readFile(path, 'utf8')}`,
    }))
  },
}

/**
 * A name of one of our packages is imported from the file that has it. Otherwise whoever needs one name loads the whole
 * package: a bundle is split by files, and the index of a package leads to all of them.
 */
const namesFromTheirFiles: Plugin = {
  name: 'names-from-their-files',
  setup(build) {
    build.onLoad({ filter: /[/\\](packages|apps)[/\\][^/\\]+[/\\]src[/\\].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const contents = text.replaceAll(/^import \{([^}]*)\} from '@loader\/([\w/-]+)'$/gm, (whole, names, path) => {
        const files = filesOf(path)
        const wanted = namesIn(names)
        if (!wanted.every((one) => files.has(one))) return whole
        return wanted.map((one) => `import { ${one} } from '${files.get(one)}'`).join(';')
      })
      return { contents, loader: 'ts' }
    })
  },
}

const filesByPath = new Map<string, ReadonlyMap<string, string>>()

/** Which file has which public name of a package, or of a subpath of one: its index lists them one by one. */
function filesOf(path: string): ReadonlyMap<string, string> {
  const known = filesByPath.get(path)
  if (known !== undefined) return known
  const index = sourceOf(path)
  const lists = readFileSync(index, 'utf8').matchAll(/^export \{([^}]*)\} from '([^']+)'$/gm)
  const files = new Map(
    [...lists].flatMap(([, names = '', file = '']) =>
      namesIn(names).map((one) => [one, resolve(dirname(index), file)] as const),
    ),
  )
  filesByPath.set(path, files)
  return files
}

/** The file that `exports` names as the source of `session-core` or `session-core/coding`. */
function sourceOf(path: string): string {
  const [name = '', ...subpath] = path.split('/')
  const folder = resolve(import.meta.dirname, '../../packages', name)
  const { exports } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')) as Manifest
  const source = exports[['.', ...subpath].join('/')]?.['@loader/source']
  if (source === undefined) throw new Error(`@loader/${path} is no entry of ${folder}: see its exports.`)
  return resolve(folder, source)
}

/** The names of values in a list of names. */
function namesIn(list: string): string[] {
  const names = list.split(',').map((one) => one.trim())
  return names.filter((one) => one !== '' && !one.startsWith('type '))
}

/** The command lies beside what starts it. */
const mainBeside: Plugin = {
  name: 'main-beside',
  setup(building) {
    building.onResolve({ filter: /^\.\/main\.ts$/ }, () => ({ path: './main.js', external: true }))
  },
}

// The command is one bundle: starting it must not walk through node_modules. What a command does not always need is
// imported where it is used and becomes a chunk of its own.
export default defineConfig(({ outDir = 'dist' }) => {
  const options: Options = {
    format: ['esm'],
    outDir,
    noExternal: [/.*/],
    dts: false,
    sourcemap: false,
    minify: true,
    target: 'node20.19',
    platform: 'node',
    removeNodeProtocol: false,
    // Made of the sources of the packages, so that it never holds an outdated build of one of them.
    esbuildOptions(esbuild) {
      esbuild.conditions = ['@loader/source', 'module']
    },
  }
  const plugins = [lazyBuiltins, namesFromTheirFiles, zodOfProviders, headersOfProviders]
  return {
    ...options,
    entry: { main: 'src/main.ts' },
    splitting: true,
    clean: true,
    esbuildPlugins: plugins,
    // What is started shares no chunk with the command: it is one small file.
    async onSuccess() {
      const entry = { loader: 'src/loader.ts' }
      await build({
        ...options,
        config: false,
        silent: true,
        entry,
        splitting: false,
        esbuildPlugins: [mainBeside, ...plugins],
      })
    },
  }
})
