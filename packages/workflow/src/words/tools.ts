/** The tool by which a model says how a turn ends. */
export const finishTool = 'finish'

/** The tool that the model is to ask the user with. */
export const askUserTool = 'ask_user'
