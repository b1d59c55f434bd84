import { useEffect, useState } from 'preact/hooks'
import { counted, duration, fullTime } from '@loader/readings'
import type { Connection } from '../connection/connection.ts'

/** How long a page says what it has missed. */
const toldForMs = 12_000

/** Says when the connection is lost, and what was missed once it is back. */
export function ConnectionLine({ connection }: { connection: Connection | null }) {
  const missed = connection?.missed
  const [told, setTold] = useState<typeof missed>(undefined)
  useEffect(() => {
    if (missed === undefined) return undefined
    const timer = setTimeout(() => setTold(missed), toldForMs)
    return () => clearTimeout(timer)
  }, [missed])
  const words = connection === null ? null : wordsFor(connection, missed === told ? undefined : missed)
  return (
    <p class={words === null ? 'connection' : `connection tone-${words.tone}`} role="status">
      {words?.text}
    </p>
  )
}

function wordsFor(
  { phase, outage, way, isLive }: Connection,
  missed: Connection['missed'],
): { readonly tone: 'warn' | 'good'; readonly text: string } | null {
  if (phase.kind === 'ended') return { tone: 'warn', text: `What you see may be old. ${phase.message}` }
  if (outage !== undefined) {
    const since = fullTime(new Date(outage.since).toISOString()).slice(11)
    const what =
      phase.kind === 'open' ? 'Connected again; what was missed is on its way.' : 'It is tried again by itself.'
    return {
      tone: 'warn',
      text: `No connection since ${since}${causes[outage.cause]}. What you see is from then. ${what}`,
    }
  }
  if (missed === undefined || missed.until - missed.since < 1000) {
    if (way === 'stream' || !isLive) return null
    return { tone: 'warn', text: 'Something on the way holds answers back: words come late, and events together.' }
  }
  const events = missed.events === 0 ? 'nothing had happened' : `${counted(missed.events, 'event')} came in since`
  const restarted = missed.restarted ? ', the server was started again' : ''
  return {
    tone: 'good',
    text: `Connected again after ${duration(missed.until - missed.since)}${restarted}; ${events}.`,
  }
}

const causes = {
  closed: '',
  silent: ' (the server is silent)',
  unreachable: ' (the server does not answer)',
  asleep: ' (this machine was asleep)',
} as const
