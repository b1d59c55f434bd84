import { inOneLine } from '@loader/readings'
import { type SessionState, shownText, type StoredText } from '@loader/session-core'
import { nextStep } from '@loader/workflow'
import { cut } from '../screen/width.ts'

/** A question of a session that waits for its answer. */
export interface OpenQuestion {
  readonly questionId: string
  readonly kind: 'permit' | 'question'
  /** The tool that asks, or a few words above the question. */
  readonly title: string | undefined
  readonly text: StoredText
  readonly options: readonly string[]
  /** Why a permission is needed. */
  readonly reason: string | undefined
  /** All of it in one line. */
  readonly line: string
}

/** The question that is asked again when the session is continued; undefined if there is none. */
export function openQuestion(state: SessionState): OpenQuestion | undefined {
  const asked = state.turn?.question ?? null
  if (asked === null || asked.answer !== undefined) return undefined
  const step = nextStep(state)
  if (step.type !== 'ask_user' || step.questionId !== asked.id) return undefined
  const { kind, reason, question } = step
  const { title, text, options = [] } = question
  const shown = shownText(text)
  const line = cut(inOneLine(kind === 'permit' ? `may ${title ?? 'this'} run? ${shown}` : shown), 200)
  return { questionId: asked.id, kind, title, text, options: options.map(({ label }) => label), reason, line }
}
