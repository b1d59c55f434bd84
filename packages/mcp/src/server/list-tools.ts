import type { Client } from '@modelcontextprotocol/client'
import * as z from 'zod'

/** A tool in the words of its server. */
export interface DescribedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: unknown
  readonly annotations: Readonly<Record<string, unknown>>
}

const mostPages = 50

/** One invalid tool must not exclude the others, so this schema requires little. */
const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })
const Described = z.looseObject({
  name: z.string().min(1),
  description: z.string().catch(''),
  inputSchema: z.unknown(),
  annotations: z.record(z.string(), z.unknown()).catch({}),
})

/** All tools of a server, page by page. The number of pages is limited. */
export async function listTools(client: Client, most: number, timeout: number): Promise<readonly DescribedTool[]> {
  const found: DescribedTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages && found.length <= most; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const { tools, nextCursor } = await client.request({ method: 'tools/list', params }, Page, { timeout })
    for (const tool of tools) {
      const described = Described.safeParse(tool).data
      if (described !== undefined) found.push(described)
    }
    if (nextCursor === undefined || nextCursor === cursor) break
    cursor = nextCursor
  }
  return found
}
