/** The tool by which a model says how a turn ends. */
export const finishToolName = 'finish'

/** The tool that the model is to ask the user with. */
export const askUserToolName = 'ask_user'
