import { useLayoutEffect, useRef } from 'preact/hooks'
import { counted } from '@loader/readings'

interface FindBarProps {
  readonly text: string
  readonly found: number
  readonly onText: (text: string) => void
  readonly onMove: (by: 1 | -1) => void
  readonly onClose: () => void
}

/** Finds in the whole session; the browser only finds what is on the screen. */
export function FindBar({ text, found, onText, onMove, onClose }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null)
  // As soon as it is drawn: the next letter is to be found.
  useLayoutEffect(() => field.current?.focus(), [])
  return (
    <form
      class="find-bar"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onMove(1)
      }}
    >
      <label class="hidden" for="find">
        Find in this session
      </label>
      <input
        id="find"
        ref={field}
        type="search"
        placeholder="Find in this session"
        value={text}
        autocomplete="off"
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
        }}
      />
      <span class="quiet figure" role="status">
        {text.trim() === '' ? '' : found === 0 ? 'not found' : counted(found, 'entry', 'entries')}
      </span>
      <button type="button" class="plain" onClick={() => onMove(-1)} aria-label="The one before">
        ↑
      </button>
      <button type="submit" class="plain" aria-label="The next one">
        ↓
      </button>
      <button type="button" class="plain" onClick={onClose}>
        Close
      </button>
    </form>
  )
}
