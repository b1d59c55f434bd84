import { useEffect, useMemo, useState } from 'preact/hooks'
import { conversationOf, counted, inOneLine, relativeTime, type ShowEntry } from '@loader/readings'
import type { ActAnswers } from '../../../protocol.ts'
import { useAct } from '../../model/act.ts'
import { go } from '../../model/route.ts'
import type { OpenSession } from '../../model/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Chip } from '../../ui/parts.tsx'
import { ActFailure } from './act-failure.tsx'
import { proposed } from './composer.tsx'

interface RewindProps {
  readonly session: OpenSession
  readonly onClose: () => void
}

type Preview = ActAnswers['rewind-preview']

/** Goes back to before a turn: first which, then what that would take back, and only then it is done. */
export function RewindDialog({ session, onClose }: RewindProps) {
  const [turn, setTurn] = useState<Turn | null>(null)
  const { value: entries } = session.reading(conversationOf)
  const turns = useMemo(() => turnsOf(entries), [entries])
  if (turn !== null)
    return <RewindPreview session={session} turn={turn} onBack={() => setTurn(null)} onClose={onClose} />
  return (
    <Dialog title="Take back: to before which words?" onClose={onClose}>
      <ul class="menu">
        {turns.length === 0 && <li class="quiet">No turn can be taken back.</li>}
        {turns.map((one, index) => (
          <li key={one.id}>
            <button type="button" onClick={() => setTurn(one)}>
              <strong>{inOneLine(one.words).slice(0, 160)}</strong>
              <span class="quiet">
                {counted(index + 1, 'turn')} back, {relativeTime(one.at, Date.now())}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

interface Turn {
  readonly id: string
  readonly words: string
  readonly at: string
}

/** The turns that stand, the latest first. */
function turnsOf(entries: readonly ShowEntry[]): Turn[] {
  const words = new Map(entries.flatMap((entry) => (entry.kind === 'message' ? [[entry.id, entry.text] as const] : [])))
  return entries
    .flatMap((entry): Turn[] => {
      if (entry.kind !== 'turn_end' || (entry.standing !== 'live' && entry.standing !== 'folded')) return []
      const { id, inputId, startedAt } = entry.turn
      return [{ id, words: words.get(inputId) ?? 'a turn', at: startedAt }]
    })
    .toReversed()
}

function RewindPreview({
  session,
  turn,
  onBack,
  onClose,
}: RewindProps & { readonly turn: Turn; readonly onBack: () => void }) {
  const [withFiles, setFiles] = useState(true)
  const [preview, setPreview] = useState<Preview | null>(null)
  const [looking, doing] = [useAct('rewind-preview'), useAct('rewind')]
  const wanted = { session: session.id, turn: turn.id, files: withFiles }
  const look = async () => {
    setPreview(null)
    setPreview((await looking.run(wanted)) ?? null)
  }
  useEffect(() => void look(), [withFiles])
  const takeBack = async () => {
    if (preview === null) return
    const answer = await doing.run({ ...wanted, token: preview.token })
    if (answer === undefined) return
    onClose()
    go({ seq: null })
    // As at the terminal, the words come back, to be changed or sent again. They do so after the dialog has released the focus.
    setTimeout(() => proposed.dispatchEvent(new CustomEvent(session.id, { detail: preview.preview.input })))
  }
  return (
    <Dialog title="Take back" onClose={onClose}>
      <label class="check">
        <input
          type="checkbox"
          checked={withFiles}
          disabled={looking.isPending || doing.isPending}
          onChange={(event) => setFiles(event.currentTarget.checked)}
        />
        <span>The files go back as well</span>
      </label>
      {looking.isPending && <p class="loading">Looking at what would go back…</p>}
      <ActFailure failure={looking.failure} what="Your wish" />
      {preview !== null && <Foreseen preview={preview} withFiles={withFiles} />}
      <div class="dialog-foot">
        <button type="button" onClick={onBack} disabled={doing.isPending}>
          Other words
        </button>
        <button
          type="button"
          class="main"
          disabled={preview === null || doing.isPending}
          aria-busy={doing.isPending}
          onClick={() => void takeBack()}
        >
          {doing.isPending ? 'Being taken back…' : `Take back ${counted(preview?.preview.turnIds.length ?? 1, 'turn')}`}
        </button>
      </div>
      <ActFailure failure={doing.failure} what="Your wish" />
    </Dialog>
  )
}

function Foreseen({ preview: { preview }, withFiles }: { preview: Preview; withFiles: boolean }) {
  const { turnIds, input, files, unseen } = preview
  return (
    <div class="foreseen">
      <p>
        <strong>{counted(turnIds.length, 'turn')}</strong> from these words on. Nothing has been changed yet.
      </p>
      <blockquote>{inOneLine(input)}</blockquote>
      {withFiles && files.length === 0 && <p class="quiet">No file changes by it.</p>}
      <ul class="foreseen-files">
        {files.map(({ path, outcome, action, reason }) => (
          <li key={path}>
            <Chip
              word={outcome === 'restored' ? (actions[action ?? ''] ?? 'goes back') : 'stays'}
              tone={outcome === 'restored' ? 'good' : 'warn'}
            />
            <code>{inOneLine(path)}</code>
            {reason !== undefined && <span class="quiet">{inOneLine(reason)}</span>}
          </li>
        ))}
      </ul>
      {unseen.map(({ turnId, why }) => (
        <p key={turnId} class="tone-warn">
          What a turn has changed is not known, so its files stay as they are: {inOneLine(why)}
        </p>
      ))}
    </div>
  )
}

const actions: Readonly<Record<string, string>> = {
  write: 'goes back',
  remove: 'is removed',
  make_folder: 'is made again',
  remove_folder: 'is removed',
}
