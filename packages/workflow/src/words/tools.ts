/** The tool by which a model states how a turn ends. */
export const finishToolName = 'finish'

/** The tool by which a model asks the user. */
export const askUserToolName = 'ask_user'
