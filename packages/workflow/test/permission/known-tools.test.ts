import type { KnownTool, PermissionRule, Policy } from '@loader/session-core/coding'
import { describe, expect, test } from 'vitest'
import { decidePermission } from '../../src/permission/decide-permission.ts'
import { ruleFor } from '../../src/permission/rule-for.ts'
import { knownTools } from '../../src/permission/rules/known-tools.ts'
import { parseRules } from '../../src/permission/rules/parse-rules.ts'
import { allow, ask, bash, deny, fileCall, place, policy } from './calls.ts'

const outline: KnownTool = {
  name: 'outline',
  effect: 'probe',
  rule: { names: ['Outline'], takes: 'path' },
}
const rename: KnownTool = { name: 'rename', effect: 'write', rule: { names: ['Rename', 'Edit'], takes: 'path' } }
const shell: KnownTool = { name: 'fish', rule: { names: ['Fish'], takes: 'command' } }

function knowing(tools: readonly KnownTool[], given: Policy): Policy {
  return { ...given, tools: { names: tools.map(({ name }) => name), digest: 'd', known: tools } }
}

describe('a tool that says how rules know it', () => {
  test('is covered by rules of its names, for the paths that they name', () => {
    const given = knowing([rename], policy('prompt', [allow('Edit(src/**)')]))
    expect(decidePermission(fileCall('rename', 'write', '/w/src/a'), given, [], place).permit).toBe('allow')
    expect(decidePermission(fileCall('rename', 'write', '/w/test/a'), given, [], place).permit).toBe('ask')
    expect(decidePermission(fileCall('edit', 'write', '/w/src/a'), given, [], place).permit).toBe('allow')
  })

  test('and looks at paths is denied what Read is denied, and not allowed what Read is allowed', () => {
    const call = fileCall('outline', 'probe', '/w/secret/a')
    const given = (...rules: PermissionRule[]) => knowing([outline], policy('prompt', rules))
    expect(decidePermission(call, given(deny('Read(secret/**)')), [], place).permit).toBe('deny')
    expect(decidePermission(call, given(deny('Grep(secret/**)')), [], place).permit).not.toBe('deny')
    expect(decidePermission(call, given(ask('Outline(secret/**)')), [], place).permit).toBe('ask')
  })

  test('and takes commands gets rules for exactly the command', () => {
    const tools = knownTools([shell])
    const call = { call: { name: 'fish', input: { command: 'make x' } } }
    const other = { call: { name: 'fish', input: { command: 'make y' } } }
    const given = knowing([shell], policy('prompt', [ruleFor(call, 'allow', tools)]))
    expect(decidePermission(call, given, [], place).permit).toBe('allow')
    expect(decidePermission(other, given, [], place).permit).toBe('ask')
    expect(decidePermission(bash('make x'), given, [], place).permit).toBe('ask')
  })

  test('can be named with a pattern in a file of rules', () => {
    const text = '{"deny": ["Rename(src/**)"]}'
    expect(parseRules(text, 'f', [rename]).ok).toBe(true)
    expect(parseRules(text, 'f')).toMatchObject({ fault: { reason: expect.stringContaining('takes no pattern') } })
  })
})

describe('a tool that takes the place of a usual one', () => {
  test.each<KnownTool>([
    { name: 'bash' },
    { name: 'bash', title: 'Run it elsewhere' },
    { name: 'bash', rule: { names: ['Shell'], takes: 'command' } },
  ])('%j is held by its rules', (tool) => {
    const given = knowing([tool], policy('allow', [deny('Bash(git push:*)')]))
    expect(decidePermission(bash('git push'), given, [], place).permit).toBe('deny')
    expect(decidePermission(bash('git log'), given, [], place).permit).toBe('allow')
  })
})

test('a rule for a usual tool that an agent does not have touches nothing else', () => {
  const given = knowing([outline], policy('allow', [deny('Bash(git push:*)'), deny('Write(src/**)')]))
  expect(decidePermission(fileCall('outline', 'probe', '/w/src/a'), given, [], place).permit).toBe('allow')
})
