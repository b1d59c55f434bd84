import { readFile, stat } from 'node:fs/promises'
import { temporaryWorkspace } from '@loader/test-harness'
import { createTwoFilesPatch, structuredPatch } from 'diff'
import { times } from '@loader/test-tier'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyHunks } from '../src/patches/apply-hunks.ts'
import { hunkOf } from '../src/patches/hunk-input.ts'
import { parsePatch } from '../src/patch.ts'
import { patchTool } from '../src/index.ts'
import { perform } from './perform.ts'

const runs = times({ quick: 200, ci: 2000, long: 50_000 })

const line = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'b',
    ' ',
    '\tx',
    '-- x',
    '++ y',
    '--- a',
    '+++ b',
    '@@ -1 +1 @@',
    '\\ No newline',
    'é“”',
    '\u2028',
  ),
  fc.string({ maxLength: 8 }).map((text) => text.replaceAll(/[\r\n\0\ud800-\udfff]/g, '')),
)
const ending = fc.constantFrom('\n', '\n', '\n', '\r\n')

/** Texts of lines with either ending, ended or not, often alike. */
const text = fc
  .tuple(fc.array(fc.tuple(line, ending), { maxLength: 30 }), line)
  .map(([lines, last]) => lines.map(([content, end]) => content + end).join('') + last)

/** A text and what some edits make of it. */
const pair = fc
  .tuple(
    text,
    fc.array(fc.tuple(fc.nat(40), fc.nat(3), fc.array(fc.tuple(line, ending), { maxLength: 3 })), { maxLength: 5 }),
  )
  .map(([before, edits]) => {
    const lines = before.split(/(?<=\n)/)
    for (const [at, count, added] of edits) lines.splice(at, count, ...added.map(([content, end]) => content + end))
    return [before, lines.join('')] as const
  })

test('applying a diff that a library made gives the same bytes', () => {
  fc.assert(
    fc.property(fc.oneof(pair, fc.tuple(text, text)), fc.integer({ min: 1, max: 4 }), ([before, after], context) => {
      fc.pre(before !== after)
      const parsed = parsePatch(createTwoFilesPatch('a/f', 'b/f', before, after, '', '', { context }))
      const [file] = parsed.kind === 'parsed' ? parsed.files : []
      expect(applyHunks(before, file?.hunks ?? [])).toEqual({ kind: 'applied', text: after, notes: [] })
    }),
    { numRuns: runs },
  )
})

test('applying the hunks that a library made gives the same bytes', () => {
  fc.assert(
    fc.property(pair, ([before, after]) => {
      fc.pre(before !== after)
      const { hunks } = structuredPatch('f', 'f', before, after, '', '', { context: 3 })
      const given = hunks.map((hunk, index) =>
        hunkOf({ old_start: hunk.oldStart, old_lines: hunk.oldLines, lines: hunk.lines }, index + 1),
      )
      const applied = applyHunks(
        before,
        given.filter((hunk) => typeof hunk !== 'string'),
      )
      expect(applied).toEqual({ kind: 'applied', text: after, notes: [] })
    }),
    { numRuns: runs },
  )
})

test('a patched file on the disk has the bytes that the diff was made for', async () => {
  await using workspace = await temporaryWorkspace()
  const tool = patchTool(workspace)
  const path = workspace.path('f')
  await fc.assert(
    fc.asyncProperty(pair, async ([before, after]) => {
      fc.pre(before !== after)
      await workspace.write('f', before)
      const { mode } = await stat(path)
      const result = await perform(tool, { patch: createTwoFilesPatch('a/f', 'b/f', before, after) })
      expect(result.outcome).toBe('ok')
      expect(await readFile(path, 'utf8')).toBe(after)
      expect((await stat(path)).mode).toBe(mode)
    }),
    { numRuns: runs / 10 },
  )
})
