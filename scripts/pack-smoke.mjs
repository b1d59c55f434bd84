// Packs every public package, installs the tarballs outside the workspace as a stranger would, and uses them there:
// import, require, JSON files, commands, and the declarations as several kinds of TypeScript project see them.
//
// HOST_NODE is the Node that consumers are tried with: the oldest one at hand, not the one the project is built with.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { otherNode } from './other-node.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const hostNode = process.env.HOST_NODE || process.execPath
const windows = process.platform === 'win32'

/** For commands that need a newer Node than the libraries. */
const newerNodes = ['22.19.0', '24.9.0', '26.10.0']
const oldNode = '14.21.3'

// What strangers' projects look like. In the bare ones nothing but the language is known: no Node, no DOM, no disposables.
const es2022 = { target: 'es2022', lib: ['ES2022'], types: [], strict: true, skipLibCheck: false, noEmit: true }
const node = { types: ['node'], typeRoots: [join(root, 'node_modules', '@types')] }
const consumers = [
  { name: 'nodenext-bare', file: 'consumer.mts', options: { ...es2022, module: 'nodenext' } },
  { name: 'commonjs-bare', file: 'consumer.cts', options: { ...es2022, module: 'nodenext' } },
  { name: 'preserve-bare', file: 'consumer.ts', options: { ...es2022, module: 'preserve' } },
  { name: 'nodenext-node', file: 'consumer.mts', options: { ...es2022, ...node, module: 'nodenext' } },
  {
    name: 'bundler-dom',
    file: 'consumer.ts',
    options: { ...es2022, lib: ['ES2022', 'DOM'], module: 'esnext', moduleResolution: 'bundler' },
  },
]

const failures = []
const fail = (who, what) => failures.push(`${who}: ${what}`)

