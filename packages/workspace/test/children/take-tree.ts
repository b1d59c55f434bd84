/**
 * Takes a tree and shows it as JSON.
 *
 *   node take-tree.ts <workspace> <folder for trees> <git> [as nobody]
 */
import { writeSync } from 'node:fs'
import { LocalTrees } from '@loader/workspace'

const [root = '', folder = '', git = '', who] = process.argv.slice(2)
const nobody = 65_534
if (who === 'as nobody' && process.geteuid?.() === 0) {
  process.setgroups?.([nobody])
  process.setgid?.(nobody)
  process.setuid?.(nobody)
}

const variables = { PATH: process.env['PATH'] ?? '', HOME: '/nowhere', TAKER: `${process.pid}` }
using trees = new LocalTrees({ root, folder, git, variables })
writeSync(1, JSON.stringify(await trees.take()))
