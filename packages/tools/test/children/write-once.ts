/**
 * Looks at a write, says what it is going to do, waits for a line, and does it.
 *
 *   node write-once.ts <workspace> <file> <content>
 */
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { writeTool } from '@loader/tools'
import { examineValid, toolContext } from '../perform.ts'

const [root = '', file_path = '', content = ''] = process.argv.slice(2)
const tool = writeTool({ root })
const context = await toolContext()

// Everything has run once by then, so that what is traced is a write and nothing else.
for (const trial of [content, `${content}!`]) {
  await tool.run(await examineValid(tool, { file_path: 'trial/f', content: trial }, context), context)
}

const examined = await examineValid(tool, { file_path, content }, context)
writeSync(1, `${JSON.stringify(examined.intent)}\n`)
for await (const _line of createInterface({ input: process.stdin })) {
  const { outcome, text } = await tool.run(examined, context)
  writeSync(1, `${outcome} ${text}\n`)
  process.exit()
}
