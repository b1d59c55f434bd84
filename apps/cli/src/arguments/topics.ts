/** The pages of documentation that travel with the command, and what each is about. */
export const topics = {
  terminal: 'a conversation: keys, permissions, commands',
  cli: 'options, output formats, exit codes, settings',
  'cli-sessions': 'what the commands about sessions print',
  models: 'providers, keys, and what a failed request means',
  thinking: 'how much a model thinks, and what is read from a cache',
  mcp: 'MCP servers: adding them, what they may do, logging in',
  walls: 'what a command of a model can reach',
  'background-commands': 'commands that go on, and pages of the network',
  'sub-agents': 'agents that get a part of a task',
  rooms: 'where checks are tried',
  trial: 'how a check is judged',
  postgres: 'sessions in a database, for those who run it',
  workers: 'workers over a database: from a laptop to three of them',
  debugging: 'what to look at when something goes wrong',
} as const

export type Topic = keyof typeof topics

export function isTopic(name: string): name is Topic {
  return Object.hasOwn(topics, name)
}
