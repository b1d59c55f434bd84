import { chmod, readFile, stat } from 'node:fs/promises'
import { temporaryWorkspace } from '@loader/test-harness'
import { times } from '@loader/test-tier'
import * as fc from 'fast-check'
import { openWorkspace } from '@loader/workspace'
import { expect, test } from 'vitest'
import { replaceText } from '../src/edits/replace-text.ts'
import { editTool, writeTool } from '../src/index.ts'
import { examineValid, toolContext } from './perform.ts'

const runs = times({ quick: 150, ci: 400, long: 30_000 })

const line = fc.oneof(
  fc.constantFrom('', '{', '}', 'return', '  a', '\tb', 'é“”😀', 'x '),
  fc.string({ maxLength: 6 }).map((text) => text.replaceAll(/[\r\n\0\ud800-\udfff]/g, '')),
)
const lines = fc.array(line, { minLength: 1, maxLength: 25 })

/** A text, a part of it, and something to put in its place. */
const edit = fc
  .tuple(lines, fc.nat(), fc.nat(), fc.array(line, { maxLength: 4 }))
  .map(([all, from, length, now]) => {
    const text = all.join('\n')
    const start = from % (text.length + 1)
    const end = Math.min(text.length, start + 1 + (length % 40))
    return { text, start, end, wanted: text.slice(start, end), replacement: now.join('\n') }
  })
  .filter(({ wanted, text }) => wanted !== '' && [text, wanted].every((part) => !/\p{Surrogate}/u.test(part)))

const crlf = (text: string) => text.replaceAll('\n', '\r\n')

function occurrences(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) count += 1
  return count
}

test('an edit replaces the one place and nothing else, or names how many places there are', () => {
  fc.assert(
    fc.property(edit, ({ text, start, end, wanted, replacement }) => {
      const replaced = replaceText(text, { wanted, replacement, places: 'one' })
      const count = occurrences(text, wanted)
      const expected = {
        kind: 'replaced',
        matchedBy: 'exact',
        text: text.slice(0, start) + replacement + text.slice(end),
      }
      expect(replaced).toMatchObject(count > 1 ? { kind: 'ambiguous', matchedBy: 'exact', count } : expected)
    }),
    { numRuns: runs },
  )
})

test('in a file with CRLF an edit in LF does the same, and every line still ends in CRLF', () => {
  fc.assert(
    fc.property(edit, ({ text, start, end, wanted, replacement }) => {
      fc.pre(text.includes('\n') && occurrences(text, wanted) === 1)
      const replaced = replaceText(crlf(text), { wanted, replacement, places: 'one' })
      const expected = crlf(text.slice(0, start) + replacement + text.slice(end))
      expect(replaced).toMatchObject({ kind: 'replaced', text: expected })
    }),
    { numRuns: runs },
  )
})

test('where either ending occurs, the lines around an edit keep the one they have', () => {
  const mixed = fc.tuple(
    fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { minLength: 3, maxLength: 15 }),
    fc.nat(),
  )
  fc.assert(
    fc.property(mixed, ([all, chosen]) => {
      const at = 1 + (chosen % (all.length - 2))
      const numbered = all.map(([text, end], index) => `${index}:${text}${end}`)
      const text = numbered.join('')
      const wanted = numbered
        .slice(at - 1, at + 2)
        .join('')
        .replaceAll('\r\n', '\n')
      const replacement = wanted.replace(`\n${at}:`, `\nchanged ${at}:`)
      const replaced = replaceText(text, { wanted, replacement, places: 'one' })
      expect(replaced).toMatchObject({ kind: 'replaced', text: numbered.with(at, `changed ${numbered[at]}`).join('') })
    }),
    { numRuns: runs },
  )
})

test('white space at the ends of lines does not keep an edit from finding its place, and what surrounds it stays', () => {
  const spaced = fc.tuple(
    fc.array(fc.tuple(line, fc.constantFrom('', ' ', '\t ')), { minLength: 3, maxLength: 15 }),
    fc.nat(),
  )
  fc.assert(
    fc.property(spaced, ([all, chosen]) => {
      const at = chosen % (all.length - 1)
      const numbered = all.map(([text, space], index) => `${index}:${text}.${space}\n`)
      const wanted = all
        .slice(at, at + 2)
        .map(([text], index) => `${at + index}:${text}.\n`)
        .join('')
      const replaced = replaceText(numbered.join(''), { wanted, replacement: 'now\n', places: 'one' })
      expect(replaced).toMatchObject({ kind: 'replaced', text: numbered.toSpliced(at, 2, 'now\n').join('') })
    }),
    { numRuns: runs },
  )
})

test('edits and then undo give back the bytes and the mode, whatever the file', async () => {
  await using workspace = await temporaryWorkspace()
  const tools = { edit: editTool(workspace), write: writeTool(workspace) }
  const file = workspace.path('f')
  await using side = await temporaryWorkspace()
  const { trees } = openWorkspace({ root: workspace.root, treesFolder: side.path('trees') })
  const taken = async () => {
    const answer = await trees?.take()
    if (answer?.kind !== 'taken') throw new Error(`no tree: ${answer?.why}`)
    return answer.tree
  }
  const mode = fc.constantFrom(0o644, 0o600, 0o755, 0o664, 0o640)
  const change = fc.tuple(edit, mode, fc.boolean(), fc.boolean())
  await fc.assert(
    fc.asyncProperty(change, async ([{ text, wanted, replacement }, permissions, isCrlf, hasMark]) => {
      fc.pre(wanted !== replacement && occurrences(text, wanted) === 1)
      const before = (hasMark ? '\ufeff' : '') + (isCrlf ? crlf(text) : text)
      await workspace.write('f', before)
      await chmod(file, permissions)
      const start = await taken()
      const context = await toolContext()
      const first = await examineValid(
        tools.edit,
        { file_path: 'f', old_string: wanted, new_string: replacement },
        context,
      )
      expect((await tools.edit.run(first, context)).outcome).toBe('ok')
      const second = await examineValid(tools.write, { file_path: 'f', content: `${replacement}!` }, context)
      expect((await tools.write.run(second, context)).outcome).toBe('ok')
      const plan = await trees?.planRestore(await taken(), start)
      expect(plan && (await trees?.restore(plan))).toEqual(
        `${replacement}!` === before ? [] : [{ path: 'f', outcome: 'restored' }],
      )
      expect(await readFile(file, 'utf8')).toBe(before)
      expect((await stat(file)).mode & 0o7777).toBe(permissions)
    }),
    { numRuns: times({ quick: 3, ci: 40, long: 3000 }) },
  )
})
