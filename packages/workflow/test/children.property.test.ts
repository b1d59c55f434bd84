import { Effect, PermissionMode, type PermissionRule, type Policy, Reach } from '@loader/session-core/coding'
import { fold, noTotals, type SessionState } from '@loader/session-core'
import { times } from '@loader/test-tier'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  childReach,
  childShare,
  decidePermission,
  isModeWithin,
  type Need,
  needOf,
  permissionOf,
  shareAgain,
  whyNoChild,
} from '../src/index.ts'

const names = ['read', 'write', 'edit', 'bash', 'fetch', 'agent', 'background', 'files__read']
const known = [
  { name: 'read', effect: 'probe' as const, rule: { names: ['Read'], takes: 'path' as const } },
  { name: 'write', effect: 'write' as const, rule: { names: ['Edit'], takes: 'path' as const } },
  { name: 'bash', rule: { names: ['Bash'], takes: 'command' as const } },
]
const mode = fc.constantFrom(...PermissionMode.options)
const reach = fc.constantFrom(...Reach.options)
const rule: fc.Arbitrary<PermissionRule> = fc.record(
  {
    permit: fc.constantFrom('allow' as const, 'deny' as const, 'ask' as const),
    pattern: fc.constantFrom(
      'Bash',
      'Bash(rm:*)',
      'Edit',
      'Edit(docs/**)',
      'Read(//home/me/project/secret/**)',
      'Edit(/src/**)',
      'Read',
    ),
    reach: fc.constantFrom(...Reach.options),
  },
  { requiredKeys: ['permit', 'pattern'] },
)
const parents = fc
  .record({
    mode,
    within: fc.option(reach, { nil: undefined }),
    rules: fc.array(rule, { maxLength: 4 }),
    tools: fc.subarray(names),
    held: fc.boolean(),
    audience: fc.constantFrom('user' as const, 'nobody' as const),
  })
  .map(({ tools, held, audience, ...permission }): Policy => ({
    permission: permissionOf(permission),
    limits: {},
    tools: { names: tools, digest: '', known },
    walls: { state: held ? 'held' : 'missing', kind: 'x', guarantees: [] },
    audience,
  }))
const wanted = fc.record({
  tools: fc.option(fc.subarray([...names, 'other']), { nil: undefined }),
  withoutTools: fc.option(fc.subarray(names), { nil: undefined }),
  reach: fc.option(reach, { nil: undefined }),
  place: fc.constantFrom('look' as const, 'copy' as const),
})

const root = '/home/me/project'
const copied = '/state/copies/project'
const calls = fc.oneof(
  fc.record({
    name: fc.constant('bash'),
    command: fc.constantFrom(
      'ls',
      'rm -rf docs',
      'make',
      `cat ${root}/secret/key`,
      'cat secret/key',
      'curl example.org',
    ),
    reach: fc.option(reach, { nil: undefined }),
  }),
  fc.record({
    name: fc.constantFrom('read', 'write', 'files__read'),
    path: fc.constantFrom('docs/a.md', 'src/a.ts', 'secret/key', '../away'),
    effect: fc.constantFrom(...Effect.options),
  }),
)

type Call = typeof calls extends fc.Arbitrary<infer Value> ? Value : never

/** What the policy says of a call that is made in a folder. */
function decided(call: Call, policy: Policy, folder: string, least?: Need) {
  const isCommand = 'command' in call
  const effect = isCommand ? ('unknown' as const) : call.effect
  const paths = isCommand
    ? []
    : [
        {
          path: call.path.startsWith('../') ? '/home/me/away' : `${folder}/${call.path}`,
          inside: !call.path.startsWith('../'),
        },
      ]
  const examined = {
    effect,
    paths,
    ...(isCommand && { command: call.command }),
    ...(isCommand && call.reach && { reach: call.reach }),
  }
  const need = needOf(examined, policy)
  const input = isCommand ? { command: call.command } : { file_path: call.path }
  const about = { call: { name: call.name, input }, examined: { ...examined, ...(least ?? need) } }
  return { ...decidePermission(about, policy, [], { root: folder, home: '/home/me' }), reach: need.reach, need }
}

const order = ['deny', 'ask', 'allow']

