import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** A key, what it does, and where it holds. */
export interface KeyBinding {
  /** As `KeyboardEvent.key` has it. */
  readonly keys: readonly string[]
  readonly says: string
  /** The heading under which the list of keys has it. */
  readonly group: string
  readonly run: (event: KeyboardEvent) => void
}

/** What holds now. Later ones hold before earlier ones. */
export const bindings = signal<readonly (readonly KeyBinding[])[]>([])

/**
 * Holds these keys while the component is there. They hold as soon as it is drawn, before the browser can tell of the next
 * key: of two that are pressed at once, the second goes to the view that the first has opened.
 */
export function useKeys(list: readonly KeyBinding[]): void {
  const latest = useRef(list)
  latest.current = list
  useLayoutEffect(() => {
    // What runs is the newest function, what is listed are the first words: those do not change.
    const held = list.map((binding, index) => ({
      ...binding,
      run: (event: KeyboardEvent) => latest.current[index]?.run(event),
    }))
    bindings.value = [...bindings.value, held]
    return () => {
      bindings.value = bindings.value.filter((one) => one !== held)
    }
  }, [])
}

/** Listens for keys, until the returned function is called. Keys that go into a field, or belong to the browser, stay there. */
export function listenForKeys(page: Document): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const target = holderOf(event)
    // What a dialog covers gets none.
    if (target?.closest('dialog') != null) return
    if (isField(target) && event.key !== 'Escape') return
    if (event.key === 'Enter' && target?.closest('a, button, summary') != null) return
    for (const list of bindings.value.toReversed()) {
      const binding = list.find(({ keys }) => keys.includes(event.key))
      if (binding === undefined) continue
      event.preventDefault()
      binding.run(event)
      return
    }
  }
  page.addEventListener('keydown', onKey)
  return () => page.removeEventListener('keydown', onKey)
}

/** What has the focus: nothing, where it is still in a dialog that has just been closed. */
function holderOf({ target }: KeyboardEvent): Element | null {
  if (!(target instanceof Element)) return null
  return target.closest('dialog:not([open])') === null ? target : null
}

function isField(target: Element | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('textarea, select, input:not([type=range]):not([type=checkbox])')
}
