import { expect, test } from 'vitest'
import { helpFor, helpOverview } from '../../src/arguments/help.ts'
import { commands, main } from '../../src/commands/table.ts'

test.for([60, 80, 100])('every help fits into %i columns', (columns) => {
  const texts = [helpOverview(main, commands, columns), ...commands.map((command) => helpFor(command, columns))]
  const lines = texts.flatMap((text) => text.split('\n'))
  expect(lines.filter((line) => line.length > columns)).toEqual([])
})

test('the overview has every option and every command', () => {
  const text = helpOverview(main, commands, 80)
  for (const { name } of main.options) expect(text).toContain(`--${name}`)
  for (const { name, summary } of commands)
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`${name} ${summary}`.slice(0, 40))
})

test('the help of a command has its words and its options', () => {
  const command = commands.find(({ name }) => name === 'permissions add')
  expect(command && helpFor(command, 80)).toContain('Usage: loader permissions add [options] <permission> <rule>')
})
