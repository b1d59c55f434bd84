import { signal } from '@preact/signals'

/** The views of a session, in the order of their tabs and number keys. */
export const views = [
  'conversation',
  'truth',
  'timeline',
  'recovery',
  'files',
  'context',
  'cost',
  'state',
  'compare',
] as const
export type View = (typeof views)[number]

/** What the page shows. It stands in the fragment of the address, so that a link and the back button lead there. */
export interface Route {
  /** Null for a list. */
  readonly session: string | null
  /** Which one, where there is no session. */
  readonly list: 'sessions' | 'fleet'
  readonly view: View
  /** The event that is looked at. */
  readonly seq: number | null
  /** What else of the view is chosen: a criterion, a file, another session. */
  readonly item: string | null
}

const start: Route = { session: null, list: 'sessions', view: 'conversation', seq: null, item: null }

export const route = signal<Route>(start)

/** The route in a fragment such as `#/s/ses_1/truth?at=12`. Anything else is the list of sessions. */
export function readRoute(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#/, '').split('?')
  const [, letter, id, named] = path.split('/')
  if (letter === 'fleet') return { ...start, list: 'fleet' }
  if (letter !== 's' || id === undefined || id === '') return start
  const wishes = new URLSearchParams(query)
  const seq = Number(wishes.get('at'))
  return {
    ...start,
    session: decoded(id),
    view: views.find((view) => view === named) ?? 'conversation',
    seq: Number.isInteger(seq) && seq > 0 ? seq : null,
    item: wishes.get('item'),
  }
}

export function writeRoute({ session, list, view, seq, item }: Route): string {
  if (session === null) return list === 'fleet' ? '#/fleet' : '#/'
  const wishes = new URLSearchParams()
  if (seq !== null) wishes.set('at', `${seq}`)
  if (item !== null) wishes.set('item', item)
  const query = wishes.size === 0 ? '' : `?${wishes}`
  return `#/s/${encodeURIComponent(session)}/${view}${query}`
}

/** The address of another place. What is not named stays, but the event and the item of another view. */
export function linkTo(to: Partial<Route>): string {
  return writeRoute(routeFor(to))
}

/** Goes there. `replace` leaves no step for the back button, for what changes with every key. */
export function go(to: Partial<Route>, how: 'push' | 'replace' = 'push'): void {
  const next = routeFor(to)
  const fragment = writeRoute(next)
  if (fragment === location.hash) return
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', fragment)
  route.value = next
}

/** Keeps the route with the address, until the returned function is called. */
export function followAddress(): () => void {
  const read = () => {
    route.value = readRoute(location.hash)
  }
  read()
  addEventListener('popstate', read)
  addEventListener('hashchange', read)
  return () => {
    removeEventListener('popstate', read)
    removeEventListener('hashchange', read)
  }
}

function routeFor(to: Partial<Route>): Route {
  const { value: now } = route
  const isElsewhere = (to.view ?? now.view) !== now.view || (to.session ?? now.session) !== now.session
  return { ...now, list: 'sessions', ...(isElsewhere && { seq: null, item: null }), ...to }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
