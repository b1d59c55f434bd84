import { describe, expect, test } from 'vitest'
import { parse } from '../../src/arguments/parse.ts'
import { UsageError } from '../../src/arguments/usage-error.ts'
import { commands, main } from '../../src/commands/table.ts'

function parsed(line: readonly string[]) {
  const given = parse(line, commands, main)
  const options = given.command.options.map(({ name }) => name).filter((name) => given.has(name))
  const values = options.map((name) => [name, given.values(name)])
  return { command: given.command.name, words: given.words, options: Object.fromEntries(values) }
}

describe('which command it is', () => {
  test.for([
    [[], '', []],
    [['fix', 'it'], '', ['fix', 'it']],
    [['sessions'], 'sessions', []],
    [['-C', 'x', 'sessions'], 'sessions', []],
    [['--debug', 'show', 'abc'], 'show', ['abc']],
    [['permissions', 'add', 'allow', 'Read'], 'permissions add', ['allow', 'Read']],
    [['-p', 'sessions'], '', ['sessions']],
    [['--print', 'permissions', 'add'], '', ['permissions', 'add']],
    [['-cp', 'sessions'], '', ['sessions']],
    [['--', 'sessions'], '', ['sessions']],
    [['fix', 'sessions'], '', ['fix', 'sessions']],
    [['-n', 'sessions', 'fix it'], '', ['fix it']],
    [['-r', 'sessions'], '', []],
    [['-p', '--', '-c'], '', ['-c']],
    [['-'], '', ['-']],
    [['show me the files'], '', ['show me the files']],
    [['list the files'], '', ['list the files']],
    [['list', 'the', 'files'], '', ['list', 'the', 'files']],
    [['test'], '', ['test']],
    [['fix'], '', ['fix']],
    [['Hello!'], '', ['Hello!']],
    [['hello'], '', ['hello']],
    [['simplify', 'it'], '', ['simplify', 'it']],
    [['-c', 'continue'], '', ['continue']],
    [['-r', 'abc', 'list'], '', ['list']],
    [['-p', 'list'], '', ['list']],
    [['--', 'modles'], '', ['modles']],
  ] as const)('%j', ([line, command, words]) => {
    expect(parsed(line)).toMatchObject({ command, words })
  })
})

describe('how options are written', () => {
  test.for([
    [['-m', 'ollama/x'], { model: ['ollama/x'] }],
    [['-mollama/x'], { model: ['ollama/x'] }],
    [['-m=ollama/x'], { model: ['ollama/x'] }],
    [['--model=a=b'], { model: ['a=b'] }],
    [['-pc'], { print: [], continue: [] }],
    [['-pn', 'a title'], { print: [], name: ['a title'] }],
    [['-p', '-p'], { print: [] }],
    [['-r'], { resume: [] }],
    [['-r', '-p'], { resume: [], print: [] }],
    [['-r', 'abc'], { resume: ['abc'] }],
    [['--maxTurns', '3', '--allowedTools', 'Read'], { 'max-turns': ['3'], 'allowed-tools': ['Read'] }],
    [['--config', 'a=1', '--config', 'b=2'], { config: ['a=1', 'b=2'] }],
    [['-o', '-'], { 'output-last-message': ['-'] }],
  ] as const)('%j', ([line, options]) => {
    expect(parsed(line).options).toEqual(options)
  })
})

describe('what cannot be understood is refused, with a hint', () => {
  test.for([
    [['--modle', 'x'], /--modle is not an option of loader\. Did you mean --model\?/],
    [['-x'], /-x is not an option of loader\./],
    [['-px'], /-x is not an option/],
    [['-m'], /-m needs a value: -m <provider\/id>/],
    [['-m', '-p'], /-m needs a value/],
    [['-m', 'a/b', '-m', 'c/d'], /-m was given twice/],
    [['-p=yes'], /-p is a switch/],
    [['--output-format', 'xml'], /cannot be "xml"\. It is one of: text, json, stream-json, events/],
    [['list'], /no command "list"\. Did you mean loader sessions\? If it is a task, put -- before it\./],
    [['resume'], /Did you mean loader -r\?/],
    [['resume', 'ses_123'], /Did you mean loader -r\?/],
    [['modles'], /Did you mean loader models\?/],
    [['-C', 'x', 'sesions'], /Did you mean loader sessions\?/],
    [['doctr', '--json'], /Did you mean loader doctor\?/],
    [['permisions', 'list'], /Did you mean loader permissions\?/],
    [['permissions'], /needs to know what to do: list, explain, add, remove, trust/],
    [['show', 'me', 'the', 'files'], /loader show cannot use "the"\. If it is a task, put -- before it\./],
    [['-m', 'a/b', 'show', 'x'], /-m is not an option of loader show\..* If it is a task, put -- before it\./],
    [['permissions', 'add', 'allow'], /needs <rule>/],
    [['rename'], /needs <title>/],
  ] as const)('%j', ([line, message]) => {
    expect(() => parsed(line)).toThrow(UsageError)
    expect(() => parsed(line)).toThrow(message)
  })

  test('but help is given for any command, whatever else is missing', () => {
    expect(parsed(['rename', '--help'])).toMatchObject({ command: 'rename', options: { help: [] } })
  })
})

test('no two commands, and no two options of one, have the same name', () => {
  const names = commands.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { options } of [main, ...commands]) {
    const written = options.flatMap(({ name, short }) => [name, ...(short === undefined ? [] : [short])])
    expect(new Set(written).size).toBe(written.length)
  }
})
