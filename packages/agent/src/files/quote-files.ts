import type { FilePart, QuotedFile, Session, Signal } from '@loader/session-core'
import { type Policy, requireExamination, requireResult, type Tool } from '@loader/session-core/coding'
import { decidePermission, needOf } from '@loader/workflow'

/** Files that the user named, as the model sees them; of those that are not sent, why. */
export interface Quoted {
  readonly texts: readonly QuotedFile[]
  /** Images and documents. */
  readonly files: readonly FilePart[]
}

interface Reading {
  readonly tools: readonly Tool[]
  readonly session: Session
  readonly policy: Policy
  readonly root: string
  readonly signal?: Signal | undefined
}

/**
 * The files as the tool `read` shows them, in one page each: a file that a call of the model could not read,
 * because of a rule, the mode or the walls, is not sent either, because a task need not come from the user.
 */
export async function quoteFiles(paths: readonly string[], reading: Reading): Promise<Quoted> {
  const texts: QuotedFile[] = []
  const files: FilePart[] = []
  for (const file of new Set(paths)) {
    const read = await quoteFile(file, reading)
    const said =
      'why' in read ? `The file ${file} is not sent: ${read.why}` : `The file ${file}, as it is now:\n${read.text}`
    texts.push({ file, text: await reading.session.storeText(`\n\n${said}`) })
    if ('files' in read) files.push(...read.files)
  }
  return { texts, files }
}

type Read = { readonly text: string; readonly files: readonly FilePart[] } | { readonly why: string }

async function quoteFile(file: string, { tools, session, policy, root, signal }: Reading): Promise<Read> {
  const tool = tools.find(({ name }) => name === 'read')
  const parsed = tool?.input.safeParse({ file_path: file })
  if (tool === undefined || parsed?.success !== true) return { why: 'there is no tool that reads files.' }
  const { images, documents } = policy.model ?? {}
  const model = { ...(images !== undefined && { images }), ...(documents !== undefined && { documents }) }
  const call = { id: 'quoted', name: tool.name, input: { file_path: file } }
  const context = { callId: call.id, sessionId: session.id, blobs: session.blobs, model, ...(signal && { signal }) }
  const examined = await tool.examine(parsed.data, context)
  requireExamination(tool, examined)
  if (!examined.valid) return { why: examined.message }
  const { effect, reach } = needOf(examined, policy)
  const { permit, reason } = decidePermission({ call, examined: { ...examined, effect, reach } }, policy, [], { root })
  if (permit !== 'allow') return { why: `${reason}.` }
  const result = await tool.run(examined, { ...context, reach })
  requireResult(tool, result)
  if (result.outcome !== 'ok') return { why: result.text }
  return { text: result.text, files: result.files ?? [] }
}
