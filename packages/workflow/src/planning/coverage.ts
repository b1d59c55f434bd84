import { significantWords } from '../text/significant-words.ts'
import { containsWords, wordsOf } from '../text/words.ts'

/** A text prepared for the question of what it mentions. */
export interface TextReading {
  readonly text: string
  readonly words: readonly string[]
  readonly vocabulary: ReadonlySet<string>
  /** The words outside of names with a dot, with `_` as a space: here a name may be spelled out. */
  readonly spelled: readonly string[]
}

export function readText(text: string): TextReading {
  const words = wordsOf(text)
  const plain = text.split(/\s+/).filter((token) => !/[^.]\.[^.]/.test(token))
  const spelled = wordsOf(plain.join(' ').replaceAll('_', ' '))
  return { text: text.toLowerCase().replaceAll('\\', '/'), words, vocabulary: new Set(words), spelled }
}

/** Whether a text contains a statement: literally, or by two of its significant words. */
export function covers({ words, vocabulary }: TextReading, statement: string): boolean {
  if (containsWords(words, wordsOf(statement))) return true
  const significant = [...significantWords(statement)]
  return significant.filter((word) => vocabulary.has(word)).length >= Math.min(2, significant.length)
}

/**
 * Whether a text mentions a file: by its path, its name, a folder above it (`src/routing/`), or its name with other
 * separators (`user-profile.ts` as "user profile").
 */
export function mentions(reading: TextReading, path: string): boolean {
  const parts = path.toLowerCase().replaceAll('\\', '/').replace(/^\.\//, '').split('/')
  const name = path.replaceAll('\\', '/').split('/').at(-1) ?? path
  if (hasToken(reading.text, name.toLowerCase())) return true
  const folders = parts.slice(0, -1).map((_, index) => `${parts.slice(0, index + 1).join('/')}/`)
  return folders.some((folder) => folder !== '/' && hasFolder(reading.text, folder)) || spelledOtherwise(reading, name)
}

function hasToken(text: string, name: string): boolean {
  for (let at = text.indexOf(name); name !== '' && at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text.slice(at + name.length, at + name.length + 2)
    if (!/[\p{L}\p{N}_.-]/u.test(before) && !/^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u.test(after)) return true
  }
  return false
}

/** The folder itself, not one of the files in it. */
function hasFolder(text: string, folder: string): boolean {
  for (let at = text.indexOf(folder); at >= 0; at = text.indexOf(folder, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + folder.length] ?? ' '
    if (!/[\p{L}\p{N}_./-]/u.test(before) && !/[\p{L}\p{N}_.-]/u.test(after)) return true
  }
  return false
}

function spelledOtherwise({ spelled }: TextReading, name: string): boolean {
  const stem = name.replace(/(?<=.)\.[^.]+$/, '')
  const hasParts = /[\p{L}\p{N}][-_. ]+[\p{L}\p{N}]|\p{Ll}\p{Lu}/u.test(stem)
  return saidInARow(spelled, joined(name)) || (hasParts && saidInARow(spelled, joined(stem)))
}

function joined(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
}

/** Whether consecutive words form the name when joined. */
function saidInARow(words: readonly string[], name: string): boolean {
  if (name === '') return false
  return words.some((first, start) => {
    let spelled = first
    for (let next = start + 1; name.startsWith(spelled); next += 1) {
      if (spelled === name) return true
      if (next === words.length) return false
      spelled += words[next]
    }
    return false
  })
}
