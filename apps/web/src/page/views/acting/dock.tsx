import { useEffect, useRef, useState } from 'preact/hooks'
import { type EventOf, type History, isSessionEvent } from '@loader/session-core'
import { inOneLine, questionTitle } from '@loader/readings'
import type { Standing } from '../../../protocol.ts'
import { ownRequests, useAct } from '../../model/act.ts'
import { useKeys } from '../../model/keys.ts'
import type { OpenSession } from '../../model/session.ts'
import { ActFailure } from './act-failure.tsx'
import { Composer } from './composer.tsx'
import { QuestionCard } from './question.tsx'

/** How long it is said who has answered. */
const toldForMs = 20_000

/** What can be done with a session, at the foot of each of its views: answer, go on, write, stop. */
export function Dock({ session, isWriting }: { session: OpenSession; isWriting: boolean }) {
  const { value: standing } = session.standing
  const question = standing?.question ?? null
  const answered = useAnswered(session, question?.questionId ?? null)
  return (
    <footer class="dock" aria-label="What you can do">
      <p class="hidden" aria-live="assertive" aria-atomic="true">
        {question !== null && `The session asks: ${questionTitle(question)}`}
      </p>
      <div class="dock-inside">
        {answered !== null && (
          <p class="dock-said" role="status">
            {answered}
          </p>
        )}
        {question !== null && (
          <QuestionCard
            key={question.questionId}
            session={session.id}
            question={question}
            isAlone={standing?.phase === 'cut_off'}
          />
        )}
        {standing !== null && <Trouble standing={standing} />}
        {standing?.phase === 'cut_off' && question === null && <CutOff session={session} standing={standing} />}
        {standing !== null && standing.undelivered.length > 0 && <Undelivered standing={standing} />}
        {isWriting ? (
          <Composer session={session} standing={standing} />
        ) : (
          standing?.phase === 'running' && <StopAlone session={session.id} standing={standing} />
        )}
      </div>
    </footer>
  )
}

/** Shown when a turn is open and no process works on it: what that means, and how it goes on. */
function CutOff({ session, standing }: { session: OpenSession; standing: Standing }) {
  const act = useAct('continue')
  const goOn = () => void act.run({ session: session.id })
  useKeys([{ keys: ['c'], group: 'Acting', says: 'Go on where it was cut off', run: goOn }])
  const isTurnOpen = standing.turnId !== null
  return (
    <section class="dock-card tone-warn" aria-label={isTurnOpen ? 'It was cut off' : 'Words wait'}>
      <p>
        <strong>{isTurnOpen ? 'It was cut off.' : 'Your words wait.'}</strong>{' '}
        {isTurnOpen
          ? 'The process that worked on it has ended. All that was stored is here; what was running then is looked at before anything is done again.'
          : 'They are stored, and no process works on this session.'}
      </p>
      <button type="button" class="main" disabled={act.isPending} aria-busy={act.isPending} onClick={goOn}>
        {act.isPending ? 'Going on…' : 'Go on'}
      </button>
      <ActFailure failure={act.failure} what="Your wish to go on" />
    </section>
  )
}

function Trouble({ standing: { trouble } }: { standing: Standing }) {
  if (trouble === null) return null
  return (
    <p class="dock-card tone-bad" role="alert">
      {inOneLine(trouble.message)}
    </p>
  )
}

/** Stored for a process that has not taken it yet. */
function Undelivered({ standing: { undelivered, holder } }: { standing: Standing }) {
  const who = holder?.where === 'elsewhere' ? inOneLine(holder.words) : 'another process'
  return (
    <p class="dock-said" role="status">
      Stored, and not taken yet: {[...new Set(undelivered.map(({ kind }) => inOneLine(kind)))].join(', ')}. The session
      is {who.startsWith('held') ? who : `held by ${who}`}, which takes it when it can.
    </p>
  )
}

/** Where there is no field to write in, a turn can be stopped all the same. */
function StopAlone({ session, standing }: { session: string; standing: Standing }) {
  const act = useAct('stop')
  const stop = () => standing.turnId !== null && void act.run({ session, turnId: standing.turnId })
  useKeys([{ keys: ['.'], group: 'Acting', says: 'Stop the turn', run: stop }])
  return (
    <div class="dock-line">
      <span class="quiet">A turn runs.</span>
      <button type="button" class="stop" disabled={act.isPending} onClick={stop}>
        {act.isPending ? 'Stopping…' : 'Stop'}
      </button>
      <ActFailure failure={act.failure} what="Your wish to stop" />
    </div>
  )
}

/** Who has answered the question that was here a moment ago, and what. */
function useAnswered(session: OpenSession, questionId: string | null): string | null {
  const [gone, setGone] = useState<string | null>(null)
  const before = useRef<string | null>(null)
  useEffect(() => {
    const last = before.current
    before.current = questionId
    if (last === null || last === questionId) return undefined
    setGone(last)
    const timer = setTimeout(() => setGone(null), toldForMs)
    return () => clearTimeout(timer)
  }, [questionId])
  // The event may come a moment after the question has gone.
  void session.revision.value
  return gone === null ? null : answerWords(session.history, gone)
}

function answerWords(history: History, questionId: string): string | null {
  const answer = history.findLast(
    (event): event is EventOf<'question.answered'> =>
      isSessionEvent(event) && event.type === 'question.answered' && event.questionId === questionId,
  )
  if (answer === undefined) return null
  const { outcome, permit, scope, via, by } = answer
  if (outcome === 'unanswered') return 'The question was withdrawn: nobody answers it any more.'
  const what =
    permit === undefined ? 'answered' : permit === 'deny' ? 'denied' : `allowed, ${scopeWords[scope ?? 'once']}`
  return `${capital(what)} ${whoWords(via, by)}.`
}

const scopeWords = {
  once: 'this once',
  session: 'for this session',
  always: 'always in this project',
} as const

function whoWords(via: EventOf<'question.answered'>['via'], by: string | undefined): string {
  if (via !== undefined) return ownRequests.has(via.id) ? 'by you, here' : 'in another browser window'
  return by === 'user' ? 'at a terminal' : `by ${inOneLine(by ?? 'another program')}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
