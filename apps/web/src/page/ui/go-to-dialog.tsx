import { go } from '../model/route.ts'
import { Dialog } from './dialog.tsx'

/** Leads to an event by its number, in the view that is open. */
export function GoToDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Go to an event" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const seq = Number(new FormData(event.currentTarget).get('seq'))
          if (Number.isInteger(seq) && seq > 0) go({ seq })
          onClose()
        }}
      >
        <label for="seq">Its number, as it stands behind #</label>
        <input id="seq" name="seq" type="number" min="1" step="1" required autofocus />
        <button type="submit">Go</button>
      </form>
    </Dialog>
  )
}
