import { useEffect, useState } from 'preact/hooks'
import { counted, inOneLine } from '@loader/readings'
import type { ActAnswers } from '../../../protocol.ts'
import { useAct } from '../../model/act.ts'
import { go } from '../../model/route.ts'
import type { OpenSession } from '../../model/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Diff } from '../../ui/diff.tsx'
import { ActFailure } from './act-failure.tsx'

/** Shows what the last turn rests on, and accepts just that. */
export function AcceptDialog({ session, onClose }: { session: OpenSession; onClose: () => void }) {
  const [shown, setShown] = useState<ActAnswers['accept-preview'] | null>(null)
  const [looking, doing] = [useAct('accept-preview'), useAct('accept')]
  const look = async () => setShown((await looking.run({ session: session.id })) ?? null)
  useEffect(() => void look(), [])
  const accept = async () => {
    if (shown === null || (await doing.run({ session: session.id, token: shown.token })) === undefined) return
    onClose()
    go({ view: 'truth', seq: null })
  }
  return (
    <Dialog title="Accept" onClose={onClose}>
      {looking.isPending && <p class="loading">Looking at what there is to accept…</p>}
      <ActFailure failure={looking.failure} what="Your wish" />
      {shown !== null && (
        <>
          <p>
            Checks have passed with these changed. Only you can say that they are meant to be so; then the turn counts
            as accepted.
          </p>
          <Listed title="file" names={shown.preview.files} />
          <Listed title="package" names={shown.preview.packages} />
          <Listed
            title="test that is missing or skipped"
            plural="tests that are missing or skipped"
            names={shown.preview.tests}
          />
          {shown.preview.patch !== '' && (
            <div class="accept-patch" tabIndex={0} role="group" aria-label="The changes">
              <Diff text={shown.preview.patch} most={Number.POSITIVE_INFINITY} />
            </div>
          )}
        </>
      )}
      <div class="dialog-foot">
        <button
          type="button"
          class="main"
          disabled={shown === null || doing.isPending}
          aria-busy={doing.isPending}
          onClick={() => void accept()}
        >
          {doing.isPending ? 'Being stored…' : 'Accept them as they are'}
        </button>
      </div>
      <ActFailure failure={doing.failure} what="Your wish" />
    </Dialog>
  )
}

function Listed({ title, plural, names }: { title: string; plural?: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <section class="foreseen">
      <h3>{counted(names.length, title, plural)}</h3>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <code>{inOneLine(name)}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}
