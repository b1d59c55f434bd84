import { createHash } from 'node:crypto'
import { excerptOf, type Signal } from '@loader/session-core'
import type { HookRun, HookStart } from '@loader/session-core/coding'
import { hookInput, type HookOccasion, type HookScene, inCopy, matchedValue } from './hook-input.ts'
import { type HookSaying, hookSaying } from './hook-output.ts'
import type { ConfiguredHook, HookEvent } from './hook-settings.ts'
import { matches, matchesTool } from './matcher.ts'
import { type HookPlace, runHookCommand } from './run-command.ts'

/** Moments of an agent at which commands run. */
type Moment =
  | 'session_started'
  | 'prompt_submitted'
  | 'pre_tool'
  | 'post_tool'
  | 'tool_failure'
  | 'notification'
  | 'pre_compact'
  | 'stop'
  | 'session_ended'

const moments: Readonly<Record<HookEvent, Moment>> = {
  SessionStart: 'session_started',
  UserPromptSubmit: 'prompt_submitted',
  PreToolUse: 'pre_tool',
  PostToolUse: 'post_tool',
  PostToolUseFailure: 'tool_failure',
  Notification: 'notification',
  PreCompact: 'pre_compact',
  Stop: 'stop',
  SubagentStop: 'stop',
  SessionEnd: 'session_ended',
}

const aboutCalls: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure'])

/** A command as a hook of an agent: it decides nothing by itself, and its ending is recorded. */
export interface CommandHook {
  readonly name: string
  readonly on: Moment
  readonly tools?: (name: string) => boolean
  run(occasion: Occasion): Promise<(HookSaying & { readonly ran: HookRun }) | undefined>
  /** Starts a hook that runs in the background (`async`). */
  begin?(occasion: Occasion): BegunCommand | undefined
}

type Occasion = HookOccasion & { readonly signal: Signal }

/** What is to run, and what runs it. */
interface BegunCommand {
  readonly runs: HookStart
  run(signal: Signal): Promise<Pick<HookSaying, 'context' | 'note'> & { readonly ran: HookRun }>
}

/**
 * The hooks of an agent. With `agentType` it is one that another agent started: `SubagentStop` takes the place of `Stop`, and
 * beginning and end of the session are not its own.
 */
export function commandHooks(hooks: readonly ConfiguredHook[], place: HookPlace & HookScene): readonly CommandHook[] {
  const isChild = place.agentType !== undefined
  const without: ReadonlySet<HookEvent> = new Set(isChild ? ['Stop', 'SessionStart', 'SessionEnd'] : ['SubagentStop'])
  const wanted = hooks.filter(({ event }) => !without.has(event))
  const distinct = wanted.filter((one, index) => wanted.findIndex((other) => isSame(one, other)) === index)
  return distinct.map((hook) => commandHook(hook, place))
}

function isSame(one: ConfiguredHook, other: ConfiguredHook): boolean {
  const { event, matcher, command, async: isAsync } = one
  return event === other.event && matcher === other.matcher && command === other.command && isAsync === other.async
}

function commandHook(hook: ConfiguredHook, place: HookPlace & HookScene): CommandHook {
  const { event, matcher, command } = hook
  const name = excerptOf(command, 60)
  const on = moments[event]
  const prepared = (occasion: Occasion) => {
    if (!aboutCalls.has(event) && !matches(matcher, matchedValue(event, occasion, place))) return undefined
    return preparedCommand(hook, occasion, place)
  }
  const run: CommandHook['run'] = async (occasion) => prepared(occasion)?.run(occasion.signal)
  const begin: CommandHook['begin'] = (occasion) => {
    const command = prepared(occasion)
    return command && { runs: command.runs, run: async (signal) => withoutDecision(await command.run(signal)) }
  }
  const isForAll = !aboutCalls.has(event) || matcher === '' || matcher === '*'
  return {
    name,
    on,
    ...(!isForAll && { tools: (tool) => matchesTool(matcher, tool) }),
    run,
    // `SessionEnd` never runs in the background: the process would end before the hook.
    ...(hook.async && event !== 'SessionEnd' && { begin }),
  }
}

function preparedCommand(hook: ConfiguredHook, occasion: Occasion, place: HookPlace & HookScene) {
  const given = JSON.stringify(hookInput(hook.event, occasion, place))
  const { command, source, origin, reach } = hook
  const { id: sessionId } = occasion.state
  const runs: HookStart = {
    command,
    source,
    origin,
    given: `sha256:${createHash('sha256').update(given).digest('hex')}`,
    reach,
  }
  const run = async (signal: Signal) => {
    const ended = await runHookCommand(hook, given, place, { sessionId, signal })
    const { how, exitCode, durationMs, walls } = ended
    const ran: HookRun = {
      ...runs,
      ended: how,
      ...(exitCode !== undefined && { exitCode }),
      durationMs,
      ...(walls !== undefined && { walls }),
    }
    const said = hookSaying({ ...hook, isInCopy: place.project !== undefined }, ended)
    return { ...said, ...(said.input && { input: inCopy(said.input, place) }), ran }
  }
  return { runs, run }
}

/** It is too late to object, so its words are for the user. */
function withoutDecision({ context, note, message, ran }: HookSaying & { readonly ran: HookRun }) {
  // That the session ended it says how it ended.
  const notes = ran.ended === 'cancelled' ? '' : [note, message].filter((text) => text !== undefined).join('\n')
  return { ...(context !== undefined && { context }), ...(notes !== '' && { note: notes }), ran }
}
