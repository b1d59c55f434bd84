// Searching 5,000 files beside plain ripgrep, where there is one, and beside reading them all in one process.
import { execFileSync, spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { grepTool } from '@loader/tools'
import { interleave } from '../interleave.mjs'
import { figure } from './files.mjs'

const pattern = 'needle = \\w+'

export async function searchFigures(root) {
  const context = { callId: 'call_1' }
  const search = async (tool) => {
    const examined = await tool.examine(tool.input.parse({ pattern, max_results: 1000 }), context)
    const { outcome, metadata } = await tool.run(examined, context)
    if (outcome !== 'ok') throw new Error(JSON.stringify(metadata))
  }
  const variables = process.env
  const ripgrep = spawnSync('rg', ['--version']).error === undefined
  const own = grepTool({ root, variables, ripgrep: null })
  const contenders = {
    own: () => search(own),
    naive: () => readAll(root),
    ...(ripgrep && {
      tool: () => search(grepTool({ root, variables })),
      rg: () => execFileSync('rg', ['--line-number', pattern, root], { stdio: 'pipe' }),
    }),
  }
  const speed = await interleave(contenders, { rounds: 9, sampleMs: 50 })
  return [
    ...(ripgrep
      ? [
          figure('grep, 5,000 files, to plain rg', speed.ratio('tool', 'rg'), 'x', 4),
          figure('grep, 5,000 files', speed.medianMs.tool, 'ms', null),
          figure('plain rg', speed.medianMs.rg, 'ms', null),
        ]
      : []),
    figure('grep without rg, to reading every file', speed.ratio('own', 'naive'), 'x', 15),
    figure('grep without rg', speed.medianMs.own, 'ms', null),
  ]
}

async function readAll(root) {
  const expression = new RegExp(pattern)
  const found = []
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const lines = (await readFile(join(entry.parentPath, entry.name), 'utf8')).split('\n')
    found.push(...lines.filter((line) => expression.test(line)))
  }
  return found
}
