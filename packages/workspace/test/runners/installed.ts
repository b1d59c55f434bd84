import { spawnSync } from 'node:child_process'

const answers = (program: string, ...words: string[]) => spawnSync(program, words, { stdio: 'ignore' }).status === 0

export const hasPytest = answers('python3', '-m', 'pytest', '--version')
export const hasCargo = answers('cargo', '--version')
export const hasGo = answers('go', 'version')
export const hasPython = answers('python3', '--version')
export const hasCompiler = answers('cc', '--version')
