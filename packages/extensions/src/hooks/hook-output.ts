import { JsonObject } from '@loader/session-core'
import * as z from 'zod'
import { ownInput } from './hook-input.ts'
import type { ConfiguredHook, HookEvent } from './hook-settings.ts'

/** How a command ended, and what it printed. */
export interface HookEnding {
  readonly how: 'exited' | 'timed_out' | 'cancelled' | 'killed' | 'not_started'
  readonly exitCode?: number
  readonly stdout: string
  readonly stderr: string
  /** Why it was stopped or did not start, if that is known. */
  readonly why?: string
}

/** What follows from the output of a hook. If it is empty, the work goes on. */
export interface HookSaying {
  readonly decision?: 'deny' | 'cancel'
  readonly permit?: 'ask'
  readonly answers?: 'allow'
  readonly input?: JsonObject
  readonly message?: string
  readonly context?: string
  readonly note?: string
}

const longestText = 10_000

const notInCopy =
  'This agent works in a copy of the project, where files that git ignores are not: the hook has to name its script by ' +
  '"$CLAUDE_PROJECT_DIR".'

const Output = z.looseObject({
  continue: z.boolean().nullish(),
  stopReason: z.string().nullish(),
  systemMessage: z.string().nullish(),
  decision: z.enum(['block', 'approve']).nullish(),
  reason: z.string().nullish(),
  hookSpecificOutput: z
    .looseObject({
      permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).nullish(),
      permissionDecisionReason: z.string().nullish(),
      updatedInput: z.nullish(JsonObject),
      additionalContext: z.string().nullish(),
    })
    .nullish(),
})

/**
 * Reads the exit code and the output of a hook. 0: the work goes on, and the output is read. 2: the hook objects, for the reason
 * on its standard error. Any other end says nothing, and the user is told. No end of a hook counts as a permission. A copy of the
 * project has no ignored files: if the program of a check before a call is missing there, it objects, because it might have.
 */
export function hookSaying(
  hook: Pick<ConfiguredHook, 'event' | 'origin' | 'timeoutMs'> & { readonly isInCopy?: boolean },
  ending: HookEnding,
): HookSaying {
  const { how, exitCode, stdout, stderr, why } = ending
  if (how !== 'exited') return { note: `${endedHow(ending, hook.timeoutMs)}${why === undefined ? '' : ` (${why})`}` }
  if (exitCode === 2) return objection(hook.event, stderr.trim() || 'it gives no reason')
  if (exitCode !== 0) {
    const note = bounded(`it ended with code ${exitCode}${stderr.trim() === '' ? '' : `: ${stderr.trim()}`}`)
    const isMissing = hook.event === 'PreToolUse' && hook.isInCopy === true && (exitCode === 126 || exitCode === 127)
    return isMissing ? objection(hook.event, `${note}. ${notInCopy}`) : { note }
  }
  if (why !== undefined) return { note: why }
  const text = stdout.trim()
  if (text === '') return {}
  if (!text.startsWith('{')) return tellsModel(hook.event) ? { context: bounded(text) } : {}
  const json = parsed(text)
  if (json === undefined) return { note: `what it printed begins like JSON and is none: ${bounded(text, 200)}` }
  const output = Output.safeParse(json)
  if (output.success) return said(hook, output.data)
  const [issue] = output.error.issues
  const note = `what it printed is not understood: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`
  const rest = Output.safeParse(without(json, output.error.issues))
  return rest.success ? merged(restrictionsOf(said(hook, rest.data)), { note }) : { note }
}

/** A field that cannot be parsed must not undo an objection, and no field beside it counts as a permission. */
function restrictionsOf({ decision, permit, message, context, note }: HookSaying): HookSaying {
  return {
    ...(decision && { decision }),
    ...(permit && { permit }),
    ...((decision ?? permit) && message !== undefined && { message }),
    ...(context !== undefined && { context }),
    ...(note !== undefined && { note }),
  }
}