const scratch = mkdtempSync(join(tmpdir(), 'loader-pack-'))
try {
  const packages = publicPackages()
  if (packages.length === 0) fail('packages/*', 'no public package found')
  for (const one of packages) pack(one)
  const packed = packages.filter((one) => one.tarball)
  if (packed.length > 0 && install(packed)) {
    for (const one of packed) inspect(one)
    load(packed)
    typecheck(packed)
    for (const one of packed) runCommands(one)
  }
  for (const one of packed) {
    const parts = [`entries ${one.scripts.length}`, `names ${one.names ?? 0}`, `JSON files ${one.json.length}`]
    console.log(
      `${one.name} ${one.version}: ${parts.join(', ')}, ${Math.ceil(statSync(one.tarball).size / 1024)} kB packed`,
    )
    for (const note of one.notes) console.log(`  ${note}`)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
for (const failure of failures) console.log(`FAILED ${failure}`)
console.log(failures.length === 0 ? 'pack smoke: ok' : `pack smoke: ${failures.length} problems`)
process.exitCode = failures.length === 0 ? 0 : 1

function publicPackages() {
  const found = []
  for (const group of ['packages', 'apps']) {
    if (!existsSync(join(root, group))) continue
    for (const name of readdirSync(join(root, group))) {
      const folder = join(root, group, name)
      if (!existsSync(join(folder, 'package.json'))) continue
      const manifest = readJson(join(folder, 'package.json'))
      if (manifest.private) continue
      const { name: id, version } = manifest
      found.push({ name: id, version, folder, scripts: strings(), json: strings(), notes: strings() })
    }
  }
  return found
}

/** @returns {string[]} */
function strings() {
  return []
}

function pack(one) {
  if (!existsSync(join(one.folder, 'dist'))) return fail(one.name, 'has no dist: build first')
  const into = join(scratch, 'tarballs', basename(one.folder))
  mkdirSync(into, { recursive: true })
  const result = run('pnpm', ['pack', '--pack-destination', into], one.folder)
  const tarball = readdirSync(into).find((name) => name.endsWith('.tgz'))
  if (result.status !== 0 || !tarball) return fail(one.name, `pnpm pack failed\n${result.output}`)
  one.tarball = join(into, tarball)
}

function install(packed) {
  // The overrides make a package's own @loader dependencies come from these tarballs as well.
  const dependencies = Object.fromEntries(packed.map((one) => [one.name, `file:${one.tarball}`]))
  const overrides = Object.fromEntries(packed.map((one) => [one.name, `$${one.name}`]))
  writeJson('package.json', { name: 'consumer', private: true, type: 'module', dependencies, overrides })
  const flags = [
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--ignore-scripts',
    '--prefer-offline',
    '--loglevel=error',
  ]
  const result = run('npm', ['install', ...flags], scratch)
  if (result.status !== 0) fail('npm install', `failed\n${result.output}`)
  return result.status === 0
}

/** What lies in the tarball, and which subpaths its `exports` offer. */
function inspect(one) {
  one.installed = join(scratch, 'node_modules', one.name)
  const files = readdirSync(one.installed, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.startsWith('node_modules/') && statSync(join(one.installed, file)).isFile())
  const text = readFileSync(join(one.installed, 'package.json'), 'utf8')
  one.manifest = JSON.parse(text)
  for (const word of ['workspace:', 'catalog:'])
    if (text.includes(word)) fail(one.name, `packed manifest contains "${word}"`)
  if (JSON.stringify(one.manifest.exports ?? {}).includes('@loader/source'))
    fail(one.name, 'packed exports contain the source condition: see publishConfig.exports')
  for (const file of ['README.md', 'LICENSE']) if (!files.includes(file)) fail(one.name, `packed without ${file}`)
  for (const file of files)
    if (/(^|\/)(test|tests|bench)\/|\.(test|test-d|bench)\./.test(file))
      fail(one.name, `packed with a test file: ${file}`)
  for (const file of files.filter((name) => name.endsWith('.map')))
    for (const source of readJson(join(one.installed, file)).sources)
      if (!existsSync(join(one.installed, dirname(file), source)))
        fail(one.name, `${file} names ${source}, which is not packed (if it is gone, remove dist and build)`)

  for (const [subpath, target] of Object.entries(exportsOf(one.manifest))) {
    for (const file of targetsOf(target))
      if (!matching(file, files).length) fail(one.name, `exports ${subpath}: no ${file}`)
    const main = typeof target === 'string' ? target : (target.default ?? target.import)
    if (typeof main !== 'string' || subpath === './package.json') continue
    for (const middle of matching(main, files)) {
      const path = join(one.name, subpath.replace('*', middle)).replaceAll('\\', '/')
      if (main.endsWith('.json')) parseJson(one, path, main.replace('*', middle))
      else one.scripts.push(path)
    }
  }
  if (one.scripts.length > 0 && !files.some((file) => /^dist\/.*\.d\.ts$/.test(file)))
    fail(one.name, 'packed without dist/*.d.ts')
}

function parseJson(one, path, file) {
  try {
    readJson(join(one.installed, file))
    one.json.push(path)
  } catch (error) {
    fail(one.name, `${path} is not JSON: ${error.message}`)
  }
}

/** Each subpath by import and by require, in the host's Node: the same module, the same names. */
function load(packed) {
  const probe = join(scratch, 'probe.mjs')
  writeFileSync(
    probe,
    `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const found = {}
for (const path of JSON.parse(process.argv[2])) {
  const entry = (found[path] = {})
  try {
    const imported = await import(path)
    entry.imported = Object.keys(imported).sort()
    const required = require(path)
    entry.required = Object.keys(required).sort()
    entry.twice = entry.imported.filter((name) => imported[name] !== required[name])
  } catch (error) {
    entry.error = String(error?.stack ?? error)
  }
}
console.log('\\n' + JSON.stringify(found))
process.exit()
`,
  )
  const all = packed.flatMap((one) => one.scripts)
  const result = run(hostNode, [probe, JSON.stringify(all)], scratch)
  const last = result.stdout.trim().split('\n').at(-1) ?? ''
  if (result.status !== 0 || !last.startsWith('{')) return fail('import and require', `failed\n${result.output}`)
  const found = JSON.parse(last)
  for (const one of packed) {
    one.names = 0
    const tried = one.scripts
    one.scripts = []
    for (const path of tried) {
      const { imported = [], required = [], twice = [], error } = found[path]
      const peer = error && missingPeer(one, error)
      if (peer) one.notes.push(`${path} not tried: it needs the optional peer ${peer}`)
      else one.scripts.push(path)
      if (error && !peer) fail(path, `does not load\n${error}`)
      else if (imported.join() !== required.join())
        fail(path, `import gives [${imported.join(', ')}], require gives [${required.join(', ')}]`)
      else if (twice.length > 0) fail(path, `import and require give different things for ${twice.join(', ')}`)
      one.names += imported.length
    }
  }
}

function missingPeer(one, error) {
  const peers = Object.entries(one.manifest.peerDependenciesMeta ?? {}).filter(([, meta]) => meta.optional)
  return peers.map(([name]) => name).find((name) => error.includes(`Cannot find package '${name}'`))
}

/** The declarations, libraries' own included (skipLibCheck is off), with the workspace's TypeScript. */
function typecheck(packed) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const paths = packed.flatMap((one) => one.scripts)
  const body = paths.map((path, i) => `import * as m${i} from '${path}'\nexport type M${i} = typeof m${i}\n`).join('')
  for (const { name, file, options } of consumers) {
    mkdirSync(join(scratch, name))
    writeFileSync(join(scratch, name, file), body)
    writeJson(join(name, 'tsconfig.json'), { compilerOptions: options, files: [file] })
    const result = run(process.execPath, [tsc, '-p', name, '--pretty', 'false'], scratch)
    if (result.status === 0) continue
    const errors = result.output.split('\n').filter((line) => line.includes(': error TS'))
    const ours = name.endsWith('-bare') ? errors.filter((line) => !isForeign(line)) : errors
    if (errors.length === 0 || ours.length > 0) fail(`types, ${name}`, `\n${ours.join('\n') || result.output}`)
  }
}

/** zod's own declarations expect DOM or Node to define URL: in a bare project that is zod's affair, not ours. */
function isForeign(line) {
  return line.startsWith('node_modules/') && !line.startsWith('node_modules/@loader/')
}

function runCommands(one) {
  const { bin = {}, engines } = one.manifest
  for (const [name, file] of Object.entries(typeof bin === 'string' ? { [basename(one.name)]: bin } : bin)) {
    const command = join(one.installed, file)
    const nodes = engines.node === '>=22.19' ? newerNodes.map(otherNode) : [hostNode]
    for (const node of nodes) {
      const result = run(node, [command, '--version'], scratch)
      if (result.status !== 0) fail(`${name} --version`, `failed in ${node}\n${result.output}`)
      else if (!result.stdout.includes(one.version))
        fail(`${name} --version`, `prints ${result.stdout.trim()}, not ${one.version}`)
      else one.notes.push(`${name} --version prints ${result.stdout.trim()}`)
    }
    if (nodes[0] !== hostNode) runEverywhere(name, command, one)
  }
}

/** The demo on the oldest Node that is enough, on the one in wide use and on the newest; an old one is told of. */
function runEverywhere(name, command, one) {
  for (const version of newerNodes) {
    const demo = run(otherNode(version), [command, 'demo', '--fast'], scratch)
    if (demo.status !== 0) fail(`${name} demo on Node ${version}`, demo.output)
    else one.notes.push(`${name} demo works on Node ${version}`)
  }
  const old = run(otherNode(oldNode), [command, 'demo'], scratch)
  if (old.status === 2 && /^loader: .* needs Node 22\.19 or newer\..*$/.test(old.output)) one.notes.push(old.output)
  else fail(`${name} on Node ${oldNode}`, `ended with ${old.status}\n${old.output}`)
}

function exportsOf({ exports }) {
  if (exports === undefined) return {}
  const isMap = typeof exports === 'object' && Object.keys(exports).every((key) => key.startsWith('.'))
  return isMap ? exports : { '.': exports }
}

function targetsOf(target) {
  if (typeof target === 'string') return [target]
  return target === null ? [] : Object.values(target).flatMap(targetsOf)
}

/** What `*` stands for in each file that fits the pattern; one empty string for a plain file that exists. */
function matching(pattern, files) {
  const [before, after] = pattern.replace(/^\.\//, '').split('*')
  if (after === undefined) return files.includes(before) ? [''] : []
  return files
    .filter((file) => file.startsWith(before) && file.endsWith(after) && file.length >= before.length + after.length)
    .map((file) => file.slice(before.length, file.length - after.length))
}

function run(command, args, cwd) {
  const result = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
    // npm and pnpm are command files on Windows, which need a shell.
    shell: windows && (command === 'npm' || command === 'pnpm'),
  })
  const output = [result.stdout, result.stderr, result.error?.message].filter(Boolean).join('\n').trim()
  return { status: result.status, stdout: result.stdout ?? '', output }
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function writeJson(file, value) {
  writeFileSync(join(scratch, file), JSON.stringify(value, null, 2))
}
