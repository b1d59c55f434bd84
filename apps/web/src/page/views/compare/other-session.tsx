import { useEffect, useState } from 'preact/hooks'
import { counted, inOneLine, type ListedSession, relativeTime } from '@loader/readings'
import type { Source } from '../../connection/source.ts'
import { go, linkTo } from '../../model/route.ts'
import type { OpenSession } from '../../model/session.ts'
import { Chip, Empty, Failed, stay } from '../../ui/parts.tsx'

const most = 200

/** Which session to compare with: its forks and the one that it was forked from first, then those of its project. */
export function OtherSession({ session, source }: { session: OpenSession; source: Source }) {
  const [rows, setRows] = useState<readonly ListedSession[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [words, setWords] = useState('')
  useEffect(() => {
    let isWanted = true
    source.list({ limit: most }).then(
      ({ sessions }) => isWanted && setRows(sessions),
      (error: unknown) => isWanted && setFailure(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      isWanted = false
    }
  }, [source])
  const state = session.state.value
  if (failure !== null) return <Failed title="The sessions cannot be listed." why={failure} />
  if (rows === null || state === null) return <p class="loading">Looking for sessions…</p>
  const kin = kinOf(state.id, state.forkedFrom?.id ?? null, rows)
  const found = rows
    .filter(({ id, title }) => id !== state.id && `${title} ${id}`.toLowerCase().includes(words.toLowerCase()))
    .toSorted((one, other) => Number(kin.has(other.id)) - Number(kin.has(one.id)))
  return (
    <div class="compare-choice">
      <p class="lead">Which session is it compared with?</p>
      <div class="field">
        <label for="compare-with">Find by title</label>
        <input
          id="compare-with"
          type="search"
          autocomplete="off"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </div>
      {found.length === 0 && <Empty title="There is no other session like that." />}
      <ol class="session-list">
        {found.map((row) => (
          <li key={row.id}>
            <a
              class="session-row"
              href={linkTo({ view: 'compare', item: row.id })}
              onClick={(event) => stay(event, () => go({ view: 'compare', item: row.id }))}
            >
              <span class="session-row-title">{inOneLine(row.title)}</span>
              <span class="session-row-chips">
                {kin.has(row.id) && <Chip word={kin.get(row.id) ?? ''} tone="live" />}
                {row.verdict !== null && <Chip word={row.verdict} />}
              </span>
              <span class="session-row-facts quiet">
                <span>{relativeTime(row.updatedAt, Date.now())}</span>
                <span>{counted(row.turns, 'turn')}</span>
                <span class="path">{inOneLine(row.root)}</span>
              </span>
            </a>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Those that have a history in common with it, and how. */
function kinOf(id: string, from: string | null, rows: readonly ListedSession[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap((row): (readonly [string, string])[] => {
      if (row.id === id) return []
      if (row.forkedFrom === id) return [[row.id, 'fork of this']]
      if (row.id === from) return [[row.id, 'this is its fork']]
      return from !== null && row.forkedFrom === from ? [[row.id, 'fork of the same']] : []
    }),
  )
}
