import type { CrashPorts } from '../../../src/index.ts'

export async function scenario({ boundary }: CrashPorts<unknown>): Promise<void> {
  await boundary('step', 'first')
  process.stderr.write('I have had enough.')
  process.exit(3)
}

export const resume = scenario
