import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Source } from '../connection/source.ts'
import { type Followed, followSession } from '../model/follow.ts'
import { plainLine } from '../markdown/plain-line.ts'
import { useKeys } from '../model/keys.ts'
import { go, linkTo, route, type View, views } from '../model/route.ts'
import type { OpenSession } from '../model/session.ts'
import { Boundary } from '../ui/boundary.tsx'
import { ConnectionLine } from '../ui/connection-line.tsx'
import { Failed, stay } from '../ui/parts.tsx'
import { Dock } from './acting/dock.tsx'
import { MoreDialog } from './acting/more-dialog.tsx'
import { Agents } from './agents/agents.tsx'
import { CompareView } from './compare/compare.tsx'
import { ContextView } from './context/context.tsx'
import { Conversation } from './conversation/conversation.tsx'
import { CostView } from './cost/cost.tsx'
import { FilesView } from './files/files.tsx'
import { SessionHeader } from './header.tsx'
import { RecoveryView } from './recovery/recovery.tsx'
import { Ribbon } from './ribbon.tsx'
import { StateView } from './state/state.tsx'
import { TimelineView } from './timeline/timeline.tsx'
import { TruthView } from './truth/truth.tsx'

/** What a view is given. */
interface ViewProps {
  readonly session: OpenSession
  readonly source: Source
  /** Whether other sessions can be opened from here. */
  readonly hasList: boolean
}

const shown: Readonly<Record<View, { readonly title: string; readonly Body: ComponentType<ViewProps> }>> = {
  conversation: { title: 'Conversation', Body: Conversation },
  truth: { title: 'Truth', Body: TruthView },
  timeline: { title: 'Timeline', Body: TimelineView },
  recovery: { title: 'Recovery', Body: RecoveryView },
  files: { title: 'Files', Body: FilesView },
  context: { title: 'Context', Body: ContextView },
  cost: { title: 'Cost', Body: CostView },
  state: { title: 'State', Body: StateView },
  compare: { title: 'Compare', Body: CompareView },
}

interface SessionViewProps {
  readonly id: string
  readonly source: Source
  readonly hasList: boolean
  /** Whether anything may be changed from here. */
  readonly isActing: boolean
  readonly onKeys: () => void
}

/** One session: its header, one of its views, and what can be done with it. */
export function SessionView({ id, source, hasList, isActing, onKeys }: SessionViewProps) {
  const [isMore, setMore] = useState(false)
  const [followed, setFollowed] = useState<Followed | null>(null)
  useEffect(() => {
    const begun = followSession(source, id)
    setFollowed(begun)
    return begun.stop
  }, [source, id])
  // There is nothing to compare with where there is one session alone.
  const tabbed = views.filter((view) => view !== 'compare' || hasList)
  useKeys([
    ...views.map((view, index) => ({
      keys: [`${index + 1}`],
      group: 'Views',
      says: shown[view].title,
      run: () => tabbed.includes(view) && go({ view }),
    })),
    {
      keys: ['m'],
      group: 'Acting',
      says: 'More: rename, fork, take back, accept, export',
      run: () => setMore(hasList),
    },
  ])
  const { view } = route.value
  const { title, Body } = shown[view]
  const state = followed?.session.state.value ?? null
  const failure = followed?.failure.value ?? null
  const tabs = useRef<HTMLElement>(null)
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [view])
  const waits = followed?.session.standing.value?.question != null
  useEffect(() => {
    const title = plainLine(state?.title ?? state?.openingWords ?? 'Session')
    document.title = `${waits ? '● Waits for you: ' : ''}${title} · Loader`
  }, [state?.title, state?.openingWords, waits])
  return (
    <div class="session">
      <SessionHeader
        followed={followed}
        hasList={hasList}
        onKeys={onKeys}
        onMore={hasList && state !== null ? () => setMore(true) : null}
        share={hasList ? () => source.link(id) : null}
      />
      <ConnectionLine connection={followed?.session.connection.value ?? null} />
      {followed !== null && state !== null && <Ribbon session={followed.session} />}
      {followed !== null && state !== null && <Agents session={followed.session} source={hasList ? source : null} />}
      <nav class="tabs" ref={tabs} aria-label="Views of this session">
        {tabbed.map((name, index) => (
          <a
            key={name}
            href={linkTo({ view: name })}
            aria-current={name === view ? 'page' : undefined}
            title={`${shown[name].title} (${index + 1})`}
            onClick={(event) => stay(event, () => go({ view: name }))}
          >
            {shown[name].title}
          </a>
        ))}
      </nav>
      <main id="main" tabIndex={-1} class={`view view-${view}`} aria-busy={followed?.session.isWhole.value !== true}>
        <h2 class="hidden">{title}</h2>
        {followed?.session.fault.value != null && (
          <Failed title="The rest of this session cannot be shown." why={followed.session.fault.value} />
        )}
        {failure !== null && state === null && <Failed title="This session cannot be shown." why={failure} />}
        {followed !== null && state !== null && followed.session.isWhole.value ? (
          <Boundary key={view}>
            <Body session={followed.session} source={source} hasList={hasList} />
          </Boundary>
        ) : (
          failure === null && <p class="loading">Reading the session…</p>
        )}
      </main>
      {isActing && followed !== null && state !== null && (
        <Dock session={followed.session} isWriting={view === 'conversation'} />
      )}
      {isMore && followed !== null && state !== null && (
        <MoreDialog session={followed.session} source={source} isActing={isActing} onClose={() => setMore(false)} />
      )}
    </div>
  )
}
