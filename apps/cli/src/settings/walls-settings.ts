import type { WallsAroundOptions } from '@loader/workspace'
import * as z from 'zod'

const paths = z.array(z.string().min(1)).optional()

const Walls = z.strictObject({
  use: z.enum(['required', 'off']).optional().describe('off: this machine is a wall itself, a container or CI'),
  guard: paths.describe('more paths of the workspace that commands cannot change'),
  unguard: paths.describe('guarded paths that they can change all the same'),
  readable: paths.describe('paths that they can read although they are hidden'),
  writable: paths.describe('paths outside the workspace that they can change'),
  lend: z
    .array(z.enum(['ssh-agent', 'gpg-agent', 'git-credentials', 'npm-auth']))
    .optional()
    .describe('what a command with the network may use'),
  passVariables: z.array(z.string().min(1)).optional().describe('variables that commands get besides the usual ones'),
  disableUserns: z.boolean().optional().describe('whether commands can make no namespaces of their own'),
})

/** The settings of walls; `required` and `off` are short for `use`. */
export const WallsSetting = z.union([z.enum(['required', 'off']), Walls])
export type WallsSetting = z.infer<typeof WallsSetting>

/** The same as options of the walls. */
export function wallsOptions(setting: WallsSetting = 'required'): Omit<WallsAroundOptions, 'root'> {
  if (typeof setting === 'string') return { use: setting }
  const { use, passVariables, ...settings } = setting
  return { use, settings, ...(passVariables !== undefined && { passVariables }) }
}
