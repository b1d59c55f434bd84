import type { KeyBinding } from '../model/keys.ts'
import { Dialog } from './dialog.tsx'

/** All keys that hold now. */
export function KeysDialog({ lists, onClose }: { lists: readonly (readonly KeyBinding[])[]; onClose: () => void }) {
  const held = lists.flat()
  const groups = [...new Set(held.map(({ group }) => group))]
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div class="keys">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {held
                .filter((one) => one.group === group)
                .map(({ keys, says }) => (
                  <div key={says}>
                    <dt>
                      {keys.map((key) => (
                        <kbd key={key}>{names[key] ?? key}</kbd>
                      ))}
                    </dt>
                    <dd>{says}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

const names: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ' ': 'Space',
  Escape: 'Esc',
}
