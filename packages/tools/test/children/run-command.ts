/**
 * Runs a command with the bash tool, shows its output and what kept it together. When the command says "ready", it ends
 * as it is told to.
 *
 *   node run-command.ts <workspace> <with or without bubblewrap> <exit, throw or wait> <command>
 */
import { writeSync } from 'node:fs'
import { bashTool } from '@loader/tools'
import * as z from 'zod'
import { examineValid, toolContext } from '../perform.ts'

const [root = '', bubblewrap = '', end = '', command = ''] = process.argv.slice(2)
const tool = bashTool({ root, ...(bubblewrap === 'without' ? { bubblewrap: null } : {}) })

const onOutput = (chunk: string) => {
  writeSync(1, chunk)
  if (!chunk.includes('ready')) return
  if (end === 'exit') process.exit(0)
  if (end === 'throw') queueMicrotask(() => void Promise.reject(new Error('It fails.')))
}
const context = await toolContext({ onOutput })
const { outcome, metadata } = await tool.run(await examineValid(tool, { command }), context)
const { sandbox, notPromised } = z
  .looseObject({ sandbox: z.string(), notPromised: z.string().optional() })
  .parse(metadata)
writeSync(1, `${outcome} ${sandbox} ${notPromised}\n`)
