import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type CommandName = 'mock-llm' | 'crash-matrix'

/** Starts a command from its source, as `npx` would start what is built. */
export function start(name: CommandName, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const file = fileURLToPath(new URL(`../../src/bin/${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@loader/source', file, ...args], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const firstLine = once(createInterface(child.stdout), 'line').then(([line]) => String(line))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }))
  return { child, firstLine, ended }
}

export function run(name: CommandName, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return start(name, args, env).ended
}
