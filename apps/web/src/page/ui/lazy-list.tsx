import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

// A long conversation is far more than a browser can lay out at once, or should keep. The entries are put into chunks, and
// those into sections; what is nowhere near the screen is an empty box of the height that it had, or is thought to have.

const chunkLength = 2
const sectionLength = 20 * chunkLength
const aheadOfScreen = '1500px 0px'

interface LazyListProps<Item> {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string | number
  readonly render: (item: Item, index: number) => ComponentChildren
  /** How high an entry is about, in pixels, before it was ever shown. */
  readonly guess: (item: Item) => number
  /** The entry that has to be there, because it is scrolled to. */
  readonly wanted: number | null
}

/** A list of any length. */
export function LazyList<Item>({ items, keyOf, render, guess, wanted }: LazyListProps<Item>) {
  const heights = useRef(new Map<number, number>())
  const heightOf = (first: number, length: number) => {
    const chunks = steps(first, Math.min(items.length, first + length), chunkLength)
    const guessed = (at: number) => items.slice(at, at + chunkLength).reduce((sum, item) => sum + guess(item), 0)
    return chunks.reduce((sum, at) => sum + (heights.current.get(at) ?? guessed(at)), 0)
  }
  const isHeld = (first: number, length: number) =>
    (wanted !== null && first <= wanted && wanted < first + length) || first + length > items.length - chunkLength
  return (
    <div class="lazy-list">
      {steps(0, items.length, sectionLength).map((section) => (
        <Box
          key={section}
          class="section"
          height={() => heightOf(section, sectionLength)}
          isHeld={isHeld(section, sectionLength)}
        >
          {() =>
            steps(section, Math.min(items.length, section + sectionLength), chunkLength).map((first) => (
              <Box
                key={first}
                class="chunk"
                height={() => heightOf(first, chunkLength)}
                isHeld={isHeld(first, chunkLength)}
                onHeight={(height) => heights.current.set(first, height)}
              >
                {() =>
                  items
                    .slice(first, first + chunkLength)
                    .map((item, index) => <div key={keyOf(item)}>{render(item, first + index)}</div>)
                }
              </Box>
            ))
          }
        </Box>
      ))}
    </div>
  )
}

function steps(from: number, to: number, by: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / by)) }, (_, index) => from + index * by)
}

interface BoxProps {
  readonly class: string
  /** How high it is while it is empty. */
  readonly height: () => number
  readonly isHeld: boolean
  /** Told when it has become empty: how high it was. */
  readonly onHeight?: (height: number) => void
  readonly children: () => ComponentChildren
}

/** Draws its content only while it is near the screen, or held. */
function Box({ class: name, height, isHeld, onHeight, children }: BoxProps) {
  const place = useRef<HTMLDivElement>(null)
  const tell = useRef(onHeight)
  tell.current = onHeight
  const [isNear, setNear] = useState(false)
  const isShown = isNear || isHeld
  useEffect(() => {
    const box = place.current
    if (box === null) return undefined
    return watch(box, (near) => {
      if (near) {
        soon(box, () => setNear(true))
        return
      }
      wanted.delete(box)
      // Measure the box with its content, not the empty one.
      if (box.childElementCount > 0) tell.current?.(box.offsetHeight)
      setNear(false)
    })
  }, [])
  useLayoutEffect(() => {
    const box = place.current
    if (box !== null) box.style.height = isShown ? '' : `${Math.round(height())}px`
  }, [isShown])
  return (
    <div ref={place} class={name}>
      {isShown ? children() : null}
    </div>
  )
}

/** The boxes that have come near and are not shown yet. */
const wanted = new Map<Element, () => void>()
let frame = 0

/** Shows a box in one of the next frames: those that come near at once must not hold up the scrolling. */
function soon(box: Element, show: () => void): void {
  wanted.set(box, show)
  frame ||= requestAnimationFrame(showNearest)
}

/** One box a frame, the one nearest to the middle of the screen first. */
function showNearest(): void {
  frame = 0
  const away = (box: Element) => {
    const { top, bottom } = box.getBoundingClientRect()
    return Math.max(0, top - innerHeight / 2, innerHeight / 2 - bottom)
  }
  const [nearest] = [...wanted].toSorted(([one], [other]) => away(one) - away(other))
  if (nearest === undefined) return
  const [box, show] = nearest
  wanted.delete(box)
  show()
  if (wanted.size > 0) frame = requestAnimationFrame(showNearest)
}

const watched = new WeakMap<Element, (near: boolean) => void>()
let observer: IntersectionObserver | undefined

/** Tells whether a box is near the screen, until the returned function is called. One observer serves all. */
function watch(box: Element, tell: (near: boolean) => void): () => void {
  observer ??= newObserver()
  watched.set(box, tell)
  observer.observe(box)
  return () => {
    watched.delete(box)
    wanted.delete(box)
    observer?.unobserve(box)
  }
}

/** Apart from what asks for it, because it lives as long as the page and would keep the first box. */
function newObserver(): IntersectionObserver {
  return new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting)
    },
    { rootMargin: aheadOfScreen },
  )
}
