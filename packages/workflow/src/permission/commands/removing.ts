import { changes, type Judge, judged } from '../shell/judgement.ts'
import { options, scan } from '../shell/options.ts'
import { whereIs } from '../shell/place.ts'

const removing = options(
  '-dfIiRrvP --dir --force --interactive? --recursive --one-file-system --preserve-root? --no-preserve-root --verbose',
)

/** `rm` is a change like any other, unless it takes away what holds everything else. */
export const judgeRemove: Judge = (args, standing) => {
  const scanned = scan(args, removing)
  const recursive = args.some(({ value }) => /^(?:-[a-zA-Z]*[rR]|--recursive)/.test(value))
  const everything = args.find((word) => !word.value.startsWith('-') && isHomeOrRoot(word.value))
  if (recursive && (everything !== undefined || args.some(({ value }) => value === '--no-preserve-root'))) {
    return judged('ruin', `removes ${everything?.text ?? 'everything'}`)
  }
  if (recursive) {
    const swept = args.find(
      (word) => word.kind === 'open' && /^\/?\*?$/.test(word.value.replace(/\$\{?\w+(?::?-)?\}?/g, '')),
    )
    if (swept !== undefined) return judged('danger', `removes everything, should ${swept.text} be empty`)
  }
  const top = args.find((word) => !word.value.startsWith('-') && whereIs(word, standing.place) === 'top')
  if (top !== undefined) {
    // A star leaves out what begins with a dot, and so the folder of the runtime.
    const sweeps = top.value.includes('*') ? {} : ({ sweeps: true } as const)
    return { ...judged('danger', `removes ${top.text}, all of the workspace`), ...sweeps }
  }
  if (!scanned.fits) return judged('ask', scanned.why)
  const sink = scanned.operands.find((word) => whereIs(word, standing.place) === 'sink')
  if (sink !== undefined) return judged('danger', `removes ${sink.text}, which belongs to the system`)
  return changes(scanned.operands, standing)
}

/** Whole trees that no command may take away. */
export function isHomeOrRoot(path: string): boolean {
  return /^(?:\/+\.?\.?\/*\*?|~\/?\*?|\$\{?HOME\}?\/?\*?|\/(?:etc|usr|bin|sbin|lib|lib64|boot|home|root|var|opt|dev|proc|sys|Users|System|Library)\/*\*?|[A-Za-z]:[\\/]?\*?)$/.test(
    path,
  )
}
