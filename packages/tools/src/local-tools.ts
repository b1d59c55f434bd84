import type { Tool } from '@loader/session-core/coding'
import { askUserTool } from './ask-user.ts'
import { bashTool } from './bash.ts'
import { editTool } from './edit.ts'
import { finishTool } from './finish.ts'
import { gitTool } from './git.ts'
import { globTool } from './glob.ts'
import { grepTool, type GrepOptions } from './grep.ts'
import { patchTool } from './patch.ts'
import { type BackgroundCommands, type ProcessOptions, type WallsAround, wallsAround } from '@loader/workspace'
import { readTool } from './read.ts'
import { todoWriteTool } from './todo-write.ts'
import { writeTool } from './write.ts'

export interface LocalToolsOptions extends ProcessOptions, Pick<GrepOptions, 'ripgrep'> {
  /** The folder that the work is about. */
  readonly root: string
  /** The walls for commands, which file tools obey too. Absent means the walls of this machine. */
  readonly walls?: WallsAround
  /** With it, bash can start commands that go on. Absent means that it cannot. */
  readonly background?: BackgroundCommands
}

/** All tools of this package, for a folder of this machine. */
export function localTools(given: LocalToolsOptions): readonly Tool[] {
  // All tools share the walls, so that they see the files that a command left in /tmp.
  const options = { ...given, walls: given.walls ?? wallsAround(given) }
  return [
    readTool(options),
    writeTool(options),
    editTool(options),
    patchTool(options),
    globTool(options),
    grepTool(options),
    bashTool(options),
    gitTool(options),
    todoWriteTool(),
    askUserTool(),
    finishTool(),
  ]
}
