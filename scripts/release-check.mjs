// `pnpm release:check`: the whole way of a release, in a copy of the repository and with a registry on this machine:
// versions, build, publishing, then installing what was published as a stranger would. Nothing here is changed, and
// nothing leaves the machine; what others have published comes from the usual registry.
//
// HOST_NODE is the Node that the installed packages are tried with: the oldest one at hand.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const hostNode = process.env.HOST_NODE || process.execPath
const scratch = mkdtempSync(join(tmpdir(), 'loader-release-'))
const copy = join(scratch, 'copy')
const npmrc = join(scratch, 'npmrc')
const failures = []

/** What was published, by name: the document that clients get, and the tarballs by file name. */
const published = new Map()
const upstream = run('npm', ['config', 'get', 'registry'], { cwd: scratch }).stdout.trim().replace(/\/$/, '')
const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    response.writeHead(500).end(JSON.stringify({ error: String(error) }))
  })
})
await new Promise((done) => server.listen(0, '127.0.0.1', done))
const registry = `http://127.0.0.1:${server.address().port}`

try {
  await step('a copy of the repository', makeCopy)
  await step('versions', makeVersions)
  await step('build', build)
  await step('publish', publish)
  await step('install the command', installCommand)
  await step('install every package', installPackages)
} finally {
  server.close()
  rmSync(scratch, { recursive: true, force: true })
}
for (const failure of failures) console.log(`FAILED ${failure}`)
console.log(failures.length === 0 ? 'release check: ok' : `release check: ${failures.length} problems`)
process.exitCode = failures.length === 0 ? 0 : 1

async function step(name, work) {
  if (failures.length > 0) return console.log(`${name}: left out`)
  const start = performance.now()
  await work()
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
}

/** What a registry has to do for this: take a package, give its document, give its tarballs, pass on the rest. */
async function answer(request, response) {
  const path = decodeURIComponent(new URL(request.url, registry).pathname).slice(1)
  const send = (status, body, type = 'application/json') => {
    response.writeHead(status, { 'content-type': type }).end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
  }
  if (path === '-/whoami') return send(200, { username: 'nobody' })
  if (request.method === 'PUT') return send(...take(path, JSON.parse(await textOf(request))))
  const [, name, file] = /^(@loader\/[^/]+)(?:\/-\/(.+))?$/.exec(path) ?? []
  if (name === undefined) return passOn(request, response)
  const found = published.get(name)
  if (found === undefined) return send(404, { error: 'not found' })
  if (file === undefined) return send(200, found.document)
  const tarball = found.tarballs.get(file)
  return tarball ? send(200, tarball, 'application/octet-stream') : send(404, { error: 'not found' })
}

function take(path, { name, versions, 'dist-tags': tags, _attachments: attachments }) {
  if (!name.startsWith('@loader/') || path !== name) return [403, { error: `this registry does not take ${path}` }]
  const found = published.get(name) ?? { document: { name, versions: {}, 'dist-tags': {} }, tarballs: new Map() }
  for (const [version, manifest] of Object.entries(versions)) {
    if (found.document.versions[version]) return [409, { error: `${name} ${version} is there already` }]
    const [attachment] = Object.values(attachments)
    const bytes = Buffer.from(attachment.data, 'base64')
    const file = `${name.split('/')[1]}-${version}.tgz`
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    if (manifest.dist.integrity !== integrity) return [400, { error: 'the tarball is not the one that was announced' }]
    found.tarballs.set(file, bytes)
    found.document.versions[version] = { ...manifest, dist: { integrity, tarball: `${registry}/${name}/-/${file}` } }
  }
  Object.assign(found.document['dist-tags'], tags)
  published.set(name, found)
  return [201, { ok: true }]
}

async function passOn(request, response) {
  const headers = { accept: request.headers.accept ?? '*/*' }
  const got = await fetch(`${upstream}${request.url}`, { method: request.method, headers })
  response.writeHead(got.status, { 'content-type': got.headers.get('content-type') ?? 'application/json' })
  response.end(Buffer.from(await got.arrayBuffer()))
}

