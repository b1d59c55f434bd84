// The fingerprint of 2,000 files beside `git status` in the same repository: both have to look at every one of them.
import { openWorkspace } from '@loader/workspace'
import { interleave } from '../interleave.mjs'
import { figure } from './files.mjs'
import { git } from './tree.mjs'

export async function fingerprintFigures(root) {
  git(root, 'init', '--quiet')
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--message', 'files')
  const variables = process.env
  const known = openWorkspace({ root, variables })
  await known.snapshot()
  const speed = await interleave(
    {
      cold: () => openWorkspace({ root, variables }).snapshot(),
      warm: () => known.snapshot(),
      git: () => git(root, 'status', '--porcelain'),
    },
    { rounds: 15, sampleMs: 50 },
  )
  return [
    figure('fingerprint, 2,000 files, cold, to git status', speed.ratio('cold', 'git'), 'x', 30),
    figure('fingerprint, cold', speed.medianMs.cold, 'ms', null),
    figure('fingerprint, 2,000 files, warm, to git status', speed.ratio('warm', 'git'), 'x', 6),
    figure('fingerprint, warm', speed.medianMs.warm, 'ms', null),
    figure('git status', speed.medianMs.git, 'ms', null),
  ]
}