const neverMore = (grantOf: typeof childReach) =>
  fc.property(parents, wanted, calls, (parent, wants, call) => {
    const grant = grantOf(parent, wants)
    const { mode: asked, rules } = { mode: grant.mode, rules: parent.permission.rules }
    const copyOf = wants.place === 'copy' ? [root] : undefined
    const child = { ...parent, permission: permissionOf({ mode: asked, rules, within: grant.within, copyOf }) }
    const folder = wants.place === 'copy' ? copied : root
    const inChild = decided(call, child, folder)
    // The same call of the parent, held to what walls hold it to in the child.
    const inParent = decided(call, parent, root, inChild.need)
    expect(order.indexOf(inChild.permit)).toBeLessThanOrEqual(order.indexOf(inParent.permit))
    expect(isModeWithin(grant.mode, parent.permission.mode)).toBe(true)
    expect([...(parent.tools?.names ?? [])]).toEqual(expect.arrayContaining([...grant.tools]))
    if (wants.tools !== undefined) expect(wants.tools).toEqual(expect.arrayContaining([...grant.tools]))
    for (const name of wants.withoutTools ?? []) expect(grant.tools).not.toContain(name)
    if (inChild.permit !== 'deny') {
      const within = wants.place === 'look' ? 'look' : (wants.reach ?? 'open')
      expect(Reach.options.indexOf(inChild.reach)).toBeLessThanOrEqual(Reach.options.indexOf(within))
      expect(Reach.options.indexOf(inChild.reach)).toBeLessThanOrEqual(Reach.options.indexOf(grant.within))
    }
  })

test('a child is permitted no call that its parent would not be, whatever is wanted for it', () => {
  fc.assert(neverMore(childReach), { numRuns: times({ quick: 300, ci: 1500, long: 100_000 }) })
})

test.each<[string, typeof childReach]>([
  ['mode', (parent, wants) => ({ ...childReach(parent, wants), mode: 'allow' })],
  ['bound', (parent, wants) => ({ ...childReach(parent, wants), within: wants.reach ?? 'open' })],
  ['tools', (parent, wants) => ({ ...childReach(parent, wants), tools: [...(wants.tools ?? names)] })],
])('a %s that is not inherited is noticed', (_what, faulty) => {
  expect(fc.check(neverMore(faulty), { numRuns: 3000 }).failed).toBe(true)
})

test('children that are begun, finished and taken up in any order never have more than their parent had left', () => {
  const begun = fold([
    { type: 'session.opened', seq: 1, at: '2026-01-01T00:00:00.000Z', format: 1, id: 'parent' },
  ]) as SessionState
  const turn = { startedSeq: 1, spent: { iterations: 1 }, usage: noTotals } as unknown as SessionState['turn']
  const limits = fc.record({
    usd: fc.double({ min: 0, max: 10, noNaN: true }),
    turns: fc.integer({ min: 3, max: 60 }),
    tokens: fc.integer({ min: 0, max: 1e6 }),
  })
  const steps = fc.array(
    fc.record({
      waiting: fc.integer({ min: 1, max: 8 }),
      uses: fc.double({ min: 0, max: 1, noNaN: true }),
      ends: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(limits, steps, ({ usd, turns, tokens }, all) => {
      const policy = {
        permission: permissionOf({ rules: [] }),
        limits: { maxIterations: turns, maxTurnTokens: tokens },
        budget: { usd },
        audience: 'user' as const,
      }
      let state: SessionState = { ...begun, turn, policy }
      let spent = { usd: 0, turns: 1, tokens: 0 }
      for (const [index, { waiting, uses, ends }] of all.entries()) {
        if (whyNoChild(state, { depth: 2, number: 99 }) !== undefined) break
        const share = childShare(state, waiting)
        const child = { id: `c${index}`, grant: share, seq: index + 2 } as unknown as NonNullable<
          SessionState['children']
        >[number]
        state = { ...state, children: [...(state.children ?? []), child] }
        const again = shareAgain(state, child)
        expect(again.usd).toBeLessThanOrEqual(share.usd ?? 0)
        expect(again.turns).toBeLessThanOrEqual(share.turns)
        const open = (state.children ?? []).filter(({ finished }) => finished === undefined)
        const reserved = (of: 'usd' | 'turns' | 'tokens') => open.reduce((sum, { grant }) => sum + (grant[of] ?? 0), 0)
        expect(spent.usd + reserved('usd')).toBeLessThanOrEqual(usd + 1e-8)
        expect(spent.turns + reserved('turns')).toBeLessThanOrEqual(turns)
        expect(spent.tokens + reserved('tokens')).toBeLessThanOrEqual(tokens)
        if (!ends) continue
        const used = {
          usd: (share.usd ?? 0) * uses,
          turns: Math.floor(share.turns * uses),
          tokens: Math.floor((share.tokens ?? 0) * uses),
        }
        spent = { usd: spent.usd + used.usd, turns: spent.turns + used.turns, tokens: spent.tokens + used.tokens }
        const usage = {
          ...begun.usage,
          inputTokens: spent.tokens,
          iterations: spent.turns - 1,
          cost: { usd: spent.usd, known: 1 },
        }
        const finished = { seq: 99, outcome: 'ok' as const, usage }
        state = {
          ...state,
          childUsage: usage,
          turn: { ...turn, childUsage: usage } as SessionState['turn'],
          children: (state.children ?? []).map((each) => (each.id === child.id ? { ...each, finished } : each)),
        }
      }
    }),
    { numRuns: times({ quick: 200, ci: 1000, long: 50_000 }) },
  )
})