async function textOf(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** What git knows or would know, in a repository of its own: publishing sets tags. */
function makeCopy() {
  const { stdout } = run('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  for (const file of stdout.split('\0').filter((one) => one !== '' && existsSync(join(root, one)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  writeFileSync(npmrc, `registry=${registry}/\n${registry.slice('http:'.length)}/:_authToken=nobody\n`)
  const git = (...words) => demand('git', ['-c', 'user.name=check', '-c', 'user.email=check@localhost', ...words])
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Copy')
  demand('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'])
}

/** Every package gets the same next version, and says what has changed. */
function makeVersions() {
  const before = packages().map(({ version }) => version)
  demand('pnpm', ['exec', 'changeset', 'version'])
  const now = packages()
  const [first] = now
  for (const [index, { name, version, folder }] of now.entries()) {
    if (version !== first.version) failures.push(`${name} is ${version}, ${first.name} ${first.version}`)
    if (hadChangesets() && version === before[index]) failures.push(`${name} stays at ${version}`)
    if (hadChangesets() && !existsSync(join(folder, 'CHANGELOG.md'))) failures.push(`${name} has no CHANGELOG.md`)
  }
  const left = readdirSync(join(copy, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md')
  if (left.length > 0) failures.push(`changesets are left: ${left.join(', ')}`)
  console.log(`  ${before[0]} to ${first.version}, ${now.length} packages`)
}

function hadChangesets() {
  return readdirSync(join(root, '.changeset')).some((name) => name.endsWith('.md') && name !== 'README.md')
}

async function build() {
  await demandMeanwhile('pnpm', ['run', 'build'])
}

async function publish() {
  await demandMeanwhile('pnpm', ['exec', 'changeset', 'publish'])
  for (const { name, version } of packages()) {
    const manifest = published.get(name)?.document.versions[version]
    if (manifest === undefined) failures.push(`${name} ${version} was not published`)
    const ranges = Object.entries({ ...manifest?.dependencies, ...manifest?.peerDependencies })
    for (const [dependency, range] of ranges) {
      if (/^(workspace|catalog|file|link):/.test(range)) failures.push(`${name} needs ${dependency} as ${range}`)
    }
  }
  console.log(`  ${[...published.keys()].join(', ')}`)
}

async function installCommand() {
  const prefix = join(scratch, 'global')
  await demandMeanwhile('npm', ['install', '--global', '--prefix', prefix, '@loader/cli'], { cwd: scratch })
  const command = join(prefix, 'lib', 'node_modules', '@loader', 'cli', 'dist', 'loader.js')
  const { version } = packages().find(({ name }) => name === '@loader/cli')
  const said = run(hostNode, [command, '--version'], { cwd: scratch }).stdout.trim()
  if (said !== version) failures.push(`loader --version says ${said}, not ${version}`)
  for (const words of [
    ['--help'],
    ['help', 'sessions'],
    ['sessions'],
    ['config'],
    ['permissions', 'explain', 'git push'],
  ]) {
    const { status, output } = run(hostNode, [command, ...words], { cwd: scratch })
    if (status !== 0) failures.push(`loader ${words.join(' ')}: ${output}`)
  }
}

async function installPackages() {
  const project = join(scratch, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'stranger', private: true, type: 'module' }))
  const names = packages().map(({ name, version }) => `${name}@${version}`)
  await demandMeanwhile('npm', ['install', ...names], { cwd: project })
  for (const { name, exports = {} } of packages()) {
    if (hadChangesets() && !existsSync(join(project, 'node_modules', name, 'CHANGELOG.md')))
      failures.push(`${name} is published without its CHANGELOG.md`)
    for (const path of Object.keys(exports).filter((one) => !/\.json$|\/bin\/|\/vitest$/.test(one))) {
      const entry = path.replace(/^\./, name)
      const { status, output } = run(hostNode, ['--input-type=module', '-e', `await import('${entry}')`], {
        cwd: project,
      })
      if (status !== 0) failures.push(`${entry} does not load: ${output}`)
    }
  }
}

function packages() {
  return ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(copy, group))
      .map((name) => join(copy, group, name))
      .filter((folder) => existsSync(join(folder, 'package.json')))
      .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
      .filter((manifest) => !manifest.private),
  )
}

/** Without the user's own settings of npm, and without a home that anything could be found in. */
function environment() {
  const { npm_config_registry: _registry, ...rest } = process.env
  return {
    ...rest,
    HOME: join(scratch, 'home'),
    npm_config_userconfig: npmrc,
    npm_config_update_notifier: 'false',
    CI: 'true',
  }
}

function run(command, words, { cwd = copy } = {}) {
  const result = spawnSync(command, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const output = [result.stdout, result.stderr, result.error?.message].filter(Boolean).join('\n').trim()
  return { status: result.status, stdout: result.stdout ?? '', output }
}

function demand(command, words, options) {
  const { status, output } = run(command, words, options)
  if (status !== 0) failures.push(`${command} ${words.join(' ')}: ${output}`)
}

/** The same, while the registry in this process goes on answering. */
function demandMeanwhile(command, words, { cwd = copy } = {}) {
  return new Promise((done) => {
    const child = spawn(command, words, { cwd, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => chunks.push(Buffer.from(error.message)))
    child.on('close', (status) => {
      if (status !== 0) failures.push(`${command} ${words.join(' ')}: ${Buffer.concat(chunks).toString('utf8').trim()}`)
      done(undefined)
    })
  })
}
