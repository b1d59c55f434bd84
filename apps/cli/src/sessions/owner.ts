import { ownerOf } from '@loader/session-core'

/** Who a session belongs to while a command changes something about it. */
export const commandOwner = ownerOf('LoaderCommand')
