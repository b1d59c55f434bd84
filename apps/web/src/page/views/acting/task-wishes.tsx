import type { ActBodies } from '../../../protocol.ts'
import { plain } from '../../model/words.ts'

/** How a task is to be worked on; empty for as usual. */
export interface Wishes {
  readonly mode: Mode | ''
  readonly check: string
}

type Mode = NonNullable<ActBodies['send']['mode']>

const modes: readonly Mode[] = ['clarify', 'plan', 'execute', 'verify', 'explore']

/** As the server wants them: what is not wished for is not said. */
export function wishesOf({ mode, check }: Wishes): Pick<ActBodies['send'], 'mode' | 'checks'> {
  return { ...(mode !== '' && { mode }), ...(check.trim() !== '' && { checks: [check.trim()] }) }
}

/** The mode of the next task, and what must hold at its end. */
export function TaskWishes({ wishes, onWish }: { wishes: Wishes; onWish: (wishes: Wishes) => void }) {
  const { mode, check } = wishes
  return (
    <details class="task-wishes">
      <summary>
        {mode === '' && check.trim() === '' ? 'Options' : [plain(mode), check].filter(Boolean).join(', ')}
      </summary>
      <div class="task-wishes-inside">
        <div class="field">
          <label for="wish-mode">Mode</label>
          <select
            id="wish-mode"
            value={mode}
            onChange={(event) => onWish({ mode: modes.find((one) => one === event.currentTarget.value) ?? '', check })}
          >
            <option value="">as usual</option>
            {modes.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="wish-check">A command that must pass</label>
          <input
            id="wish-check"
            autocomplete="off"
            placeholder="npm test"
            value={check}
            onInput={(event) => onWish({ mode, check: event.currentTarget.value })}
          />
        </div>
      </div>
    </details>
  )
}
