import { createHash } from 'node:crypto'
import { LoaderError, type SessionState, type SessionStore, type StoredText, shownText } from '@loader/session-core'
import { nextStep } from '@loader/workflow'
import type { StandingQuestion } from '@loader/web/server'
import type { FollowedSession } from './followed-session.ts'
import { permitChoices, planChoices } from './choices.ts'

/**
 * The question that a session waits with, as it is to be shown; null if there is none. While a process has the session, a running
 * call may ask too; without one only what would be asked again can be answered.
 */
export async function standingQuestion(
  state: SessionState,
  followed: FollowedSession,
  {
    store,
    isHeld,
    isTrusted,
  }: {
    readonly store: Pick<SessionStore, 'readBlob'>
    readonly isHeld: boolean
    /** Whether rules of a project in this folder count. */
    readonly isTrusted: (root: string) => boolean
  },
): Promise<StandingQuestion | null> {
  const open = state.turn?.question ?? null
  const { asked } = followed
  if (open === null || open.answer !== undefined || asked?.questionId !== open.id) return null
  const step = nextStep(state)
  const again = step.type === 'ask_user' && step.questionId === open.id ? step : undefined
  if (again === undefined && (!isHeld || asked.kind === 'permit')) return null
  const examined = state.turn?.calls.find(({ call }) => call.id === asked.callId)?.examined
  const isPlan = asked.kind === 'permit' && asked.callId === undefined
  // A permission names its tool where other questions have their title.
  const tool = asked.kind === 'permit' && !isPlan ? (asked.title ?? null) : null
  const shown = {
    questionId: asked.questionId,
    kind: asked.kind,
    isPlan,
    askedAt: asked.at,
    title: (tool === null ? asked.title : titleOfTool(tool, state)) ?? null,
    tool,
    text: await wholeText(asked.text, state.id, store),
    options: (asked.options ?? []).map(({ label, description }) => ({
      label,
      ...(description !== undefined && { description }),
    })),
    reason: again?.reason ?? null,
    why: examined?.why ?? null,
    reach: examined?.reach ?? null,
    choices: isPlan
      ? planChoices
      : asked.kind === 'permit'
        ? permitChoices({
            tool: asked.title ?? '',
            rule: again?.proposal,
            exactRule: again?.exactProposal,
            isTrusted: state.project === null || isTrusted(state.project.root),
          })
        : [],
  }
  return { ...shown, shown: createHash('sha256').update(JSON.stringify(shown)).digest('base64url') }
}

/** As the session knows its tools, so that it is the same for every process that reads it. */
function titleOfTool(tool: string, { policy }: SessionState): string | undefined {
  return policy?.tools?.known?.find(({ name }) => name === tool)?.title
}

async function wholeText(text: StoredText, id: string, store: Pick<SessionStore, 'readBlob'>): Promise<string> {
  if (typeof text === 'string') return text
  try {
    return await store.readBlob(id, text.blob)
  } catch (error) {
    if (!LoaderError.is(error, 'blob_missing')) throw error
    return shownText(text)
  }
}
