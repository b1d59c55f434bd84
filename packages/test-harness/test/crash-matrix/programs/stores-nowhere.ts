import { Session } from '@loader/session-core'
import type { CrashPorts } from '../../../src/index.ts'

export async function scenario({ store, environment }: CrashPorts<unknown>): Promise<void> {
  await Session.open(store, { environment })
}

export const resume = scenario
