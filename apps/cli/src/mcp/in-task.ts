import { cut, type McpServers } from '@loader/mcp'
import type { FilePart } from '@loader/session-core'

/** A task with what servers have to say to it. */
export interface TaskWithServers {
  readonly task: string
  readonly files: readonly FilePart[]
}

const longestImage = 5 * 1024 * 1024

/**
 * A task that begins with `/server:prompt` becomes that prompt, and what `@server:uri` names is put below it. If one
 * cannot be read, that is reported, and the words stay as they were typed.
 */
export async function inTask(
  servers: McpServers,
  text: string,
  files: readonly FilePart[],
  onNote?: (note: string) => void,
): Promise<TaskWithServers> {
  if (!mayMeanServers(text)) return { task: text, files }
  await servers.connected()
  const task = (await promptFor(servers, text, onNote)) ?? text
  const parts: string[] = []
  const more: FilePart[] = []
  for (const { server, uri, written } of mentions(servers, task)) {
    try {
      for (const content of (await servers.server(server)?.read(uri)) ?? []) {
        if ('text' in content) parts.push(`<resource uri="${written}">\n${cut(content.text).text}\n</resource>`)
        else if (isImage(content)) more.push(imageOf(content))
        else parts.push(`<resource uri="${written}">(${content.mimeType ?? 'bytes'}, not passed on)</resource>`)
      }
    } catch (error) {
      onNote?.(`${written} could not be read: ${messageOf(error)}`)
    }
  }
  return { task: [task, ...parts].join('\n\n'), files: [...files, ...more] }
}

/** Whether words of this form are in the text; only then servers are waited for. */
function mayMeanServers(text: string): boolean {
  return /^\/[\w-]+:/.test(text.trim()) || /(?:^|\s)@[\w-]+:\S/.test(text)
}

interface Mention {
  readonly server: string
  readonly uri: string
  readonly written: string
}

function mentions(servers: McpServers, text: string): readonly Mention[] {
  const found = [...text.matchAll(/(?:^|\s)(@([A-Za-z0-9][\w-]*):(\S+))/g)].flatMap(([, written, server, uri]) => {
    if (written === undefined || server === undefined || uri === undefined) return []
    if (servers.server(server) === undefined) return []
    // A sentence may end behind it.
    const known = servers.resources.some((one) => one.server === server && one.uri === uri)
    const plain = known ? uri : uri.replace(/[.,;:!?)]+$/, '')
    return [{ server, uri: plain, written: `@${server}:${plain}` }]
  })
  return found.filter(({ written }, index) => found.findIndex((other) => other.written === written) === index)
}

/** The text of the prompt that a line names; undefined if it names none. */
async function promptFor(
  servers: McpServers,
  line: string,
  onNote?: (note: string) => void,
): Promise<string | undefined> {
  const [, server = '', name = '', words = ''] = /^\/([A-Za-z0-9][\w-]*):(\S+)(?:\s+([^]*))?$/.exec(line.trim()) ?? []
  const prompt = servers.prompts.find((one) => one.server === server && one.name === name)
  if (prompt === undefined) return undefined
  const given = argumentsOf(prompt.arguments, words)
  const missing = prompt.arguments.filter(({ name: key, required }) => required && given[key] === undefined)
  if (missing.length > 0) {
    const wanted = prompt.arguments.map(({ name: key, required }) => (required ? `<${key}>` : `[${key}]`)).join(' ')
    throw new Error(`/${server}:${name} needs: ${wanted}`)
  }
  try {
    const messages = (await servers.server(server)?.prompt(name, given)) ?? []
    const texts = messages.flatMap(({ role, content }) => {
      const said =
        content.type === 'text'
          ? content.text
          : content.type === 'resource' && 'text' in content.resource
            ? content.resource.text
            : ''
      return said === '' ? [] : [role === 'user' ? said : `(You have said: ${said})`]
    })
    return cut(texts.join('\n\n')).text
  } catch (error) {
    onNote?.(`/${server}:${name} could not be had: ${messageOf(error)}`)
    return undefined
  }
}

/** `key=value`, or values in the order of the arguments; the last one takes all that is left. */
function argumentsOf(known: readonly { readonly name: string }[], words: string): Readonly<Record<string, string>> {
  const given: Record<string, string> = {}
  const plain: string[] = []
  for (const [, double, single, word] of words.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)) {
    const [, key = '', value = ''] = /^([\w-]+)=([^]*)$/.exec(word ?? '') ?? []
    if (known.some(({ name }) => name === key)) given[key] = value
    else plain.push(double ?? single ?? word ?? '')
  }
  const open = known.filter(({ name }) => given[name] === undefined)
  for (const [index, { name }] of open.entries()) {
    const isLast = index === open.length - 1
    const value = isLast ? plain.splice(0).join(' ') : plain.shift()
    if (value !== undefined && value !== '') given[name] = value
  }
  return given
}

interface Blob {
  readonly blob: string
  readonly mimeType?: string | undefined
}

function isImage({ blob, mimeType = '' }: Blob): boolean {
  return /^image\/(png|jpeg|gif|webp)$/.test(mimeType) && blob.length <= longestImage
}

function imageOf({ blob, mimeType = '' }: Blob): FilePart {
  return { type: 'file', mediaType: mimeType, source: { kind: 'base64', data: blob } }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
