import { callsOf, type JsonValue, type Message, textOf } from '@loader/session-core'

const pathKey = /^(?:cwd|dir|directory|file|file_?name|file_?path|path|target_?file)$/i
const longestPath = 300
const longestLook = 4096

/** Paths in arguments and texts, newest first, each once; it stops when it has enough. */
export function mentionedFiles(messages: readonly Message[], most: number): string[] {
  const found = new Set<string>()
  for (let index = messages.length - 1; index >= 0 && found.size < most; index -= 1) {
    for (const file of filesIn(messages[index] as Message)) found.add(file)
  }
  return [...found].slice(0, most)
}

function filesIn({ role, content }: Message): string[] {
  const inCalls = callsOf(content).flatMap(({ input }) => pathsOf(input))
  if (role === 'tool' || role === 'system') return inCalls
  const said = textOf(content).slice(0, longestLook)
  return said.includes('/') ? [...inCalls, ...said.split(/[\s"'`()<>[\]{},;:]+/).flatMap(pathIn)] : inCalls
}

function pathsOf(input: JsonValue): string[] {
  if (input === null || typeof input !== 'object') return []
  return Object.entries(input).flatMap(([key, value]) =>
    typeof value === 'string' && value !== '' && value.length <= longestPath && pathKey.test(key) ? [value] : [],
  )
}

/** A word that names a file in a folder. A word that begins with two slashes is part of a URL. */
function pathIn(word: string): string[] {
  const path = word.replace(/[.!?]$/, '')
  if (path.length > longestPath || path.startsWith('//') || !path.includes('/')) return []
  return /^[\w@.+~/-]+$/.test(path) && /\.[A-Za-z]\w{0,7}$/.test(path) ? [path] : []
}
