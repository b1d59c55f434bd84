import { useState } from 'preact/hooks'
import { inOneLine } from '@loader/readings'
import type { Hello } from '../../../protocol.ts'
import { newRequest } from '../../connection/act.ts'
import { useAct } from '../../model/act.ts'
import { keepDraft, readDraft } from '../../model/drafts.ts'
import { go } from '../../model/route.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ActFailure } from '../acting/act-failure.tsx'
import { TaskWishes, type Wishes, wishesOf } from '../acting/task-wishes.tsx'

interface NewSessionProps {
  readonly hello: Hello
  readonly projects: readonly string[]
  readonly onClose: () => void
}

const place = 'new session'

/** Begins a session with a task, in one of the projects that there are. */
export function NewSession({ hello, projects, onClose }: NewSessionProps) {
  const act = useAct('send')
  const [draft, setDraft] = useState(() => readDraft(place))
  const [wishes, setWishes] = useState<Wishes>({ mode: '', check: '' })
  const known = [...new Set([hello.project, ...projects])].filter((one) => one !== '')
  const [project, setProject] = useState(known[0] ?? '')
  const [isForFleet, setForFleet] = useState(false)
  const write = (text: string, request?: string) => {
    setDraft({ text, request })
    keepDraft(place, { text, request })
  }
  const begin = async () => {
    const { text } = draft
    if (text.trim() === '' || act.isPending) return
    const request = draft.request ?? newRequest()
    write(text, request)
    const answer = await act.run(
      { text, project, ...wishesOf(wishes), ...(isForFleet && { to: 'fleet' as const }) },
      request,
    )
    if (answer === undefined) return
    keepDraft(place, { text: '' })
    onClose()
    go({ session: answer.session, view: 'conversation', seq: null, item: null })
  }
  return (
    <Dialog title="New session" onClose={onClose}>
      <form
        class="stacked"
        onSubmit={(event) => {
          event.preventDefault()
          void begin()
        }}
      >
        <label for="new-task">What shall be done?</label>
        <textarea
          id="new-task"
          autofocus
          rows={5}
          value={draft.text}
          readOnly={act.isPending}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            void begin()
          }}
        />
        <label for="new-project">In which project</label>
        <select id="new-project" value={project} onChange={(event) => setProject(event.currentTarget.value)}>
          {known.map((one) => (
            <option key={one} value={one}>
              {inOneLine(one)}
            </option>
          ))}
        </select>
        <TaskWishes wishes={wishes} onWish={setWishes} />
        {hello.fleet && (
          <label class="check">
            <input
              type="checkbox"
              checked={isForFleet}
              onChange={(event) => setForFleet(event.currentTarget.checked)}
            />
            <span>A worker does it, not this server</span>
          </label>
        )}
        <div class="dialog-foot">
          <span class="quiet">Ctrl-Enter begins</span>
          <button
            type="submit"
            class="main"
            disabled={act.isPending || draft.text.trim() === ''}
            aria-busy={act.isPending}
          >
            {act.isPending ? 'Being stored…' : 'Begin'}
          </button>
        </div>
      </form>
      <ActFailure failure={act.failure} what="The task" />
    </Dialog>
  )
}
