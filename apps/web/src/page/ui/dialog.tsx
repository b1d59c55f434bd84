import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** A dialog of the browser's own: it holds the focus, and Escape closes it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  children: ComponentChildren
}) {
  const place = useRef<HTMLDialogElement>(null)
  // As soon as it is drawn: the next key is the dialog's.
  useLayoutEffect(() => {
    const before = document.activeElement
    place.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={place}
      aria-labelledby="dialog-title"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === place.current) onClose()
      }}
    >
      <header>
        <h2 id="dialog-title">{title}</h2>
        <button type="button" class="plain" onClick={onClose}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  )
}
