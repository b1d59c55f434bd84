import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Source } from '../../connection/source.ts'
import { mayNotify, notifying, toggleNotifying } from '../../model/notifications.ts'
import { go } from '../../model/route.ts'
import type { OpenSession } from '../../model/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { AcceptDialog } from './accept-dialog.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { ForkDialog, RenameDialog } from './name-dialogs.tsx'
import { RewindDialog } from './rewind-dialog.tsx'

interface MoreProps {
  readonly session: OpenSession
  readonly source: Source
  /** Whether anything may be changed. */
  readonly isActing: boolean
  readonly onClose: () => void
}

type Place = 'menu' | 'rename' | 'fork' | 'rewind' | 'accept' | 'export'

/** Everything that can be done with a session besides writing to it. */
export function MoreDialog({ session, source, isActing, onClose }: MoreProps) {
  const [place, setPlace] = useState<Place>('menu')
  const state = session.state.value
  const isOpen = state?.turn != null
  const waits = isOpen ? 'when the turn has ended' : undefined
  switch (place) {
    case 'rename':
      return <RenameDialog session={session} onClose={onClose} />
    case 'fork':
      return <ForkDialog session={session} onClose={onClose} />
    case 'rewind':
      return <RewindDialog session={session} onClose={onClose} />
    case 'accept':
      return <AcceptDialog session={session} onClose={onClose} />
    case 'export':
      return <ExportDialog session={session} source={source} onClose={onClose} />
    case 'menu':
      return (
        <Dialog title="This session" onClose={onClose}>
          <ul class="menu">
            {isActing && (
              <>
                <Item title="Rename" says="Another title" onChoose={() => setPlace('rename')} />
                <Item title="Fork" says="A copy of it that goes another way" onChoose={() => setPlace('fork')} />
                <Item
                  title="Take back"
                  says={waits ?? 'To before a turn, with its files; shown before it is done'}
                  isOff={isOpen || state?.lastTurn == null}
                  onChoose={() => setPlace('rewind')}
                />
                <Item
                  title="Accept"
                  says={waits ?? 'What the last turn rests on and checks cannot show; shown before it is done'}
                  isOff={isOpen || state?.lastTurn == null}
                  onChoose={() => setPlace('accept')}
                />
              </>
            )}
            <Item
              title="Compare"
              says="With another session, or a fork of this one"
              onChoose={() => {
                onClose()
                go({ view: 'compare' })
              }}
            />
            <Share session={session.id} source={source} />
            <Item title="Export" says="As a file, with secrets replaced" onChoose={() => setPlace('export')} />
            <Notifications />
          </ul>
        </Dialog>
      )
    default:
      return place satisfies never
  }
}

/** Copies an address that shows this session alone, and nothing can be changed with. */
function Share({ session, source }: { session: string; source: Source }) {
  const [said, setSaid] = useState('An address that shows this session alone, read-only and without secrets')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await source.link(session))
      setSaid('Copied.')
    } catch (error) {
      setSaid(`Not copied: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return <Item title="Copy a link" says={<span role="status">{said}</span>} onChoose={() => void copy()} />
}

interface ItemProps {
  readonly title: string
  readonly says: ComponentChildren
  readonly isOff?: boolean
  readonly onChoose: () => void
}

function Item({ title, says, isOff = false, onChoose }: ItemProps) {
  return (
    <li>
      <button type="button" autofocus={title === 'Rename'} disabled={isOff} onClick={onChoose}>
        <strong>{title}</strong>
        <span class="quiet">{says}</span>
      </button>
    </li>
  )
}

/** Asks the browser, on this click, whether it may tell when a session waits. */
function Notifications() {
  const isOn = notifying.value
  const may = mayNotify()
  return (
    <li>
      <button
        type="button"
        aria-pressed={isOn}
        disabled={may === 'never' || may === 'barred'}
        onClick={() => void toggleNotifying()}
      >
        <strong>{isOn ? 'Tells you when a session waits' : 'Tell me when a session waits'}</strong>
        <span class="quiet">
          {may === 'never'
            ? 'This browser does not allow it for this page. Its settings for the page can.'
            : may === 'barred'
              ? 'This browser lets no page do it, as browsers of phones do.'
              : isOn
                ? 'By a notification of the browser, from pages that nobody looks at. Click to stop it.'
                : 'By a notification of the browser, from a page that nobody looks at'}
        </span>
      </button>
    </li>
  )
}
