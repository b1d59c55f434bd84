/** Says to a process of loader that it owns a background command and does nothing else. */
export const ownerVariable = 'LOADER_BACKGROUND_OWNER'
