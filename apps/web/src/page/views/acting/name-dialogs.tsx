import { useState } from 'preact/hooks'
import { inOneLine } from '@loader/readings'
import { summarize } from '@loader/session-core'
import { useAct } from '../../model/act.ts'
import { go, route } from '../../model/route.ts'
import type { OpenSession } from '../../model/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ActFailure } from './act-failure.tsx'

interface NameProps {
  readonly session: OpenSession
  readonly onClose: () => void
}

export function RenameDialog({ session, onClose }: NameProps) {
  const act = useAct('rename')
  const state = session.state.value
  const [title, setTitle] = useState(state === null ? '' : summarize(state).title)
  const rename = async () => {
    if ((await act.run({ session: session.id, title: title.trim() })) !== undefined) onClose()
  }
  return (
    <Dialog title="Rename" onClose={onClose}>
      <form
        class="stacked"
        onSubmit={(event) => {
          event.preventDefault()
          if (title.trim() !== '') void rename()
        }}
      >
        <label for="title">Title</label>
        <input
          id="title"
          autofocus
          autocomplete="off"
          value={title}
          onInput={(event) => setTitle(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="submit" class="main" disabled={act.isPending || title.trim() === ''} aria-busy={act.isPending}>
          {act.isPending ? 'Being stored…' : 'Rename'}
        </button>
      </form>
      <ActFailure failure={act.failure} what="The title" />
    </Dialog>
  )
}

export function ForkDialog({ session, onClose }: NameProps) {
  const act = useAct('fork')
  const { seq } = route.value
  const last = session.lastSeq
  const [title, setTitle] = useState('')
  const [isHere, setHere] = useState(seq !== null && seq < last)
  const fork = async () => {
    const answer = await act.run({
      session: session.id,
      ...(isHere && seq !== null && { at: seq }),
      ...(title.trim() !== '' && { title: title.trim() }),
    })
    if (answer === undefined) return
    onClose()
    go({ session: answer.session, view: 'conversation', seq: null, item: null })
  }
  return (
    <Dialog title="Fork" onClose={onClose}>
      <form
        class="stacked"
        onSubmit={(event) => {
          event.preventDefault()
          void fork()
        }}
      >
        <p class="quiet">
          A session of its own with the same history, which then goes another way. This one stays as it is, and the
          files of the project are the same for both.
        </p>
        <label for="title">Title, if you like</label>
        <input
          id="title"
          autofocus
          autocomplete="off"
          placeholder={session.state.value === null ? '' : inOneLine(summarize(session.state.value).title)}
          value={title}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
        {seq !== null && seq < last && (
          <label class="check">
            <input type="checkbox" checked={isHere} onChange={(event) => setHere(event.currentTarget.checked)} />
            <span>
              Up to event #{seq}, which is chosen; without it, all of it up to #{last}
            </span>
          </label>
        )}
        <button type="submit" class="main" disabled={act.isPending} aria-busy={act.isPending}>
          {act.isPending ? 'Being copied…' : 'Fork'}
        </button>
      </form>
      <ActFailure failure={act.failure} what="Your wish" />
    </Dialog>
  )
}