/** The same without the fields at fault. */
function without(json: unknown, faults: readonly { readonly path: readonly PropertyKey[] }[]): unknown {
  const copy = structuredClone(json)
  for (const { path } of faults) {
    let holder: unknown = copy
    for (const key of path.slice(0, -1))
      holder = typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : undefined
    const last = path.at(-1)
    if (last !== undefined && typeof holder === 'object' && holder !== null) Reflect.deleteProperty(holder, last)
  }
  return copy
}

function endedHow({ how }: HookEnding, timeoutMs: number): string {
  switch (how) {
    case 'timed_out':
      return `it did not end within ${timeoutMs / 1000} seconds`
    case 'not_started':
      return 'it could not be started'
    default:
      return 'it was ended'
  }
}

function said({ event, origin }: Pick<ConfiguredHook, 'event' | 'origin'>, output: z.infer<typeof Output>): HookSaying {
  const { systemMessage, decision, reason, hookSpecificOutput } = output
  const own = hookSpecificOutput ?? {}
  const { permissionDecisionReason, updatedInput, additionalContext } = own
  const note = isBlank(systemMessage) ? {} : { note: bounded(systemMessage) }
  const context = isBlank(additionalContext) ? {} : { context: bounded(additionalContext) }
  const about = { ...context, ...note }
  if (output.continue === false)
    return { ...about, ...stop(event, output.stopReason ?? reason ?? 'it gives no reason') }
  if (event !== 'PreToolUse')
    return decision === 'block' ? merged(about, objection(event, reason ?? 'it gives no reason')) : about
  const permission =
    own.permissionDecision ?? (decision === 'block' ? 'deny' : decision === 'approve' ? 'allow' : undefined)
  const why = permissionDecisionReason ?? reason
  const words = isAbsent(why) ? {} : { message: bounded(why) }
  const changed = isAbsent(updatedInput) ? {} : { input: ownInput(updatedInput) }
  switch (permission) {
    case 'deny':
      return { ...about, ...objection(event, why ?? 'it gives no reason') }
    case 'ask':
      return { ...about, ...changed, ...words, permit: 'ask' }
    case 'allow':
      return origin === 'user'
        ? { ...about, ...changed, ...words, answers: 'allow' }
        : merged(
            { ...about, ...changed },
            { note: 'that it allows the call counts for nothing, since it is of the project' },
          )
    default:
      return { ...about, ...changed }
  }
}

function merged(one: HookSaying, other: HookSaying): HookSaying {
  const join = (key: 'context' | 'note') => [one[key], other[key]].filter((text) => text !== undefined).join('\n')
  const [context, note] = [join('context'), join('note')]
  return { ...one, ...other, ...(context !== '' && { context }), ...(note !== '' && { note }) }
}

/** What an objection of a hook means. After a call it is too late to refuse, so the model is told. */
function objection(event: HookEvent, reason: string): HookSaying {
  const message = bounded(reason)
  switch (event) {
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return { context: message }
    case 'SessionStart':
    case 'SessionEnd':
    case 'Notification':
      return { note: message }
    case 'UserPromptSubmit':
    case 'PreToolUse':
    case 'PreCompact':
    case 'Stop':
    case 'SubagentStop':
      return { decision: 'deny', message }
    default:
      return event satisfies never
  }
}

/** Programs print null for what they leave out. */
function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

function isBlank(text: string | null | undefined): text is '' | null | undefined {
  return isAbsent(text) || text.trim() === ''
}

/** `continue: false` ends the turn, where there is one. */
function stop(event: HookEvent, reason: string): HookSaying {
  if (event === 'SessionEnd' || event === 'Notification') return { note: bounded(reason) }
  return { decision: 'cancel', message: bounded(reason) }
}

/** Where plain text is for the model. */
function tellsModel(event: HookEvent): boolean {
  return event === 'UserPromptSubmit' || event === 'SessionStart'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Removes characters that are not text, because some stores cannot keep them. */
function bounded(text: string, longest: number = longestText): string {
  const plain = text.slice(0, longest + 1).replace(/[^\P{Cc}\n\t]/gu, '\uFFFD')
  return text.length <= longest ? plain : `${plain.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`
}
