/** The tool by which a model says how a turn ends. */
export const finishTool = 'finish'
