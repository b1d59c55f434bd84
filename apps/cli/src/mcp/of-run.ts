// What a run does with MCP servers, in one chunk.
export { inTask } from './in-task.ts'
export { openServers } from './open-servers.ts'
