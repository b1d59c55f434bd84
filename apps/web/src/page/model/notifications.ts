import { effect, signal } from '@preact/signals'
import { inOneLine } from '@loader/readings'
import type { ListAnswer, WaitsFor } from '../../protocol.ts'
import type { Source } from '../connection/source.ts'
import { go, route } from './route.ts'

const storedName = 'loader-notify'
/** Pages that show the session say so within this time; then no notification is needed. */
const answerMs = 200

/** Whether this browser is to tell when a session waits, for all pages of this server. */
export const notifying = signal(false)

/** Browsers of phones have notifications, and let no page show one. It is known when a page tries. */
const isBarred = signal(false)

/** What the browser permits. `never`: refused, or not supported; `barred`: this browser lets no page show a notification. */
export function mayNotify(): 'yes' | 'ask' | 'never' | 'barred' {
  if (isBarred.value || !('Notification' in globalThis)) return 'barred'
  if (!('locks' in navigator) || Notification.permission === 'denied') return 'never'
  return Notification.permission === 'granted' ? 'yes' : 'ask'
}

/** Call it from a click only: browsers ask for permission at no other time. */
export async function toggleNotifying(): Promise<void> {
  // Before it is permitted, nothing is shown by this.
  if (mayNotify() === 'ask') made('')
  if (isBarred.value) return
  notifying.value = !notifying.value && (await Notification.requestPermission()) === 'granted'
  localStorage.setItem(storedName, notifying.value ? 'yes' : 'no')
}

/**
 * Tells of sessions that wait, from one of the pages of this browser: the others would tell the same, and each needs a
 * connection that browsers allow few of.
 */
export function startNotifying(source: Source): void {
  const read = () => {
    notifying.value = mayNotify() === 'yes' && localStorage.getItem(storedName) === 'yes'
  }
  read()
  window.addEventListener('storage', read)
  const channel = new BroadcastChannel(storedName)
  const asked = new Map<string, () => void>()
  channel.addEventListener('message', ({ data }: MessageEvent<{ asks?: string; seen?: string }>) => {
    if (data.seen !== undefined) asked.get(data.seen)?.()
    if (data.asks !== undefined && isLookedAt(data.asks)) channel.postMessage({ seen: data.asks })
  })
  const tell = (id: string, title: string, what: WaitsFor) => {
    if (isLookedAt(id)) return
    const timer = setTimeout(() => {
      asked.delete(id)
      show(id, title, what)
    }, answerMs)
    asked.set(id, () => clearTimeout(timer))
    channel.postMessage({ asks: id })
  }
  effect(() => {
    if (!notifying.value) return undefined
    const stop = new AbortController()
    const turn = () =>
      new Promise<void>((resolve) => {
        const unfollow = source.followList(
          {},
          { list: newlyWaiting(tell), connection: () => undefined, staysHidden: true },
        )
        stop.signal.addEventListener('abort', () => {
          unfollow()
          resolve()
        })
      })
    navigator.locks.request(storedName, { signal: stop.signal }, turn).catch(() => undefined)
    return () => stop.abort()
  })
}

/** Tells of each question once, and not of those that were there at the start. */
export function newlyWaiting(
  tell: (id: string, title: string, what: WaitsFor) => void,
): (list: Pick<ListAnswer, 'sessions' | 'waiting'>) => void {
  let known: ReadonlyMap<string, number> | undefined
  return ({ sessions, waiting = {} }) => {
    const now = new Map<string, number>()
    for (const { id, title, seq } of sessions) {
      const what = Object.hasOwn(waiting, id) ? waiting[id] : undefined
      if (what === undefined) continue
      now.set(id, seq)
      if (known !== undefined && (known.get(id) ?? 0) < seq) tell(id, title, what)
    }
    known = now
  }
}

/** Whether the user sees the question anyway. */
function isLookedAt(id: string): boolean {
  return document.visibilityState === 'visible' && document.hasFocus() && route.value.session === id
}

const says: Readonly<Record<WaitsFor, string>> = {
  permit: 'It asks whether a call may run.',
  plan: 'It asks whether to carry out its plan.',
  question: 'It asks you something.',
}

function show(id: string, title: string, what: WaitsFor): void {
  const told = made(inOneLine(title), { body: says[what], tag: `loader ${id}` })
  told?.addEventListener('click', () => {
    window.focus()
    go({ session: id, view: 'conversation', seq: null, item: null })
    told.close()
  })
}

function made(title: string, options?: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    isBarred.value = true
    notifying.value = false
    return undefined
  }
}
