import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, resolve } from 'node:path'
import { build, defineConfig, type Options } from 'tsup'
// @boundaries-ignore a script of the build: no package exports it
import { withoutMeanings } from '../../packages/session-core/scripts/without-meanings.ts'
import { joinChunks } from './scripts/join-chunks.ts'
import { topics } from './src/arguments/topics.ts'

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
 * Libraries of providers import zod as one object, which keeps all of it in a bundle, every language included. As names
 * of a module it keeps what they use, and they share that with the command.
 */
const zodInParts: Plugin = {
  name: 'zod-in-parts',
  setup(build) {
    build.onLoad({ filter: /[/\\]@ai-sdk[/\\][\w-]+[/\\]dist[/\\]index\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      return { contents: text.replace(/^import \{ z \} from "zod\/v4";$/m, 'import * as z from "zod/v4";') }
    })
  },
}

/**
 * What reads a JSON schema needs all of zod. It gets a copy of its own, so that what every command loads stays small; it
 * is loaded with that, and without languages.
 */
const wholeZod: Plugin = {
  name: 'whole-zod',
  setup(build) {
    const namespace = 'whole-zod'
    const own = (path: string) => ({ path, namespace, sideEffects: false })
    build.onResolve({ filter: /^zod(\/|$)/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === namespace || !/[/\\]answer-schema\.ts$/.test(importer)) return undefined
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
 * package: a bundle is split by files, and the index of a package leads to all of them. What fields mean is left out.
 */
const namesFromTheirFiles: Plugin = {
  name: 'names-from-their-files',
  setup(build) {
    build.onLoad({ filter: /[/\\](packages|apps)[/\\][^/\\]+[/\\]src[/\\].*\.ts$/ }, async ({ path }) => {
      const text = withoutMeanings(await readFile(path, 'utf8'))
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
  const folder = [`../../packages/${name}`, `../${name}`]
    .map((one) => resolve(import.meta.dirname, one))
    .find((one) => existsSync(one))
  if (folder === undefined) throw new Error(`There is no package @loader/${name}.`)
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

/** The client of MCP comes with what reads schemas of results, and is given another one. */
const noSchemasOfResults: Plugin = {
  name: 'no-schemas-of-results',
  setup(build) {
    build.onLoad({ filter: /[/\\]@modelcontextprotocol[/\\]client[/\\]dist[/\\]shimsNode\.mjs$/ }, () => ({
      contents: 'export const CORS_IS_POSSIBLE = false; export class DefaultJsonSchemaValidator {}',
    }))
  },
}

/** Of the library that draws the conversation, what is used: its index leads to all of it. */
const drawingInParts: Plugin = {
  name: 'drawing-in-parts',
  setup(build) {
    const namespace = 'drawing-in-parts'
    build.onResolve({ filter: /./ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      const isOf = path === drawing || (path.startsWith('.') && importer.includes(`/${drawing}/`))
      if (!isOf || pluginData === namespace) return undefined
      const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: namespace })
      return found.errors.length > 0 ? found : { path: found.path, sideEffects: false }
    })
  },
}

const drawing = '@earendil-works/pi-tui'

/** What others wrote and the bundle holds, with the terms under which it may be passed on. */
const notices: Plugin = {
  name: 'notices',
  setup(build) {
    build.initialOptions.metafile = true
    build.onEnd(({ metafile }) => {
      const folders = new Set(Object.keys(metafile?.inputs ?? {}).flatMap((file) => packageFolderOf(file) ?? []))
      const into = resolve(import.meta.dirname, build.initialOptions.outdir ?? 'dist')
      const texts = [...folders, ...buildPage(resolve(into, 'web'))].map(noticeOf).toSorted()
      mkdirSync(into, { recursive: true })
      writeFileSync(resolve(into, 'THIRD-PARTY-NOTICES.txt'), [...new Set(texts)].join(`\n${'-'.repeat(80)}\n\n`))
    })
  },
}

/**
 * Builds the page that `loader web` serves beside the command, of its sources as well. Returns the folders of the packages
 * that are in it.
 */
function buildPage(into: string): readonly string[] {
  const app = resolve(import.meta.dirname, '../web')
  const words = ['build', '--outDir', into, '--emptyOutDir', '--logLevel', 'error']
  execFileSync(resolve(app, 'node_modules/.bin/vite'), words, { cwd: app, stdio: 'inherit' })
  const list = resolve(into, 'packages.json')
  const folders = JSON.parse(readFileSync(list, 'utf8')) as string[]
  rmSync(list)
  return folders
}

function packageFolderOf(file: string): string | undefined {
  const [, folder] = /^(?:[\w-]+:)?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(file) ?? []
  return folder === undefined ? undefined : resolve(import.meta.dirname, folder)
}

function noticeOf(folder: string, _index: number, all: readonly string[]): string {
  const { name, version, license, author } = publicationOf(folder)
  const by = typeof author === 'object' ? author.name : author
  // A package may name a license and lie beside others of the same people that hold its text.
  const kin = all.filter((one) => publicationOf(one).license === license && one.includes(`/${name.split('/')[0]}/`))
  const text =
    licenseIn(folder) ??
    (license === 'MIT' ? mit(by ?? `the authors of ${name}`) : kin.map(licenseIn).find((one) => one !== undefined))
  if (text === undefined) throw new Error(`${folder} holds no license: which is it under?`)
  return `${name} ${version} (${license})\n\n${text.trim()}\n`
}

function licenseIn(folder: string): string | undefined {
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  return file === undefined ? undefined : readFileSync(resolve(folder, file), 'utf8')
}

function publicationOf(folder: string): Publication {
  return JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')) as Publication
}

type Publication = { name: string; version: string; license: string; author?: string | { name: string } }

/** For a package that names the license without its text. */
function mit(owner: string): string {
  const ours = readFileSync(resolve(import.meta.dirname, '../../LICENSE'), 'utf8')
  return ours.replace(/^Copyright .*$/m, `Copyright (c) ${owner}`)
}

/**
 * What decodes images and reads PDF files lies beside the command, as it was published: it is large, and is loaded in a
 * thread of its own by the few runs that need it. See `optionalFile` in `@loader/tools`.
 */
function copyMedia(folder: string): void {
  const { resolve: resolved } = createRequire(import.meta.url)
  const [photon, unpdf] = [dirname(resolved('@silvia-odwyer/photon-node')), dirname(resolved('unpdf'))]
  mkdirSync(folder, { recursive: true })
  for (const name of ['photon_rs.js', 'photon_rs_bg.wasm']) copyFileSync(resolve(photon, name), resolve(folder, name))
  copyFileSync(resolve(photon, 'LICENSE.md'), resolve(folder, 'LICENSE-photon.md'))
  copyFileSync(resolve(unpdf, 'pdfjs.mjs'), resolve(folder, 'pdfjs.mjs'))
  copyFileSync(resolve(unpdf, '../LICENSE'), resolve(folder, 'LICENSE-unpdf'))
  writeFileSync(resolve(folder, 'package.json'), '{ "type": "commonjs" }\n')
}

/** The pages that `loader help` shows travel with the command, as they are written. */
function copyPages(outDir: string): void {
  const into = resolve(import.meta.dirname, outDir, 'pages')
  mkdirSync(into, { recursive: true })
  for (const topic of Object.keys(topics)) {
    copyFileSync(resolve(import.meta.dirname, '../../docs', `${topic}.md`), resolve(into, `${topic}.md`))
  }
}

/** The command lies beside what starts it. */
const mainBeside: Plugin = {
  name: 'main-beside',
  setup(building) {
    building.onResolve({ filter: /^\.\/main\.ts$/ }, () => ({ path: './main.js', external: true }))
  },
}

/**
 * These are not part of the command: they are large, or made for one kind of machine. Whoever needs one installs it
 * beside the command; without it the command says so.
 */
const installedBeside: Plugin = {
  name: 'installed-beside',
  setup(building) {
    const filter = /^(@ai-sdk\/(amazon-bedrock|google-vertex)|@napi-rs\/keyring)$/
    building.onResolve({ filter }, ({ path }) => ({ path, external: true }))
  },
}

/**
 * The ways through the command whose speed people notice: which of the modules that are imported where they are used each
 * of them imports. With each way there are more files; without it, it may load more than it needs.
 */
const ways = ((): Parameters<typeof joinChunks>[0]['ways'] => {
  const run = ['src/main.ts', 'src/commands/run.ts', 'src/run/backend-of.ts']
  const runWith = (provider: string) => [
    ...run,
    `../../packages/backends/src/providers/${provider}.ts`,
    new RegExp(`/@ai-sdk/${provider}/dist/index\\.js$`),
  ]
  return {
    start: ['src/main.ts'],
    sessions: ['src/main.ts', 'src/commands/sessions.ts'],
    show: ['src/main.ts', 'src/commands/of-sessions.ts'],
    timeline: ['src/main.ts', 'src/commands/of-decisions.ts'],
    itself: ['src/main.ts', 'src/commands/of-itself.ts'],
    agent: ['src/main.ts', 'src/commands/of-agent.ts'],
    mcp: ['src/main.ts', 'src/commands/of-mcp.ts'],
    background: ['src/main.ts', 'src/commands/of-background.ts'],
    ollama: [...run, '../../packages/backends/src/ollama/ollama.ts'],
    openaiCompatible: runWith('openai-compatible'),
    openai: runWith('openai'),
    anthropic: runWith('anthropic'),
    google: runWith('google'),
    mistral: runWith('mistral'),
    servers: [...run, 'src/mcp/of-run.ts'],
    conversation: [...run, 'src/interactive/run-interactive.ts'],
    terminal: [...run, 'src/interactive/run-interactive.ts', 'src/interactive/full-terminal.ts'],
  }
})()

/** Keeps of a build what joining its chunks needs. */
function kept(): { readonly plugin: Plugin; join(): Promise<void> } {
  let join = async () => {}
  const plugin: Plugin = {
    name: 'kept',
    setup(building) {
      building.onEnd(({ metafile }) => {
        const { outdir = 'dist', target, platform } = building.initialOptions
        const options = { target, platform, format: 'esm', minify: true } as const
        const folder = resolve(import.meta.dirname, outdir)
        if (metafile === undefined) return
        join = () => joinChunks({ folder, metafile, build: building.esbuild.build, options, ways })
      })
    },
  }
  return { plugin, join: () => join() }
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
    target: 'node22.19',
    platform: 'node',
    removeNodeProtocol: false,
    // Made of the sources of the packages, so that it never holds an outdated build of one of them.
    esbuildOptions(esbuild) {
      esbuild.conditions = ['@loader/source', 'module']
    },
  }
  const plugins = [
    lazyBuiltins,
    installedBeside,
    namesFromTheirFiles,
    wholeZod,
    // First: of what a library is made, the first plugin that knows it decides.
    headersOfProviders,
    zodInParts,
    noSchemasOfResults,
    drawingInParts,
  ]
  const made = kept()
  return {
    ...options,
    entry: { main: 'src/main.ts' },
    splitting: true,
    clean: true,
    esbuildPlugins: [...plugins, notices, made.plugin],
    // What is started shares no chunk with the command: it is one small file.
    async onSuccess() {
      copyPages(outDir)
      await made.join()
      const entry = { loader: 'src/loader.ts' }
      await build({
        ...options,
        // An old Node must get as far as to say that it is old.
        target: 'node12.20',
        config: false,
        silent: true,
        entry,
        splitting: false,
        esbuildPlugins: [mainBeside, ...plugins],
      })
      copyMedia(resolve(outDir, 'media'))
    },
  }
})
