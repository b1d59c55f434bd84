/** The tool that the model is to ask the user with. */
export const askUserTool = 'ask_user'
