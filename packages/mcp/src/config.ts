export { asksForMore, digestOfServer, type ServerDefinition, shownUrl } from './config/definition.ts'
export { type Expanded, expandServer, namesVariables } from './config/expand.ts'
export { type ServersOfFile, serversOfFile } from './config/mcp-json.ts'
export { McpServer, McpServerName } from './config/server-settings.ts'
