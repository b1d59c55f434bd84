import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { type Effect, JsonObject } from '@loader/session-core'
import type { PermitCall } from '@loader/workflow'
import { readJsonText } from '../settings/json-text.ts'

const pathTools: Readonly<Record<string, Effect>> = {
  read: 'probe',
  glob: 'probe',
  grep: 'probe',
  write: 'write',
  edit: 'write',
  patch: 'write',
}
const harmless = new Set(['todo_write', 'ask_user'])

/**
 * The call that somebody means: a shell command as it is; `Write(src/a.ts)` and `Bash(git push)` as rules are written;
 * or a tool with its arguments, `write {"file_path": "src/a.ts"}`.
 */
export function callFromText(text: string, root: string): PermitCall {
  const [, name = '', inside = ''] = /^\s*([A-Za-z_]\w*)\((.*)\)\s*$/s.exec(text) ?? []
  const tool = name.toLowerCase()
  if (tool === 'bash') return shellCall(inside)
  if (pathTools[tool] !== undefined) return pathCall(tool, inside, { file_path: inside }, root)
  const [, named = '', rest = ''] = /^\s*([A-Za-z_]\w*)\s+(\{.*\})\s*$/s.exec(text) ?? []
  const json = named === '' ? undefined : readJsonText(rest)
  const input = json?.ok ? JsonObject.parse(json.value) : undefined
  return input === undefined ? shellCall(text.trim()) : callWithInput(named.toLowerCase(), input, root)
}

function callWithInput(name: string, input: JsonObject, root: string): PermitCall {
  const command = input['command']
  if (name === 'bash' && typeof command === 'string')
    return { call: { name, input }, examined: { effect: 'unknown', command } }
  const path = ['file_path', 'path'].map((key) => input[key]).find((value) => typeof value === 'string')
  if (pathTools[name] !== undefined) return pathCall(name, path ?? '', input, root)
  return { call: { name, input }, examined: { effect: harmless.has(name) ? 'none' : 'unknown' } }
}

function shellCall(command: string): PermitCall {
  return { call: { name: 'bash', input: { command } }, examined: { effect: 'unknown', command } }
}

function pathCall(name: string, path: string, input: JsonObject, root: string): PermitCall {
  const effect = pathTools[name] ?? 'unknown'
  if (path === '') return { call: { name, input }, examined: { effect } }
  const real = realPath(resolve(root, path))
  const inside = real === root || real.startsWith(root + sep)
  return { call: { name, input }, examined: { effect, paths: [{ path: real, inside }] } }
}

/** Symbolic links resolved, as far as the path is there. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || dirname(path) === path) throw error
    return join(realPath(dirname(path)), basename(path))
  }
}
