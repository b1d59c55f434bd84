import { describe, expect, test } from 'vitest'
import { permitOfMode } from '../../src/permission/required-mode.ts'
import { shellClass } from '../../src/permission/shell-class.ts'
import { askedCommands, needlessQuestions } from './asked-commands.ts'

const permitOf = (command: string) => permitOfMode('workspace-write', shellClass(command, { root: '/w' }).level)

describe.each(Object.entries(askedCommands))('%s', (_, pairs) => {
  test.each(pairs)('%j is not simply run, and %j is', (asked, allowed) => {
    expect([permitOf(asked), permitOf(allowed)]).toEqual([expect.stringMatching(/^(?:ask|deny)$/), 'allow'])
  })
})

test.each(needlessQuestions)('nobody is asked about %j', (command) => {
  expect(permitOf(command)).toBe('allow')
})
