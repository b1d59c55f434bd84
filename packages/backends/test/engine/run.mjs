// `pnpm run engine`: speaks to llama.cpp itself through the backend for servers with OpenAI's interface. The engine is
// installed into a cache folder and is no dependency of anything here: with all its platforms it takes 725 MB.
//
// It proves the wire: template, tokeniser, streaming, abort, overflow. The model has random weights and no intelligence.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checks } from './checks.mjs'
import { serve } from './serve.mjs'
import { writeTinyModel } from './tiny-gguf.mjs'

const version = '3.22.1'
const contextSize = 1024

const folder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'loader', `engine-${version}`)
const engine = await installed()
const model = join(folder, 'noise.gguf')
writeTinyModel(model, { contextLength: contextSize })
const server = await serve(engine, model, contextSize)
let failed = 0
try {
  for (const [name, check] of Object.entries(checks)) {
    try {
      console.log(`ok    ${name}: ${await check(server)}`)
    } catch (error) {
      failed += 1
      console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
} finally {
  await server.close()
}
console.log(failed === 0 ? 'llama.cpp is spoken to as it wants to be.' : `${failed} checks failed.`)
process.exit(failed === 0 ? 0 : 1)

/** The engine from the cache folder, installed there first if need be: with the binary of this platform alone. */
async function installed() {
  const manifest = join(folder, 'package.json')
  const entry = () => createRequire(manifest).resolve('node-llama-cpp')
  if (!existsSync(join(folder, 'node_modules', 'node-llama-cpp'))) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(manifest, '{ "private": true }\n')
    const platform = `@node-llama-cpp/${binaries()}@${version}`
    console.log(`Installing node-llama-cpp ${version} into ${folder} …`)
    const options = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save']
    const npm = spawnSync('npm', ['install', ...options, `node-llama-cpp@${version}`, platform], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    })
    if (npm.status !== 0) throw new Error('The engine could not be installed; npm said why.')
  }
  return import(pathToFileURL(entry()).href)
}

function binaries() {
  const { platform, arch } = process
  if (platform === 'darwin') return arch === 'arm64' ? 'mac-arm64-metal' : 'mac-x64'
  return `${platform === 'win32' ? 'win' : 'linux'}-${arch}`
}
