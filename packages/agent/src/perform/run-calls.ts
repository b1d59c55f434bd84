import { type EventInput, LoaderError, type OpenCall } from '@loader/session-core'
import {
  type EndStatement,
  type Policy,
  requireResult,
  type Tool,
  type ToolResult,
  type ValidExamination,
  type WallsRecord,
} from '@loader/session-core/coding'
import { citing, needOf, policyOf } from '@loader/workflow'
import { Delegations } from '../children/delegation.ts'
import { storeFiles } from '../files/store-files.ts'
import type { StepOf } from '../stage/step-of.ts'
import type { Stage } from '../stage/stage.ts'
import { examine } from './examine-call.ts'
import { askDuringCall } from './ask-during-call.ts'
import { withGracePeriod } from './with-grace-period.ts'
import { contextFor, openCall, toolFor } from './open-call.ts'
import { reconciled } from './reconcile-call.ts'

/**
 * Runs permitted calls. All starts are durable before the first effect. Results are recorded in the order of the calls,
 * so that equal answers give equal histories.
 */
export async function runCalls({ callIds }: StepOf<'run_calls'>, stage: Stage): Promise<void> {
  const { session } = stage
  const calls = callIds.map((callId) => openCall(session, callId))
  for (const { call, examined } of calls) {
    session.record({ type: 'tool.started', callId: call.id, walls: wallsOf(examined, session.state.policy?.walls) })
  }
  await session.durable()
  const delegations = new Delegations(stage, callIds)
  const results = await Promise.all(calls.map((open) => run(open, stage, delegations)))
  for (const { events } of results) session.recordAll(events)
  const broken = results.find(({ error }) => error !== undefined)
  if (broken !== undefined) throw broken.error
}

interface Ran {
  readonly events: readonly EventInput[]
  /** The tool returned an invalid result. The call is reconciled like an interrupted one, and then the turn ends. */
  readonly error?: LoaderError | undefined
}

/** The walls that a command runs in, if known. */
function wallsOf(examined: OpenCall['examined'], walls: Policy['walls']): WallsRecord | undefined {
  if (examined?.command === undefined || walls === undefined) return undefined
  const { state: _state, ...record } = walls
  return examined.reach === 'open' ? { kind: 'none', guarantees: [], why: 'it reaches everything' } : record
}

async function run(open: OpenCall, stage: Stage, delegations: Delegations): Promise<Ran> {
  try {
    return await runOne(open, stage, delegations)
  } finally {
    delegations.ended(open.call.id)
  }
}

async function runOne(open: OpenCall, stage: Stage, delegations: Delegations): Promise<Ran> {
  const { call } = open
  const tool = toolFor(stage, call.name)
  const failed = async (text: string) => ({ events: await asEvents(call.id, { outcome: 'failed', text }, stage) })
  if (tool === undefined) return failed(`There is no tool called ${call.name} any more.`)
  const examined = await permitted(open, stage)
  if (examined === undefined) {
    return failed(
      `What ${call.name} is about has changed since it was permitted. Nothing was done; make the call again.`,
    )
  }
  const result = await ran(tool, examined, open, { stage, delegations })
  if ('outcome' in result) return { events: await asEvents(call.id, result, stage) }
  return { events: [await reconciled(open, stage, result.why)], error: result.error }
}

interface Unknown {
  readonly why: string
  readonly error?: LoaderError
}

/** Runs the tool. If its effect is uncertain, returns why the call must be reconciled. */
async function ran(
  tool: Tool,
  examined: ValidExamination<unknown>,
  open: OpenCall,
  { stage, delegations }: { readonly stage: Stage; readonly delegations: Delegations },
): Promise<ToolResult | Unknown> {
  const asking = askDuringCall(stage, open.call.id)
  try {
    const { ask } = asking
    const about = { ...contextFor(stage, open.call.id), reach: open.examined?.reach ?? 'work', ask }
    // A child ends its own turn when it is cancelled, and its calls have the time for that.
    const context = tool.takeUp === undefined ? about : { ...about, delegation: delegations.for(open.call.id) }
    const work = ended(tool.run(examined, context))
    const returned = await (tool.takeUp === undefined ? withGracePeriod(work, stage) : work)
    if (returned === undefined) return { why: `${tool.name} did not stop when it was told to.` }
    requireResult(tool, returned.value)
    return returned.value
  } catch (error) {
    if (LoaderError.is(error, 'invalid_port')) return { why: error.message, error }
    const why = `${tool.name} failed: ${error instanceof Error ? error.message : String(error)}`
    // A tool that threw may have done part of its work.
    const { effect } = open.examined ?? {}
    return effect === 'none' || effect === 'probe' ? { outcome: 'failed', text: why } : { why }
  } finally {
    asking.close()
  }
}

/** Wraps the result, so that `undefined` as a result differs from work that did not end. */
async function ended(work: Promise<unknown>): Promise<{ readonly value: unknown }> {
  return { value: await work }
}

/** The examination that was permitted; after a restart, a new one if its result is the same. */
async function permitted(open: OpenCall, stage: Stage): Promise<ValidExamination<unknown> | undefined> {
  const { call, examined } = open
  const known = stage.examinations.get(call.id)
  if (known !== undefined) return known
  const tool = toolFor(stage, call.name)
  if (tool === undefined) return undefined
  const again = await examine(tool, call.input, stage, call.id)
  if (!again.valid) return undefined
  const { paths, hosts, intent, command } = again
  const same = { ...needOf(again, policyOf(stage.session.state)), paths, hosts, intent: hashesOf(intent), command }
  const before = {
    effect: examined?.effect,
    reach: examined?.reach,
    paths: examined?.paths ?? [],
    hosts: examined?.hosts,
    intent: hashesOf(examined?.intent ?? []),
    command: examined?.command,
  }
  return JSON.stringify(same) === JSON.stringify(before) ? again : undefined
}

function hashesOf(intent: ValidExamination<unknown>['intent']) {
  return intent.map(({ path, before, after }) => [path, before, after])
}

async function asEvents(
  callId: string,
  { outcome, text, files, metadata, todos, statement, secretsReplaced }: ToolResult,
  { session }: Stage,
): Promise<EventInput[]> {
  const stored = await session.storeText(text)
  const kept = files && (await storeFiles(files, session.blobs))
  const finished: EventInput = {
    type: 'tool.finished',
    callId,
    outcome,
    text: stored,
    files: kept,
    metadata,
    secretsReplaced,
  }
  const { turn } = session.state
  return [
    finished,
    ...(todos === undefined ? [] : [{ type: 'todos.updated' as const, todos: [...todos] }]),
    ...(statement === undefined || turn === null ? [] : [statementMade(turn.id, citing(session.state, statement))]),
  ]
}

function statementMade(turnId: string, { how, summary, left, found }: EndStatement): EventInput {
  return { type: 'statement.made', turnId, how, summary, left, found }
}
