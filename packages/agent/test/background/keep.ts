import { keepHere } from '@loader/workspace'

// The owner of a command that outlives the process which started it.
await keepHere()
