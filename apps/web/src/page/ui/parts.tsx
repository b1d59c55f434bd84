import type { ComponentChildren } from 'preact'
import { fullTime, inLines, inOneLine } from '@loader/readings'
import { go, linkTo, type View } from '../model/route.ts'
import { plain, type Tone, toneOf } from '../model/words.ts'

/** A word with its colour. The shape in front tells the same to those who do not see the colour. */
export function Chip({ word, tone = toneOf(word), says }: { word: string; tone?: Tone; says?: string }) {
  return (
    <span class={`chip tone-${tone}`} title={says}>
      <Shape tone={tone} />
      {plain(word)}
    </span>
  )
}

/** One shape for each tone. */
export function Shape({ tone }: { tone: Tone }) {
  return (
    <svg class="shape" viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
      {shapes[tone]()}
    </svg>
  )
}

// Made for each place: an element that is kept would keep the tree that it was in last, and the session of that tree.
const shapes: Readonly<Record<Tone, () => ComponentChildren>> = {
  good: () => <path d="M2 6.4 4.9 9.2 10 3.2" fill="none" stroke="currentColor" stroke-width="2" />,
  kept: () => <path d="M6 1.4 10.6 6 6 10.6 1.4 6Z" fill="none" stroke="currentColor" stroke-width="1.8" />,
  warn: () => <path d="M6 1.6 11 10.4H1Z" fill="none" stroke="currentColor" stroke-width="1.6" />,
  bad: () => <path d="M2.4 2.4 9.6 9.6M9.6 2.4 2.4 9.6" fill="none" stroke="currentColor" stroke-width="2" />,
  live: () => <circle cx="6" cy="6" r="3.6" fill="currentColor" class="pulse" />,
  idle: () => <circle cx="6" cy="6" r="3.4" fill="none" stroke="currentColor" stroke-width="1.8" />,
}

/** A sentence of the runtime: what stands between backticks is code. */
export function Words({ text }: { text: string }) {
  const parts = inOneLine(text).split('`')
  // An odd number of marks would turn words into code and code into words.
  if (parts.length % 2 === 0) return <>{parts.join('`')}</>
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
}

/** Leads to an event, in the view where it is seen best. */
export function SeqLink({ seq, view = 'conversation' }: { seq: number; view?: View }) {
  const name = view === 'state' ? 'the state after it' : `the ${view}`
  return (
    <a
      class="seq"
      href={linkTo({ view, seq })}
      onClick={(event) => stay(event, () => go({ view, seq }))}
      title={`Event ${seq}, in ${name}`}
    >
      #{seq}
    </a>
  )
}

/** Leads to another session. */
export function SessionLink({ id, children }: { id: string; children: ComponentChildren }) {
  const to = { session: id, view: 'conversation', seq: null, item: null } as const
  return (
    <a href={linkTo(to)} onClick={(event) => stay(event, () => go(to))}>
      {children}
    </a>
  )
}

/** Follows a link within the page, unless the browser was asked for more than that. */
export function stay(event: MouseEvent, run: () => void): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  run()
}

export function Time({ at, form = 'clock' }: { at: string | number; form?: 'clock' | 'full' }) {
  const iso = typeof at === 'number' ? new Date(at).toISOString() : at
  const full = fullTime(iso)
  return (
    <time dateTime={iso} title={full}>
      {form === 'full' ? full : full.slice(11)}
    </time>
  )
}

/** Output of programs: its escapes written out, nothing in it obeyed. */
export function Output({ text, name, most = 24 }: { text: string; name: string; most?: number }) {
  const lines = inLines(text)
  const shown = lines.length <= most + 2 ? lines : lines.slice(0, most)
  return (
    <>
      <pre class="output" tabIndex={0} aria-label={name}>
        {shown.join('\n')}
      </pre>
      {shown.length < lines.length && (
        <details class="more">
          <summary>{lines.length - shown.length} more lines</summary>
          <pre class="output" tabIndex={0} aria-label={`${name}, the rest`}>
            {lines.slice(shown.length).join('\n')}
          </pre>
        </details>
      )}
    </>
  )
}

/** What a view says when it has nothing to show. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <svg viewBox="0 0 48 16" width="96" height="32" aria-hidden="true">
        <path
          d="M1 8h12m4 0h14m4 0h12"
          fill="none"
          stroke="currentColor"
          stroke-width="2"
          stroke-linecap="round"
          stroke-dasharray="1 4"
        />
      </svg>
      <p class="empty-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
    </div>
  )
}

export function Failed({ title, why }: { title: string; why: string }) {
  return (
    <div class="empty failed" role="alert">
      <p class="empty-title">{title}</p>
      <p>{inOneLine(why)}</p>
    </div>
  )
}

/** Figures with their names, in a row. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
