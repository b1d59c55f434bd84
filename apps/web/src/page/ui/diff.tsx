import { useMemo, useState } from 'preact/hooks'
import { counted, type FilePatch, inLines, inOneLine, readPatch } from '@loader/readings'
import { languageOf } from './code-colours.ts'
import { CodeWords } from './code-words.tsx'

/** Lines of a diff that are shown before one asks for more. */
const shortDiff = 28

/** A unified diff of one or more files. */
export function Diff({ text, most = shortDiff }: { text: string; most?: number }) {
  const files = useMemo(() => readPatch(text), [text])
  return (
    <>
      {files.map((file) => (
        <FileDiff key={file.path} file={file} most={most} />
      ))}
    </>
  )
}

type Row =
  | { readonly kind: 'skip' }
  | {
      readonly kind: 'line'
      readonly sign: ' ' | '-' | '+'
      readonly text: string
      readonly old: number
      readonly now: number
    }

/** The changes of one file, with the numbers of its lines on both sides. */
export function FileDiff({
  file,
  most = shortDiff,
  title = file.path,
}: {
  file: FilePatch
  most?: number
  title?: string | null
}) {
  const [isWhole, setWhole] = useState(false)
  const rows = useMemo(() => rowsOf(file), [file])
  const shown = isWhole || rows.length <= most + 3 ? rows : rows.slice(0, most)
  const language = languageOf(file.path)
  return (
    <figure class="diff">
      {title !== null && (
        <figcaption>
          <span class="path">{inOneLine(title)}</span>
          <DiffCounts added={file.added} removed={file.removed} />
          {file.change !== 'modified' && <span class="quiet">{file.change}</span>}
        </figcaption>
      )}
      <div class="diff-scroll" tabIndex={0} role="group" aria-label={`Changes of ${file.path}`}>
        <table>
          <tbody>
            {shown.map((row, index) => (
              <DiffRow key={index} row={row} language={language} />
            ))}
          </tbody>
        </table>
      </div>
      {file.notes.map((note) => (
        <p class="quiet note" key={note}>
          {inOneLine(note)}
        </p>
      ))}
      {shown.length < rows.length && (
        <button type="button" class="plain more" onClick={() => setWhole(true)}>
          {counted(rows.length - shown.length, 'more line')}
        </button>
      )}
    </figure>
  )
}

export function DiffCounts({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="diff-counts">
      {added > 0 && <span class="tone-good">+{added}</span>}
      {removed > 0 && <span class="tone-bad">−{removed}</span>}
    </span>
  )
}

function DiffRow({ row, language }: { row: Row; language: string }) {
  if (row.kind === 'skip') {
    return (
      <tr class="skip">
        <td colSpan={4} aria-label="Lines that are the same are left out" />
      </tr>
    )
  }
  const { sign, text, old, now } = row
  const name = sign === '+' ? 'added' : sign === '-' ? 'removed' : 'same'
  return (
    <tr class={name}>
      <td class="number" data-number={sign === '+' ? '' : old} />
      <td class="number" data-number={sign === '-' ? '' : now} />
      <td class="sign" aria-label={name === 'same' ? undefined : name}>
        {sign}
      </td>
      <td class="code">
        <CodeLine text={text} language={language} />
      </td>
    </tr>
  )
}

/** One line of code with its colours. Comments and texts over several lines are not followed from line to line. */
export function CodeLine({ text, language }: { text: string; language: string }) {
  return <CodeWords text={inLines(text).join('')} language={language} />
}

function rowsOf({ hunks }: FilePatch): Row[] {
  return hunks.flatMap(({ oldStart, newStart, lines }, index) => {
    let [old, now] = [oldStart, newStart]
    const rows = lines.map(({ sign, text }): Row => {
      const row = { kind: 'line' as const, sign, text, old, now }
      if (sign !== '+') old += 1
      if (sign !== '-') now += 1
      return row
    })
    return index === 0 && newStart <= 1 ? rows : [{ kind: 'skip' as const }, ...rows]
  })
}
