export { hasPooler, startPooler } from './pooler.ts'
export { sharedServer } from './shared.ts'
export { anyInstallation, type Installation, installations, Server, type ServerOptions } from './server.ts'
