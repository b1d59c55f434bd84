import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { inOneLine } from '@loader/readings'
import { isSessionEvent } from '@loader/session-core'
import type { Standing } from '../../../protocol.ts'
import { newRequest } from '../../connection/act.ts'
import { useAct } from '../../model/act.ts'
import { type Draft, keepDraft, readDraft, useForgottenElsewhere } from '../../model/drafts.ts'
import { useKeys } from '../../model/keys.ts'
import type { OpenSession } from '../../model/session.ts'
import { ActFailure } from './act-failure.tsx'
import { TaskWishes, type Wishes, wishesOf } from './task-wishes.tsx'

/** Words that something else of the page puts into the field, such as those of a turn that was taken back. */
export const proposed = new EventTarget()

/** Where tasks are written, and words for a turn that runs. What is typed is kept until the server has stored it. */
export function Composer({ session, standing }: { session: OpenSession; standing: Standing | null }) {
  const { id } = session
  const draft = useSignal<Draft>(readDraft(id))
  const wishes = useSignal<Wishes>({ mode: '', check: '' })
  const field = useRef<HTMLTextAreaElement>(null)
  const isWanted = useSignal(false)
  const [send, queue, stop] = [useAct('send'), useAct('queue'), useAct('stop')]
  const isRunning = standing !== null && standing.turnId !== null && standing.phase !== 'cut_off'
  const isPending = send.isPending || queue.isPending
  // A question needs the room, unless the user is writing.
  const isShown = standing?.question == null || isWanted.value || draft.value.text !== ''
  const toField = () => {
    isWanted.value = true
    requestAnimationFrame(() => field.current?.focus())
  }
  const write = (next: Draft) => {
    draft.value = next
    keepDraft(id, next)
  }
  useSeen(session, draft.value, () => write({ text: '' }))
  useForgottenElsewhere(id, draft)
  useFitted(field, draft.value.text)
  useProposed(id, (text) => {
    write({ text: [draft.value.text, text].filter((part) => part.trim() !== '').join('\n') })
    toField()
  })

  const submit = async () => {
    const { text } = draft.value
    if (text.trim() === '' || standing === null || isPending) return
    // The same words keep their request id until the result is known.
    const request = draft.value.request ?? newRequest()
    write({ text, request })
    send.forget()
    queue.forget()
    const isQueued = isRunning
    const answer = isQueued
      ? await queue.run({ session: id, text }, request)
      : await send.run({ session: id, text, ...wishesOf(wishes.value) }, request)
    if (answer === undefined) return
    // What was typed meanwhile stays.
    write({ text: draft.value.text === text ? '' : draft.value.text })
  }
  const stopTurn = () => {
    if (standing?.turnId != null && isRunning) void stop.run({ session: id, turnId: standing.turnId })
  }
  useKeys([
    { keys: ['i'], group: 'Acting', says: 'Write', run: toField },
    { keys: ['.'], group: 'Acting', says: 'Stop the turn', run: stopTurn },
  ])
  const failure = send.failure ?? queue.failure
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {isShown && (
        <label class="hidden" for="composer">
          {isRunning ? 'Words for the turn that runs' : 'What shall be done'}
        </label>
      )}
      <textarea
        id="composer"
        ref={field}
        hidden={!isShown}
        rows={1}
        value={draft.value.text}
        readOnly={isPending}
        placeholder={isRunning ? 'Words for the running turn' : 'What shall be done?'}
        aria-describedby="composer-says"
        onFocus={() => (isWanted.value = true)}
        onBlur={() => (isWanted.value = false)}
        onInput={(event) => {
          // Changed words get a new request id.
          write({ text: event.currentTarget.value })
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') field.current?.blur()
          if (!isSending(event)) return
          event.preventDefault()
          void submit()
        }}
      />
      <div class="composer-foot">
        <p id="composer-says" class="quiet">
          {wordsOf(standing)}
        </p>
        {!isRunning && <TaskWishes wishes={wishes.value} onWish={(next) => (wishes.value = next)} />}
        {isRunning && (
          <button type="button" class="stop" disabled={stop.isPending} aria-busy={stop.isPending} onClick={stopTurn}>
            {stop.isPending ? 'Stopping…' : 'Stop'}
          </button>
        )}
        {isShown ? (
          <button
            type="submit"
            class="main"
            disabled={isPending || standing === null || draft.value.text.trim() === ''}
            aria-busy={isPending}
          >
            {isPending ? 'Being stored…' : isRunning ? 'Queue' : 'Send'}
          </button>
        ) : (
          <button type="button" onClick={toField}>
            Write
          </button>
        )}
      </div>
      <ActFailure failure={failure} what="What you wrote" />
      <ActFailure failure={stop.failure} what="Your wish to stop" />
    </form>
  )
}

/** Enter sends where there are keys; on a phone it begins a line, and the button sends. */
function isSending(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.isComposing) return false
  if (event.ctrlKey || event.metaKey) return true
  return !event.shiftKey && !event.altKey && !matchMedia('(pointer: coarse)').matches
}

function wordsOf(standing: Standing | null): string {
  if (standing === null) return 'Connecting…'
  const { phase, holder } = standing
  switch (phase) {
    case 'running':
      return holder?.where === 'elsewhere' ? `Runs elsewhere: ${inOneLine(holder.words)}` : 'A turn runs'
    case 'waiting':
      return 'It waits for your answer'
    case 'cut_off':
      return ''
    case 'resting':
      return holder?.where === 'elsewhere' ? `Open elsewhere: ${inOneLine(holder.words)}` : ''
    default:
      return phase satisfies never
  }
}

/** Words that are in the log were sent, even if their answer was lost. */
function useSeen(session: OpenSession, { request }: Draft, forget: () => void): void {
  const revision = session.revision.value
  useEffect(() => {
    if (request === undefined) return
    const isThere = session.history.some(
      (event) => isSessionEvent(event) && event.type === 'input.queued' && event.via?.id === request,
    )
    if (isThere) forget()
  }, [request, revision])
}

/** As high as its words, up to a limit that the style sets. */
function useFitted(field: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const { current: box } = field
    if (box === null) return
    box.style.height = 'auto'
    box.style.height = `${box.scrollHeight + 2}px`
  }, [text])
}

function useProposed(id: string, take: (text: string) => void): void {
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    const heard = (event: Event) => {
      if (event instanceof CustomEvent) latest.current(String(event.detail))
    }
    proposed.addEventListener(id, heard)
    return () => proposed.removeEventListener(id, heard)
  }, [id])
}
