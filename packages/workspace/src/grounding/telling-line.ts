import { readFileNow } from '../files/file-now.ts'
import { resolvePlace } from '../paths/place.ts'
import { textFile } from './words-of-task.ts'

const mostBytes = 256 * 1024
const longestLine = 120
const declares = /^(#+ |\/\*\* |export |def |class |fn |pub |func |type |interface |<title)/

/** The line that best shows what a file is about: a declaration, preferably one that contains a word of the task. */
export async function tellingLine(
  root: string,
  path: string,
  keywords: readonly string[],
): Promise<{ path: string; line: string } | undefined> {
  const place = resolvePlace(root, path)
  if (place.kind === 'refused' || !place.inside || place.entry !== 'file' || !textFile.test(place.path))
    return undefined
  const look = await readFileNow(place.path)
  if (look.kind !== 'file') return undefined
  const text = new TextDecoder().decode(look.file.bytes.subarray(0, mostBytes))
  if (text.includes('\0')) return undefined
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const declaring = lines.filter((line) => declares.test(line))
  const isNamed = (line: string) => keywords.some((word) => line.toLowerCase().includes(word))
  const best = declaring.find(isNamed) ?? declaring[0] ?? lines.find(isNamed) ?? lines.find((line) => line !== '')
  return best === undefined ? undefined : { path, line: best.slice(0, longestLine) }
}
