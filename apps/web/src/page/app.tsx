import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Hello } from '../protocol.ts'
import type { Source } from './connection/source.ts'
import { bindings, type KeyBinding, useKeys } from './model/keys.ts'
import { startNotifying } from './model/notifications.ts'
import { go, route } from './model/route.ts'
import { GoToDialog } from './ui/go-to-dialog.tsx'
import { KeysDialog } from './ui/keys-dialog.tsx'
import { Notice } from './ui/notice.tsx'
import { FleetView } from './views/fleet/fleet.tsx'
import { SessionsView } from './views/sessions/sessions.tsx'
import { SessionView } from './views/session.tsx'

/** The whole page: the list of sessions, or one session. */
export function App({ source, problem }: { source: Source; problem: string | null }) {
  const hello = useSignal<Hello | null>(null)
  const shown = useSignal<'keys' | 'go_to' | null>(null)
  const { session, list } = route.value
  const isActing = source.kind === 'server' && hello.value?.readOnly === false
  const hasList = source.kind === 'server' && hello.value?.scope.kind !== 'session'
  useEffect(() => {
    source.hello().then(
      (told) => {
        hello.value = told
        if (source.kind === 'server' && told.scope.kind === 'all') startNotifying(source)
      },
      () => undefined,
    )
  }, [source])
  useKeys(
    pageKeys({
      showKeys: () => (shown.value = 'keys'),
      goTo: () => (shown.value = 'go_to'),
      toList: () => hasList && go({ session: null }),
    }),
  )
  return (
    <>
      <a class="skip-link" href="#main" onClick={(event) => toMain(event)}>
        To the content
      </a>
      <Notice hello={hello.value} problem={problem} />
      {session === null && list === 'fleet' ? (
        <FleetView source={source} hello={hello.value} />
      ) : session === null ? (
        <SessionsView source={source} hello={hello.value} />
      ) : (
        <SessionView
          key={session}
          id={session}
          source={source}
          hasList={hasList}
          isActing={isActing}
          onKeys={() => (shown.value = 'keys')}
        />
      )}
      {shown.value === 'keys' && <KeysDialog lists={bindings.value} onClose={() => (shown.value = null)} />}
      {shown.value === 'go_to' && session !== null && <GoToDialog onClose={() => (shown.value = null)} />}
    </>
  )
}

interface PageKeys {
  readonly showKeys: () => void
  readonly goTo: () => void
  readonly toList: () => void
}

function pageKeys({ showKeys, goTo, toList }: PageKeys): KeyBinding[] {
  const group = 'Everywhere'
  return [
    { keys: ['?'], group, says: 'These keys', run: showKeys },
    { keys: ['#'], group, says: 'Go to an event by its number', run: goTo },
    { keys: ['u'], group, says: 'To the list of sessions', run: toList },
  ]
}

function toMain(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
