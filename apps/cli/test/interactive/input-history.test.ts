import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { InputHistory } from '../../src/interactive/input-history.ts'

test('what was said is there in the next session, in order, readable by the user alone', async () => {
  await using place = await temporaryWorkspace()
  const file = place.path('state/inputs.jsonl')
  const first = new InputHistory(file)
  for (const text of ['one', 'two\nlines', 'two\nlines', ' ', 'three']) first.add(text)
  expect(new InputHistory(file).texts).toEqual(['one', 'two\nlines', 'three'])
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('a line that was cut off is left out, and a long history is shortened', async () => {
  await using place = await temporaryWorkspace()
  const file = place.path('inputs.jsonl')
  const history = new InputHistory(file)
  for (let each = 0; each < 1_100; each += 1) history.add(`said ${each}`)
  appendFileSync(file, '"torn\n{"another": "version"}\n')
  const { texts } = new InputHistory(file)
  expect(texts).toHaveLength(500)
  expect(texts.at(-1)).toBe('said 1099')
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(500)
})

test('where nothing can be written, it holds for the session', async () => {
  await using place = await temporaryWorkspace({ files: { file: '' } })
  const history = new InputHistory(place.path('file/inputs.jsonl'))
  history.add('one')
  expect(history.texts).toEqual(['one'])
})
