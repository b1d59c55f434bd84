// Commands about MCP servers.
export { run as added } from './mcp-add.ts'
export { run as approved } from './mcp-approve.ts'
export { run as listed } from './mcp-list.ts'
export { run as loggedIn } from './mcp-login.ts'
export { run as removed } from './mcp-remove.ts'
export { run as tested } from './mcp-test.ts'
