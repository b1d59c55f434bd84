import type { PermissionRule } from '@loader/session-core/coding'
import { describe, expect, test } from 'vitest'
import { decidePermission } from '../../src/permission/decide-permission.ts'
import { needOf } from '../../src/permission/need-of.ts'
import { ruleFor } from '../../src/permission/rule-for.ts'
import { policy } from './calls.ts'

const fetched = (host: string) => ({
  call: { name: 'fetch', input: { url: `https://${host}/` } },
  examined: { effect: 'probe' as const, reach: 'network' as const, hosts: [host] },
})
const decided = (host: string, ...rules: readonly (readonly [PermissionRule['permit'], string])[]) =>
  decidePermission(fetched(host), {
    ...policy('workspace-write'),
    permission: {
      ...policy('workspace-write').permission,
      rules: rules.map(([permit, pattern]) => ({ permit, pattern })),
    },
  })

describe('a call that asks a host', () => {
  test('needs the network, whatever else it does', () => {
    expect(needOf({ effect: 'probe', paths: [], reach: 'network' }, policy('workspace-write')).reach).toBe('network')
    expect(needOf({ effect: 'unknown', paths: [], reach: 'look' }, policy('workspace-write')).reach).toBe('open')
  })

  test('is asked about, and the reason names the host', () => {
    expect(decided('docs.example')).toMatchObject({ permit: 'ask', reason: expect.stringContaining('docs.example') })
  })

  test.each([
    ['docs.example', 'Fetch(docs.example)', 'allow'],
    ['docs.example', 'WebFetch(domain:docs.example)', 'allow'],
    ['docs.example', 'Fetch(DOCS.example.)', 'allow'],
    ['docs.example', 'Fetch', 'allow'],
    ['a.docs.example', 'Fetch(*.docs.example)', 'allow'],
    ['docs.example', 'Fetch(*.docs.example)', 'ask'],
    ['a.docs.example', 'Fetch(docs.example)', 'ask'],
    ['evildocs.example', 'Fetch(*.docs.example)', 'ask'],
    ['docs.example.evil', 'Fetch(docs.example)', 'ask'],
    ['docs.example:8443', 'Fetch(docs.example)', 'ask'],
    ['docs.example', 'Bash', 'ask'],
  ] as const)('%s under the rule %s: %s', (host, rule, permit) => {
    expect(decided(host, ['allow', rule]).permit).toBe(permit)
  })

  test('is denied by a rule for its host before any rule allows it', () => {
    expect(decided('docs.example', ['allow', 'Fetch'], ['deny', 'Fetch(docs.example)']).permit).toBe('deny')
  })

  test('is allowed for good by a rule for that host alone', () => {
    expect(ruleFor(fetched('docs.example'), 'allow')).toEqual({
      permit: 'allow',
      pattern: 'Fetch(docs.example)',
      reach: 'network',
    })
  })
})
