/** A process tree that must be ended when this process exits. */
interface Mortal {
  endAtOnce(): void
}

const living = new Set<Mortal>()

function endAll(): void {
  for (const each of living) each.endAtOnce()
}

export function rememberLiving(mortal: Mortal): void {
  if (living.size === 0) process.once('exit', endAll)
  living.add(mortal)
}

export function forgetLiving(mortal: Mortal): void {
  living.delete(mortal)
  if (living.size === 0) process.removeListener('exit', endAll)
}
