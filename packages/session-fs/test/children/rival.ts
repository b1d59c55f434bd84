/**
 * Does as it is told, a line at a time, and says what came of it.
 *
 *   claim <when> plain|takeover    as close to that millisecond as it can
 *   write <name>                   one event after the other, until it is displaced or told to stop
 *   stop                           after the append that is under way
 *   release
 *
 *   node rival.ts <directory> <session>
 */
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { LoaderError, type SessionWriter } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import { eventBy, owner } from './events.ts'

const [directory = '', id = ''] = process.argv.slice(2)
const store = new FileSessionStore({ directory }, { rotateAfterBytes: 4000 })
let writer: SessionWriter | undefined
let lastSeq = 0
let isStopping = false

say('ready')
createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, ...rest] = line.split(' ')
  if (word === 'claim') void claim(Number(rest[0]), rest[1] === 'takeover')
  if (word === 'write') void write(rest[0] ?? '')
  if (word === 'stop') isStopping = true
  if (word === 'release') void release()
})

async function claim(when: number, takeover: boolean): Promise<void> {
  while (Date.now() < when) continue
  try {
    const claimed = await store.claim(id, { owner, expect: 'existing', takeover })
    writer = claimed.writer
    lastSeq = claimed.events.at(-1)?.seq ?? claimed.state?.seq ?? 0
    say(`claimed ${writer.epoch} ${lastSeq}`)
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    say(`refused ${error.code} ${error.message}`)
  }
}

async function write(name: string): Promise<void> {
  isStopping = false
  while (!isStopping) {
    try {
      await writer?.append([eventBy(name, lastSeq + 1)], 'flush')
    } catch (error) {
      if (!LoaderError.is(error)) throw error
      say(`stopped ${error.code} ${error.message}`)
      return
    }
    lastSeq += 1
    say(`${name} ${lastSeq}`)
  }
  say('idle')
}

async function release(): Promise<void> {
  await writer?.release()
  say('released')
}

function say(line: string): void {
  writeSync(1, `${line}\n`)
}
