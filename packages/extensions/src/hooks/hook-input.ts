import { isAbsolute, join, normalize } from 'node:path'
import {
  type JsonObject,
  type JsonValue,
  JsonObject as JsonObjectSchema,
  type SessionState,
  shownText,
} from '@loader/session-core'
import type { PermissionMode } from '@loader/session-core/coding'
import { sharedName } from '../text/tool-names.ts'
import type { HookEvent } from './hook-settings.ts'

/** What a hook is about. */
export interface HookOccasion {
  readonly state: SessionState
  readonly call?: {
    readonly id: string
    readonly name: string
    readonly input: JsonValue
    readonly outcome?: string
    readonly result?: string
  }
}

/** The place of a session, as hooks are told. */
export interface HookScene {
  /** The folder that is worked in. */
  readonly root: string
  /** The project, where `root` is a copy of it. */
  readonly project?: string
  /** The kind of agent, for one that another agent started. */
  readonly agentType?: string
}

/** How modes of permission are called elsewhere. */
const modes: Readonly<Record<PermissionMode, string>> = {
  'read-only': 'plan',
  'workspace-write': 'acceptEdits',
  prompt: 'default',
  'danger-full-access': 'bypassPermissions',
  allow: 'bypassPermissions',
}

const longestResult = 256 * 1024

/**
 * What a hook reads from its standard input. Equal occasions give equal texts. A check before a call in a copy gets the
 * paths of the project, where the change will be applied, so a hook that objects to a path objects to it in the copy too.
 */
export function hookInput(event: HookEvent, occasion: HookOccasion, around: HookScene): JsonObject {
  const scene = event === 'PreToolUse' ? asInProject(around) : around
  const { state } = occasion
  const { mode = 'prompt' } = state.policy?.permission ?? {}
  return {
    session_id: state.id,
    // Sessions are not kept as a transcript of the shared form.
    transcript_path: '',
    cwd: scene.root,
    permission_mode: modes[mode],
    hook_event_name: event,
    ...(scene.agentType !== undefined && { agent_id: state.id, agent_type: scene.agentType }),
    ...fieldsOf(event, occasion, scene),
  }
}

/** What a matcher of this event is compared with, for events that are not about a tool. */
export function matchedValue(event: HookEvent, occasion: HookOccasion, scene: HookScene): string {
  const fields = fieldsOf(event, occasion, scene)
  const value =
    fields['source'] ?? fields['trigger'] ?? fields['notification_type'] ?? fields['agent_type'] ?? fields['reason']
  return typeof value === 'string' ? value : ''
}

interface ShownScene extends HookScene {
  /** The folder whose paths are shown as those of `root`. */
  readonly copy?: string
}

function asInProject({ root, project = root, ...scene }: HookScene): ShownScene {
  return { ...scene, root: project, copy: root }
}

/** The arguments that a hook gives, with paths of the project in the copy that is worked in. */
export function inCopy(given: JsonObject, { root, project = root }: HookScene): JsonObject {
  const { file_path: path } = given
  return typeof path === 'string' ? { ...given, file_path: movedPath(path, project, root) } : given
}

function movedPath(path: string, from: string, to: string): string {
  return path === from || path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path
}

function fieldsOf(event: HookEvent, { state, call }: HookOccasion, scene: ShownScene): JsonObject {
  const { agentType } = scene
  const { turn, policy, lastTurn } = state
  switch (event) {
    case 'SessionStart':
      return { source: lastTurn === null ? 'startup' : 'resume', ...(policy?.model && { model: policy.model.model }) }
    case 'SessionEnd':
      return { reason: 'other' }
    case 'UserPromptSubmit':
      return { prompt: turn?.pending ? shownText(turn.pending.text) : '' }
    case 'PreCompact':
      return { trigger: turn?.lane === 'compact' ? 'manual' : 'auto', custom_instructions: '' }
    case 'Notification':
      return {
        notification_type: 'permission_prompt',
        title: 'Loader',
        message: `Loader needs your answer${call === undefined ? '' : ` about ${sharedName(call.name)}`}`,
      }
    case 'Stop':
    case 'SubagentStop':
      return {
        stop_hook_active: wasSentBack(state),
        last_assistant_message: lastWords(state),
        ...(event === 'SubagentStop' && { agent_type: agentType ?? '' }),
      }
    case 'PreToolUse':
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return call === undefined
        ? {}
        : { ...callFields(call, scene), ...(event !== 'PreToolUse' && responseOf(event, call, scene)) }
    default:
      return event satisfies never
  }
}

type Call = NonNullable<HookOccasion['call']>

function callFields({ id, name, input }: Call, scene: ShownScene): JsonObject {
  return { tool_name: sharedName(name), tool_input: sharedInput(input, scene), tool_use_id: id }
}

/** Paths are absolute there. */
function sharedInput(input: JsonValue, { root, copy = root }: ShownScene): JsonValue {
  const object = JsonObjectSchema.safeParse(input).data
  if (object === undefined) return input
  const { file_path: path, background, ...rest } = object
  const absolute = (shown: string) => (isAbsolute(shown) ? movedPath(normalize(shown), copy, root) : join(root, shown))
  return {
    ...(path !== undefined && { file_path: typeof path === 'string' ? absolute(path) : path }),
    ...rest,
    ...(background !== undefined && { run_in_background: background }),
  }
}

/** The arguments that a hook gives, as the tool has them. */
export function ownInput(given: JsonObject): JsonObject {
  const { run_in_background: background, ...rest } = given
  return { ...rest, ...(background !== undefined && { background }) }
}

function responseOf(
  event: 'PostToolUse' | 'PostToolUseFailure',
  { name, input, outcome, result = '' }: Call,
  scene: ShownScene,
): JsonObject {
  const text = result.length > longestResult ? `${result.slice(0, longestResult)}…` : result
  if (event === 'PostToolUseFailure') return { error: text, is_interrupt: false }
  if (name === 'bash') return { tool_response: { stdout: text, stderr: '', interrupted: false, isImage: false } }
  const { file_path: filePath } = JsonObjectSchema.safeParse(sharedInput(input, scene)).data ?? {}
  return { tool_response: { ...(filePath !== undefined && { filePath }), success: outcome === 'ok', text } }
}

function wasSentBack({ turn, completion }: SessionState): boolean {
  return turn !== null && completion?.kind === 'completion_continue' && completion.seq > turn.startedSeq
}

function lastWords({ messages }: SessionState): string {
  const last = messages.toArray().findLast(({ role }) => role === 'assistant')
  const texts = last?.content.flatMap((part) => (part.type === 'text' ? [shownText(part.text)] : [])) ?? []
  return texts.join('\n')
}
