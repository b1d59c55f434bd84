import { useState } from 'preact/hooks'
import { inOneLine } from '@loader/readings'
import type { ExportFormat, Source } from '../../connection/source.ts'
import type { OpenSession } from '../../model/session.ts'
import { Dialog } from '../../ui/dialog.tsx'

const formats: readonly (readonly [format: ExportFormat, ending: string, title: string, says: string])[] = [
  ['html', 'html', 'Page', 'This page with the session inside: one file that needs no server'],
  ['markdown', 'md', 'Markdown', 'The conversation as text'],
  ['json', 'json', 'JSON', 'Every event; loader import reads it again'],
]

/** Loads the session as a file. Secrets are replaced in it. */
export function ExportDialog({
  session,
  source,
  onClose,
}: {
  session: OpenSession
  source: Source
  onClose: () => void
}) {
  const [said, setSaid] = useState<{ readonly text: string; readonly isBad: boolean } | null>(null)
  const [busy, setBusy] = useState<ExportFormat | null>(null)
  const load = async (format: ExportFormat, ending: string) => {
    setBusy(format)
    setSaid(null)
    try {
      saved(await source.exported(session.id, format), `${session.id}.${ending}`)
      setSaid({ text: `${session.id}.${ending} went to your downloads.`, isBad: false })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      setSaid({ text: `It was not exported: ${inOneLine(why)}`, isBad: true })
    } finally {
      setBusy(null)
    }
  }
  return (
    <Dialog title="Export" onClose={onClose}>
      <ul class="menu">
        {formats.map(([format, ending, title, says]) => (
          <li key={format}>
            <button
              type="button"
              disabled={busy !== null}
              aria-busy={busy === format}
              onClick={() => void load(format, ending)}
            >
              <strong>{busy === format ? 'Being made…' : title}</strong>
              <span class="quiet">{says}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class={said?.isBad === true ? 'tone-bad' : 'quiet'} role="status">
        {said?.text ?? 'Secrets are replaced by marks. Images and files go along as they are.'}
      </p>
    </Dialog>
  )
}

function saved(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
