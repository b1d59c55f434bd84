/**
 * Decides and runs calls for the process that started it, with the rights of another user if that is asked for. What
 * is decided is decided as in a session: by what the tool says of the call, and by the policy.
 *
 *   fork('runner-process.ts', ['<uid>'])
 */
import { MemoryStore } from '@loader/session-core'
import type { Policy, Tool, ToolContext } from '@loader/session-core/coding'
import { localTools, withoutSecrets } from '@loader/tools'
import { decidePermission, needOf } from '@loader/workflow'
import { type WallsAround, wallsAround } from '@loader/workspace'
import type { TrialAnswer, TrialMessage, TrialPlace, TrialReply, TrialRequest } from './runner.ts'

const uid = Number(process.argv[2] ?? '0')
if (uid !== 0) {
  process.setgroups?.([])
  process.setgid?.(uid)
  process.setuid?.(uid)
}

interface Place {
  readonly walls: WallsAround
  readonly tools: readonly Tool[]
}

const places = new Map<string, Place>()
const { writer } = await new MemoryStore().claim('ses_trial', {
  owner: { type: 'Agent', path: 'trial' },
  expect: 'new',
})

process.on('message', (message: TrialMessage) => void reply(message))
process.on('disconnect', () => process.exit())

async function reply(message: TrialMessage): Promise<void> {
  process.send?.(await answered(message))
}

async function answered(message: TrialMessage): Promise<TrialReply> {
  try {
    if ('stateOf' in message) return { state: await placeOf(message.stateOf).walls.state() }
    return await answer(message)
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function placeOf(place: TrialPlace): Place {
  const key = JSON.stringify(place)
  const known = places.get(key)
  if (known !== undefined) return known
  const options = { ...place, graceMs: 200, hidden: [place.scratch, place.caches] }
  const walls = wallsAround(options)
  const made = {
    walls,
    tools: localTools({ ...options, walls }).map((tool) => withoutSecrets(tool, () => walls.secrets())),
  }
  places.set(key, made)
  return made
}

async function answer({ place, ...request }: TrialRequest): Promise<TrialAnswer> {
  const { walls, tools } = placeOf(place)
  const tool = tools.find(({ name }) => name === request.tool)
  if (tool === undefined) throw new Error(`There is no tool ${request.tool}.`)
  const policy = policyFor(request, await walls.state())
  // Nothing of this may ever run as it is.
  if (policy.walls?.state !== 'held') throw new Error('There are no walls.')
  const context: ToolContext = { callId: 'call_1', sessionId: request.sessionId, blobs: writer.blobs }
  const parsed = tool.input.safeParse(request.input)
  if (!parsed.success) return { permit: 'invalid', reason: parsed.error.message }
  const examined = await tool.examine(parsed.data, context)
  if (!examined.valid) return { permit: 'invalid', reason: examined.message }
  const need = needOf(examined, policy)
  const { paths, command } = examined
  const call = {
    call: { name: request.tool, input: request.input },
    examined: { ...need, paths, ...(command !== undefined && { command }) },
  }
  const home = place.variables['HOME']
  const decision = decidePermission(call, policy, [], { root: place.root, ...(home !== undefined && { home }) })
  const decided = { permit: decision.permit, reason: decision.reason, reach: need.reach }
  const may = decision.permit === 'allow' || (decision.permit === 'ask' && request.answer === 'allow')
  if (!may) return decided
  const { outcome, text, metadata, secretsReplaced = 0 } = await tool.run(examined, { ...context, reach: need.reach })
  const ran = { outcome, text, exitCode: metadata?.['exitCode'] ?? null, walls: metadata?.['walls'] ?? null }
  return { ...decided, ran: { ...ran, secretsReplaced } }
}

function policyFor({ mode, rules = [] }: TrialRequestOptions, walls: NonNullable<Policy['walls']>): Policy {
  return {
    permission: {
      mode,
      promptingEnabled: false,
      ruleCounts: { allow: rules.length, deny: 0, ask: 0 },
      rules: [...rules],
      rulesSource: null,
    },
    limits: {},
    walls,
    audience: 'user',
  }
}

type TrialRequestOptions = Pick<TrialRequest, 'mode' | 'rules'>
