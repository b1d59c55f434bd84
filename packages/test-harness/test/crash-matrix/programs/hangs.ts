import { setTimeout } from 'node:timers/promises'

export async function scenario(): Promise<void> {
  await setTimeout(60_000)
}

export const resume = scenario
