import { refreshTools } from '../stage/all-tools.ts'
import type { Stage } from '../stage/stage.ts'

/** Takes in what those who provide tools have announced, so that no request and no permission is about older ones. */
export async function toolsAsTheyAre(stage: Stage): Promise<void> {
  if (stage.toolSource !== undefined && (await refreshTools({ toolSource: stage.toolSource, signal: stage.signal })))
    await stage.applyPolicy()
}
