import type { Console } from '../console/console.ts'

/** No key is as long. */
const longest = 16_384

/**
 * Reads a key from standard input; at a terminal it is asked for, and not shown while it is typed. It is never taken
 * from the command line: there every user of the machine can read it, and the shell keeps it. Undefined when the user
 * gave up.
 */
export async function readKey(console: Console, question: string): Promise<string | undefined> {
  const text = console.stdin.isTTY === true ? await typedKey(console, question) : await firstLine(console)
  return text?.trim()
}

async function firstLine({ stdin }: Console): Promise<string> {
  let text = ''
  for await (const chunk of stdin) {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString('utf8')
    if (text.length > longest || text.trimStart().includes('\n')) break
  }
  return text.trimStart().split('\n')[0] ?? ''
}

/** What a terminal puts around pasted text. */
const pasteMarks = new RegExp(`${String.fromCharCode(27)}\\[20[01]~`, 'g')

async function typedKey({ stdin, stderr }: Console, question: string): Promise<string | undefined> {
  const setRawMode = 'setRawMode' in stdin && typeof stdin.setRawMode === 'function' ? stdin.setRawMode : undefined
  stderr.write(question)
  setRawMode?.call(stdin, true)
  let text = ''
  try {
    for await (const chunk of stdin) {
      const typed = (typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString('utf8')).replace(
        pasteMarks,
        '',
      )
      for (const letter of typed) {
        if (letter === '\r' || letter === '\n') return text
        // Ctrl-C and Ctrl-D
        if (letter === '\u0003' || letter === '\u0004') return undefined
        // Backspace, and Ctrl-U for the whole line
        if (letter === '\u007f' || letter === '\b') text = text.slice(0, -1)
        else if (letter === '\u0015') text = ''
        else text += letter
      }
      if (text.length > longest) return undefined
    }
    return text === '' ? undefined : text
  } finally {
    setRawMode?.call(stdin, false)
    stdin.pause()
    stderr.write('\n')
  }
}
