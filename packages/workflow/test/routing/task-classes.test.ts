import { expect, test } from 'vitest'
import { isConversational } from '../../src/routing/is-conversational.ts'
import { talkRows } from './task-classes.table.ts'

test.each(talkRows)('talk: %s', (_rule, text, talk) => {
  expect(isConversational(text)).toBe(talk)
})
