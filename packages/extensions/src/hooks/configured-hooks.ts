import * as z from 'zod'
import {
  type ConfiguredHook,
  type HookEvent,
  hookEvents,
  type HooksSetting,
  isPattern,
  longestTimeout,
} from './hook-settings.ts'

const usualSeconds: Readonly<Partial<Record<HookEvent, number>>> = { SessionEnd: 5 }

/** The hooks of one file of settings, and what of them does not count. */
export function hooksOfSettings(
  setting: HooksSetting,
  about: Pick<ConfiguredHook, 'source' | 'origin'>,
): { readonly hooks: readonly ConfiguredHook[]; readonly faults: readonly string[] } {
  const faults: string[] = []
  const hooks = hookEvents.flatMap((event) =>
    (setting[event] ?? []).flatMap(({ matcher = '', hooks: commands }) =>
      commands.map(({ command, timeout = usualSeconds[event] ?? 60, reach = 'work', async: isAsync = false }) => {
        const held = about.origin === 'user' || reach === 'look' ? reach : 'work'
        if (held !== reach) faults.push(`${about.source}: a hook on ${event} wants the reach ${reach}, and gets work`)
        return { event, matcher, command, timeoutMs: timeout * 1000, reach: held, async: isAsync, ...about }
      }),
    ),
  )
  return { hooks, faults }
}

const Shared = z.looseObject({ hooks: z.record(z.string(), z.unknown()).optional() })
const SharedGroup = z.looseObject({
  matcher: z.string().optional(),
  hooks: z.array(z.looseObject({ type: z.string().optional(), command: z.string().optional() })),
})

/**
 * The hooks in a file that other programs share, such as `.claude/settings.json`. Each hook that cannot run here is reported;
 * the others still run.
 */
export function hooksOfSharedFile(
  value: unknown,
  about: Pick<ConfiguredHook, 'source' | 'origin'>,
): { readonly hooks: readonly ConfiguredHook[]; readonly faults: readonly string[] } {
  const faults: string[] = []
  const fault = (what: string) => void faults.push(`${about.source}: ${what}`)
  const hooks: ConfiguredHook[] = []
  const shared = Shared.safeParse(value)
  if (!shared.success) return { hooks, faults: [`${about.source}: hooks should be an object`] }
  for (const [event, given] of Object.entries(shared.data.hooks ?? {})) {
    if (!isHookEvent(event)) {
      fault(`hooks on ${event} do not run here`)
      continue
    }
    const groups = z.array(z.unknown()).safeParse(given)
    const read = (groups.data ?? []).map((group) => SharedGroup.safeParse(group))
    if (!groups.success || read.some((group) => !group.success)) {
      fault(`hooks.${event} is not a list of { matcher, hooks }`)
    }
    for (const { matcher = '', hooks: commands } of read.flatMap(({ data }) => data ?? [])) {
      for (const { type = 'command', command, timeout, if: only, async: isAsync, asyncRewake } of commands) {
        const seconds = z.number().positive().max(longestTimeout).safeParse(timeout)
        if (type !== 'command' || command === undefined || command === '') fault(`a hook on ${event} is no command`)
        else if (!isPattern(matcher)) fault(`the matcher ${matcher} on ${event} is no regular expression`)
        else if (only !== undefined) fault(`a hook on ${event} has the key if, which is not known here: ${command}`)
        else {
          if (asyncRewake === true)
            fault(`a hook on ${event} has the key asyncRewake: it runs like async, and wakes nobody: ${command}`)
          const timeoutMs = (seconds.data ?? usualSeconds[event] ?? 60) * 1000
          const goesOn = isAsync === true || asyncRewake === true
          hooks.push({ event, matcher, command, timeoutMs, reach: 'work', async: goesOn, ...about })
        }
      }
    }
  }
  return { hooks, faults }
}

function isHookEvent(event: string): event is HookEvent {
  return (hookEvents as readonly string[]).includes(event)
}
