import { ownerOf } from '@loader/session-core'

/** The recorded owner while a command changes a session. */
export const commandOwner = ownerOf('LoaderCommand')
