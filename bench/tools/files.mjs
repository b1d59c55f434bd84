// Reading, writing and editing beside the same by plain `fs`: read as it is; written to a file beside it, flushed,
// renamed, and the folder flushed, which is the least that a write takes that lasts and is never half done.
import { open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MemoryStore } from '@loader/session-core'
import { editTool, readTool, writeTool } from '@loader/tools'
import { interleave } from '../interleave.mjs'
import { pathOf } from './tree.mjs'

export async function fileFigures(root) {
  const context = await toolContext()
  const [read, write, edit] = [readTool({ root }), writeTool({ root }), editTool({ root })]
  const call = async (tool, input) => {
    const examined = await tool.examine(tool.input.parse(input), context)
    const { outcome, text } = await tool.run(examined, context)
    if (outcome !== 'ok') throw new Error(text)
  }

  let turn = 0
  const next = () => pathOf((turn += 1) % 5000)
  const reading = await interleave({
    tool: () => call(read, { file_path: next() }),
    plain: () => readFile(join(root, next()), 'utf8'),
  })
  const writing = await interleave(
    {
      tool: () => call(write, { file_path: next(), content: contentOf((turn += 1)) }),
      plain: () => replace(join(root, next()), contentOf((turn += 1))),
    },
    { sampleMs: 40 },
  )
  const own = { tool: join(root, pathOf(1)), plain: join(root, pathOf(2)) }
  const editing = await interleave(
    {
      tool: async () => call(edit, { file_path: pathOf(1), ...(await nextEdit(own.tool)) }),
      plain: async () => {
        const { old_string, new_string } = await nextEdit(own.plain)
        await replace(own.plain, (await readFile(own.plain, 'utf8')).replace(old_string, new_string))
      },
    },
    { sampleMs: 40 },
  )
  return [
    figure('read, 60 lines, to readFile', reading.ratio('tool', 'plain'), 'x', 15),
    figure('read, 60 lines', reading.medianMs.tool, 'ms', null),
    figure('write, 60 lines, to a flushed replacement by fs', writing.ratio('tool', 'plain'), 'x', 2.5),
    figure('write, 60 lines', writing.medianMs.tool, 'ms', null),
    figure('edit, 60 lines, to the same by fs', editing.ratio('tool', 'plain'), 'x', 2.5),
    figure('edit, 60 lines', editing.medianMs.tool, 'ms', null),
  ]
}

export function figure(name, value, unit, bar) {
  return { figure: name, value, unit, bar, ok: bar === null || value <= bar }
}

async function toolContext() {
  const owner = { type: 'Agent', path: 'bench' }
  const { writer } = await new MemoryStore().claim('ses_bench', { owner, expect: 'new' })
  return { callId: 'call_1', blobs: writer.blobs }
}

function contentOf(turn) {
  return `${Array.from({ length: 60 }, (_, line) => `export const value${line} = ${turn}`).join('\n')}\n`
}

/** Turns a line of the file into another and back. */
async function nextEdit(path) {
  const line = (await readFile(path, 'utf8')).split('\n')[40]
  return { old_string: line, new_string: line.endsWith('!') ? line.slice(0, -1) : `${line}!` }
}

async function replace(path, content) {
  const temporary = `${path}.tmp`
  const file = await open(temporary, 'w')
  await file.writeFile(content)
  await file.sync()
  await file.close()
  await rename(temporary, path)
  const folder = await open(dirname(path))
  await folder.sync()
  await folder.close()
}
