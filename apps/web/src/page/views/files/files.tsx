import { useEffect, useState } from 'preact/hooks'
import {
  counted,
  courseOf,
  type FileEdit,
  filesReading,
  type FileStory,
  inOneLine,
  type KnownLine,
} from '@loader/readings'
import type { DiffAnswer } from '../../../protocol.ts'
import type { Source } from '../../connection/source.ts'
import { useKeys } from '../../model/keys.ts'
import { go, linkTo, route } from '../../model/route.ts'
import type { OpenSession } from '../../model/session.ts'
import { CodeLine, Diff, DiffCounts, FileDiff } from '../../ui/diff.tsx'
import { languageOf } from '../../ui/code-colours.ts'
import { Chip, Empty, SeqLink, stay } from '../../ui/parts.tsx'

type Tab = 'edits' | 'lines' | 'trees'

/** What was done to the files: by call, by line, and as the trees of the workspace show it. */
export function FilesView({ session, source }: { session: OpenSession; source: Source }) {
  const { value: files } = session.reading(filesReading)
  const { item } = route.value
  const [tab, setTab] = useState<Tab>('edits')
  const chosen = files.find(({ path }) => path === item) ?? files[0]
  const move = (by: 1 | -1) => {
    const at = chosen === undefined ? -1 : files.indexOf(chosen)
    const next = files[Math.min(files.length - 1, Math.max(0, at + by))]
    if (next !== undefined) go({ item: next.path, seq: null }, 'replace')
  }
  useKeys([
    { keys: ['j'], group: 'Files', says: 'Next file', run: () => move(1) },
    { keys: ['k'], group: 'Files', says: 'File before', run: () => move(-1) },
    { keys: ['e'], group: 'Files', says: 'Its changes, call by call', run: () => setTab('edits') },
    { keys: ['b'], group: 'Files', says: 'Who wrote which line', run: () => setTab('lines') },
    { keys: ['w'], group: 'Files', says: 'The whole difference, from the trees', run: () => setTab('trees') },
  ])
  if (chosen === undefined) {
    return (
      <Empty title="No file was changed so far.">
        Changes show up here as soon as a call of the session says what it is going to change.
      </Empty>
    )
  }
  return (
    <div class="files">
      <nav class="file-list" aria-label="Changed files">
        <p class="quiet">{counted(files.length, 'file')}</p>
        <ul>
          {files.map((file) => (
            <li key={file.path}>
              <a
                href={linkTo({ item: file.path })}
                aria-current={file === chosen ? 'true' : undefined}
                onClick={(event) => stay(event, () => go({ item: file.path, seq: null }, 'replace'))}
              >
                <span class="path">{inOneLine(file.path)}</span>
                <DiffCounts {...sumOf(file)} />
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="file">
        <div class="segments" role="group" aria-label="How to see it">
          {(
            [
              ['edits', 'Call by call'],
              ['lines', 'Line by line'],
              ['trees', 'Whole difference'],
            ] as const
          ).map(([name, says]) => (
            <button key={name} type="button" aria-pressed={tab === name} onClick={() => setTab(name)}>
              {says}
            </button>
          ))}
        </div>
        {tab === 'edits' && <Edits file={chosen} />}
        {tab === 'lines' && <Lines file={chosen} />}
        {tab === 'trees' && <FromTrees session={session} source={source} />}
      </div>
    </div>
  )
}

function sumOf({ edits }: FileStory): { readonly added: number; readonly removed: number } {
  const done = edits.filter(({ outcome }) => outcome === 'ok')
  return {
    added: done.reduce((sum, { patch }) => sum + patch.added, 0),
    removed: done.reduce((sum, { patch }) => sum + patch.removed, 0),
  }
}

function Edits({ file }: { file: FileStory }) {
  return (
    <>
      {file.seenIn.map(({ turn, seq, change }) => (
        <p class="boundary" key={turn}>
          A command of turn {turn} has {words[change]} it; its content is in the trees.{' '}
          <SeqLink seq={seq} view="state" />
        </p>
      ))}
      {file.edits.map((edit) => (
        <section class="edit" key={`${edit.callId} ${edit.seq}`}>
          <header>
            <span class="turn-badge">turn {edit.turn}</span>
            <span class="tool">{inOneLine(edit.title)}</span>
            <Chip word={edit.outcome ?? 'no result yet'} />
            <SeqLink seq={edit.seq} />
          </header>
          <FileDiff file={edit.patch} title={null} most={60} />
        </section>
      ))}
    </>
  )
}

const words = { added: 'added', modified: 'changed', deleted: 'deleted' } as const

/** Each line with the turn that wrote it. */
function Lines({ file }: { file: FileStory }) {
  const language = languageOf(file.path)
  if (file.lines.length === 0) return <Empty title="No line of it is known from the calls of this session." />
  return (
    <>
      {file.seenIn.length > 0 && (
        <p class="boundary tone-warn">A command has changed it as well, so these lines may not be its last.</p>
      )}
      <div class="diff">
        <div class="diff-scroll" tabIndex={0} role="group" aria-label={`Lines of ${file.path}`}>
          <table class="blame">
            <tbody>
              {file.lines.map((line, index) =>
                line === undefined ? (
                  file.lines[index - 1] === undefined && index > 0 ? null : (
                    <tr class="skip" key={index}>
                      <td colSpan={3} aria-label="Lines that no call has shown" />
                    </tr>
                  )
                ) : (
                  <LineRow
                    key={index}
                    line={line}
                    number={index + 1}
                    file={file}
                    before={file.lines[index - 1]}
                    language={language}
                  />
                ),
              )}
            </tbody>
          </table>
        </div>
      </div>
    </>
  )
}

interface LineProps {
  readonly line: KnownLine
  readonly number: number
  readonly file: FileStory
  readonly before: KnownLine | undefined
  readonly language: string
}

function LineRow({ line, number, file, before, language }: LineProps) {
  const edit: FileEdit | undefined = line.edit === null ? undefined : file.edits[line.edit]
  const isFirst = before === undefined || before.edit !== line.edit
  return (
    <tr class={edit === undefined ? 'same' : 'written'}>
      <td class="who">
        {isFirst && edit !== undefined && (
          <>
            turn {edit.turn} <SeqLink seq={edit.seq} />
          </>
        )}
        {isFirst && edit === undefined && <span class="quiet">before</span>}
      </td>
      <td class="number" data-number={number} />
      <td class="code">
        <CodeLine text={line.text} language={language} />
      </td>
    </tr>
  )
}

/** The difference as git trees of the workspace show it, with what commands did as well. */
function FromTrees({ session, source }: { session: OpenSession; source: Source }) {
  const [answer, setAnswer] = useState<DiffAnswer | string | null>(null)
  const [turn, setTurn] = useState('')
  const { value: revision } = session.revision
  const { value: course } = session.reading(courseOf)
  const turns = course.spans.filter(({ kind }) => kind === 'turn')
  useEffect(() => {
    let isWanted = true
    source.diff(session.id, turn === '' ? {} : { turn }).then(
      (told) => isWanted && setAnswer(told),
      (error: unknown) => isWanted && setAnswer(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      isWanted = false
    }
  }, [session.id, revision, turn])
  return (
    <>
      <div class="field">
        <label for="diff-turn">What was changed by</label>
        <select id="diff-turn" value={turn} onChange={(event) => setTurn(event.currentTarget.value)}>
          <option value="">the whole session</option>
          {turns.map(({ id, title }, index) => (
            <option key={id} value={id}>
              turn {index + 1}: {inOneLine(title)}
            </option>
          ))}
        </select>
      </div>
      <TreeDiff answer={answer} />
    </>
  )
}

function TreeDiff({ answer }: { answer: DiffAnswer | string | null }) {
  if (answer === null) return <p class="loading">Comparing the trees…</p>
  if (typeof answer === 'string') return <Empty title="There are no trees to compare.">{inOneLine(answer)}</Empty>
  return (
    <>
      {answer.unseen.map(({ turnId, why }) => (
        <p class="boundary tone-warn" key={turnId}>
          What {turnId} has changed is not known: {inOneLine(why)}
        </p>
      ))}
      {answer.patch.trim() === '' ? <Empty title="No file is different." /> : <Diff text={answer.patch} most={120} />}
    </>
  )
}
