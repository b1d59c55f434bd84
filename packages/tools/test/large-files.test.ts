import { temporaryWorkspace } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { editTool, patchTool, readTool, writeTool } from '../src/index.ts'
import { examineValid, perform, toolContext } from './perform.ts'

const line = (index: number) => `line ${index} of a file that is as large as a tool takes\n`
const many = Array.from({ length: 180_000 }, (_, index) => line(index)).join('')
const one = `${'0123456789'.repeat(500_000)}!`

describe('a file of 10 MB', () => {
  test('is read, edited, and patched forth and back', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: many } })
    const context = await toolContext()
    expect((await perform(readTool(workspace), { file_path: 'f', offset: 180_000 })).text).toContain('line 179999 of')

    const edit = editTool(workspace)
    const examined = await examineValid(
      edit,
      { file_path: 'f', old_string: line(90_000), new_string: 'here\n' },
      context,
    )
    expect(examined.intent[0]?.lines).toBe(2)
    expect(typeof examined.preview === 'string' && examined.preview.split('\n').length).toBe(12)
    expect(await edit.run(examined, context)).toMatchObject({ outcome: 'ok', metadata: { line: 90_001 } })

    const patch = `--- f\n+++ f\n@@ -1,2 +1,1 @@\n-${line(0)} ${line(1)}`
    expect(await perform(patchTool(workspace), { patch })).toMatchObject({ outcome: 'ok' })
    expect(await workspace.read('f')).toBe(many.replace(line(90_000), 'here\n').replace(line(0), ''))

    const back = `@@ -1,1 +1,2 @@\n+${line(0)} ${line(1)}`
    expect(await perform(patchTool(workspace), { file_path: 'f', patch: back })).toMatchObject({ outcome: 'ok' })
    expect(await workspace.read('f')).toBe(many.replace(line(90_000), 'here\n'))
  })

  test.runIf(fromCi)('that is replaced by quite another one is shown as far as anybody would read', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: many } })
    const context = await toolContext()
    const content = many.replaceAll('line', 'row')
    const { preview, intent } = await examineValid(writeTool(workspace), { file_path: 'f', content }, context)
    expect(intent[0]?.lines).toBe(360_000)
    const { bytes = 0, blob = '' } = typeof preview === 'object' ? preview : {}
    expect(bytes).toBeLessThan(300_000)
    expect(await context.blobs.get(blob)).toMatch(/\n… \(\d+ more lines\)\n$/)
  })
})

describe('a file of one line of 5 MB', () => {
  test('is edited', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: one } })
    const context = await toolContext()
    const edit = editTool(workspace)
    const examined = await examineValid(edit, { file_path: 'f', old_string: '9!', new_string: '9?\n' }, context)
    expect(JSON.stringify(examined.preview).length).toBeLessThan(5000)
    expect(await edit.run(examined, context)).toMatchObject({ outcome: 'ok' })
    expect(await workspace.read('f')).toBe(`${one.slice(0, -1)}?\n`)
  })

  test.runIf(fromCi)('is edited at half a million places at once', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: one } })
    const input = { file_path: 'f', old_string: '9', new_string: '\n', replace_all: true }
    expect(await perform(editTool(workspace), input)).toMatchObject({ metadata: { replacements: 500_000 } })
    expect((await workspace.read('f')).length).toBe(one.length)
  })

  test('is not shown whole when an edit of it does not fit', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: one } })
    const { valid, ...rest } = await editTool(workspace).examine(
      { file_path: 'f', old_string: '0123456789 0123456789', new_string: '', replace_all: false },
      await toolContext(),
    )
    expect(valid).toBe(false)
    expect(JSON.stringify(rest).length).toBeLessThan(1000)
  })
})
