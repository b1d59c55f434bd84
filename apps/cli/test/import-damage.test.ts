import { LoaderError } from '@loader/session-core'
import { sample, tier, times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { detectSource } from '@loader/foreign-sessions'
import { foreignFiles, foreignText, type ForeignKind, imported, saidIn, sourceOf } from './written/foreign.ts'

const thorough = tier === 'long'

/** Where it has to be thorough, at every byte; else at so many places of each line. */
const cutsInLine = times({ quick: 2, ci: 10, long: 40 })

const tried = sample(foreignFiles, { quick: 6 })

describe('a file that was cut off anywhere', () => {
  test.each(tried)('%s %s is imported as far as it is sound, or refused', (kind, name) => {
    const text = foreignText(name)
    const said = [...cuts(text)].map((end) => saidOrRefused(kind, text.slice(0, end)))
    const whole = saidOrRefused(kind, text)
    expect(whole).toBeGreaterThan(0)
    expect(Math.max(0, ...new Set(said))).toBe(whole)
  })

  test.each(tried)('%s %s is never taken for the file of another program', (kind, name) => {
    const text = foreignText(name)
    const kinds = new Set([...cuts(text)].map((end) => detectSource(sourceOf(text.slice(0, end)))))
    expect([...kinds].filter((each) => each !== undefined)).toEqual([kind])
  })
})

describe('a file with a byte order mark', () => {
  test.each(tried)('%s %s is read as without it', (kind, name) => {
    const text = foreignText(name)
    expect(detectSource(sourceOf(`\ufeff${text}`))).toBe(kind)
    const [marked, plain] = [`\ufeff${text}`, text].map((each) => imported(kind, sourceOf(each)))
    expect(marked?.losses).toEqual(plain?.losses)
    expect(marked && saidIn(marked)).toEqual(plain && saidIn(plain))
  })
})

function* cuts(text: string): Generator<number> {
  if (thorough) {
    for (let end = 0; end <= text.length; end += 1) yield end
    return
  }
  let start = 0
  for (const line of text.split('\n')) {
    for (let cut = 0; cut <= cutsInLine; cut += 1) {
      const end = start + Math.round((line.length * cut) / (cutsInLine + 1))
      if (end <= text.length) yield end
    }
    start += line.length + 1
  }
  yield text.length - 1
  yield text.length
}

/** How much was said; 0 when the file was refused. Anything but a refusal goes up. */
function saidOrRefused(kind: ForeignKind, text: string): number {
  try {
    return saidIn(imported(kind, sourceOf(text))).length
  } catch (error) {
    if (LoaderError.is(error, 'invalid_message')) return 0
    throw error
  }
}

describe('a file in which a line is something else', () => {
  test.each(tried)('%s %s loses what that line has said, and nothing more', (kind, name) => {
    const lines = foreignText(name).trimEnd().split('\n')
    const all = saidIn(imported(kind, sourceOf(lines.join('\n'))))
    for (const index of lines.keys()) {
      const damaged = lines.with(index, '{"type":"zzz"}')
      const said = saidWithout(kind, damaged)
      const missing = all.filter((line) => !said.includes(line))
      const added = said.filter((line) => !all.includes(line) && !isForLost(line))
      // One line may hold a call, its words and the thought before them; a result that is lost changes its call.
      expect({ index, missing: missing.length <= mostOfOneLine(lines[index] ?? '') ? [] : missing }).toEqual({
        index,
        missing: [],
      })
      expect({ index, added }).toEqual({ index, added: [] })
    }
  })
})

function saidWithout(kind: ForeignKind, lines: readonly string[]): string[] {
  try {
    return saidIn(imported(kind, sourceOf(lines.join('\n'))))
  } catch (error) {
    if (LoaderError.is(error, 'invalid_message')) return []
    throw error
  }
}

/** How many things a line can say: its parts; and at least itself. */
function mostOfOneLine(line: string): number {
  const parts = line.match(
    /"type":"(?:text|thinking|toolCall|tool_use|tool_result|input_text|output_text)"|"(?:toolCalls|thoughts|content)":/g,
  )
  return Math.max(1, parts?.length ?? 0)
}

/** What stands where something was lost: a call whose result is gone, words that are gone. */
function isForLost(line: string): boolean {
  return / (?:unknown|ok)$/.test(line) || line.startsWith('import: ')
}
