import { existsSync, rmSync } from 'node:fs'
import { processesWith } from '@loader/test-harness'
import type { Reach } from '@loader/session-core/coding'
import type { Hostile } from './hostile.ts'
import type { Walled, WalledRequest, WalledRun } from './walled-run.ts'
import type { World } from './world.ts'

export interface Attack {
  readonly run: WalledRun
  /** What became of the world that must not have, in words. */
  readonly violations: readonly string[]
}

/** Runs a hostile program, and looks at everything that it could have reached, whatever it was after. */
export async function attack(
  world: World,
  walled: Walled,
  hostile: Hostile,
  reach: Reach,
  options?: WalledRequest['options'],
): Promise<Attack> {
  const kept = reach === 'look' ? () => world.everything() : () => world.snapshot()
  const before = kept()
  const run = await walled.run({ place: world.place, reach, command: world.fill(hostile.program), options })
  const after = kept()
  const violations = changes(before, after)
  if (run.output.includes(world.secret) || run.secretsReplaced > 0) violations.push('a secret was printed')
  if (run.output.includes(`got ${world.mark}`)) violations.push('the kernel did it for it')
  if (world.hasHeardInPipe) violations.push('a pipe heard')
  for (const path of world.ownersRights()) violations.push(`${path} runs with the rights of its owner`)
  for (const what of world.heard) violations.push(`a listener heard: ${what}`)
  if (reach !== 'look' && existsSync(world.pwned)) violations.push('it ran something outside')
  world.useAfterwards()
  if (existsSync(world.pwned)) violations.push('something ran when its repositories were used')
  if (!world.neighbourLives) violations.push('another process was ended')
  const left = processesWith(world.mark)
  if (left.length > 0) violations.push('a process outlived its command')
  for (const pid of left) process.kill(pid, 'SIGKILL')
  for (const folder of ['/tmp', '/var/tmp', '/dev/shm']) {
    const path = `${folder}/${world.mark}`
    if (!existsSync(path)) continue
    violations.push(`${folder} has something new`)
    rmSync(path, { recursive: true })
  }
  return { run, violations }
}

function changes(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return paths
    .filter((path) => before[path] !== after[path])
    .map((path) => `${path} was ${before[path] ?? 'absent'}, is ${after[path] ?? 'absent'}`)
}
