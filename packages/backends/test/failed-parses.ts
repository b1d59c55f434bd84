import { Session } from 'node:inspector/promises'

interface Coverage {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly count: number }[]
  }[]
}

/** How many parses of zod fail meanwhile: V8 counts the calls of the function that makes a failure. */
export async function failedParses(work: () => Promise<unknown>): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => url.endsWith('/zod/v4/core/parse.js'))
      .reduce((sum, each) => sum + failures(each), 0)
  } finally {
    session.disconnect()
  }
}

function failures({ functions }: Coverage): number {
  return functions.find(({ functionName }) => functionName === 'failure')?.ranges[0]?.count ?? 0
}
