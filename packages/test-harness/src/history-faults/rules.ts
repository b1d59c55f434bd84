export type Dialect = 'openai' | 'anthropic' | 'ollama'

export interface RuleDescription {
  /** What a history must be like. */
  readonly says: string
  /** Rules that hold only for some models or requests are checked on request. */
  readonly checked: 'always' | 'on request'
  /** For each dialect that has the rule, where a provider says so or is seen to enforce it. */
  readonly sources: Readonly<Partial<Record<Dialect, string>>>
}

const github = 'https://github.com'
const claudeDocs = 'https://platform.claude.com/docs/en'
const ollamaDocs = `${github}/ollama/ollama/blob/main/docs`

/** What providers demand of the messages that a request carries. */
export const historyRules = {
  messagesPresent: {
    says: 'There is at least one message.',
    checked: 'always',
    sources: {
      openai: `${github}/CopilotKit/CopilotKit/issues/529`,
      anthropic: `${github}/Helicone/helicone/pull/5257`,
    },
  },
  rolesKnown: {
    says: 'Every message has a role of the dialect.',
    checked: 'always',
    sources: {
      openai: 'https://platform.openai.com/docs/api-reference/chat/create',
      anthropic: `${github}/ogx-ai/ogx/issues/5982`,
      ollama: `${ollamaDocs}/openapi.yaml`,
    },
  },
  beginsWithUser: {
    says: 'The first message is from the user.',
    checked: 'always',
    sources: { anthropic: `${github}/lobehub/lobehub/issues/1601` },
  },
  noSystemRole: {
    says: 'No message has the role system: instructions have a field of their own. Newer models allow some.',
    checked: 'always',
    sources: { anthropic: `${github}/Maol-1997/cursor-claude-connector/issues/3` },
  },
  systemInPlace: {
    says: 'A system message follows a user message, and is the last or followed by the assistant.',
    checked: 'on request',
    sources: { anthropic: `${claudeDocs}/build-with-claude/mid-conversation-system-messages#limitations` },
  },
  callsAnswered: {
    says: 'Every call has its result directly behind the message that made it.',
    checked: 'always',
    sources: {
      openai: `${github}/agno-agi/agno/issues/3105`,
      anthropic: `${github}/anthropics/claude-code/issues/1237`,
      ollama: `${ollamaDocs}/capabilities/tool-calling.mdx`,
    },
  },
  answeredOnce: {
    says: 'No call has two results.',
    checked: 'always',
    sources: {
      openai: `${github}/anomalyco/opencode/issues/1211`,
      anthropic: `${github}/anthropics/claude-code/issues/14110`,
    },
  },
  resultsHaveCalls: {
    says: 'Every result answers a call of the message directly before the results.',
    checked: 'always',
    sources: {
      openai: `${github}/cline/cline/issues/269`,
      anthropic: `${github}/anthropics/claude-code/issues/13460`,
      ollama: `${ollamaDocs}/capabilities/tool-calling.mdx`,
    },
  },
  resultsFirst: {
    says: 'Results stand first in the message that carries them.',
    checked: 'always',
    sources: { anthropic: `${claudeDocs}/agents-and-tools/tool-use/handle-tool-calls` },
  },
  callsLast: {
    says: 'Nothing follows the calls in the message that makes them.',
    checked: 'always',
    sources: { anthropic: `${github}/vercel/ai/issues/13013` },
  },
  blocksInRole: {
    says: 'The assistant makes calls, the user brings results.',
    checked: 'always',
    sources: { anthropic: `${github}/tghamm/Anthropic.SDK/issues/128` },
  },
  callsNotEmpty: {
    says: 'A list of calls is not empty.',
    checked: 'always',
    sources: { openai: `${github}/openai/openai-node/pull/1341` },
  },
  callIdsUnique: {
    says: 'No two calls have one id.',
    checked: 'always',
    sources: {
      openai: `${github}/can1357/oh-my-pi/issues/2055`,
      anthropic: `${github}/anthropics/claude-code/issues/20901`,
    },
  },
  callIdsWellFormed: {
    says: 'The ids of calls have the characters and the length that the dialect allows.',
    checked: 'always',
    sources: {
      openai: `${github}/microsoft/autogen/issues/6377`,
      anthropic: `${github}/RooCodeInc/Roo-Code/pull/10649`,
    },
  },
  callNamesWellFormed: {
    says: 'Calls name tools as the provider does: by letters, digits, _ and -, or by any 200 characters.',
    checked: 'always',
    sources: {
      openai: `${github}/mcp-use/mcp-use/pull/94`,
      anthropic: `${github}/anthropics/claude-code/issues/94799`,
    },
  },
  argumentsAreText: {
    says: 'The arguments of a call are a text.',
    checked: 'always',
    sources: { openai: `${github}/aaif-goose/goose-mobile/pull/20` },
  },
  argumentsAreJson: {
    says: 'The text of the arguments is JSON. OpenAI itself takes any text, servers with its API do not.',
    checked: 'always',
    sources: { openai: `${github}/router-for-me/CLIProxyAPI/issues/2001` },
  },
  argumentsAreObject: {
    says: 'The arguments of a call are an object.',
    checked: 'always',
    sources: {
      anthropic: `${github}/anthropics/anthropic-sdk-typescript/issues/648`,
      ollama: `${github}/neuron-core/neuron-ai/issues/219`,
    },
  },
  contentPresent: {
    says: 'A message has content where the dialect demands some.',
    checked: 'always',
    sources: {
      openai: `${github}/docker/docker-agent/issues/63`,
      anthropic: `${github}/anthropics/claude-code/issues/6774`,
    },
  },
  contentIsText: {
    says: 'The content of a message is a text, never a list.',
    checked: 'always',
    sources: { ollama: `${github}/ollama/ollama/issues/10255` },
  },
  textNotBlank: {
    says: 'A text is more than white space.',
    checked: 'always',
    sources: { anthropic: `${github}/anthropics/claude-code/issues/23440` },
  },
  noTrailingSpace: {
    says: 'An answer that the model shall continue does not end in white space.',
    checked: 'always',
    sources: { anthropic: `${github}/tailcallhq/forgecode/issues/1872` },
  },
  endsWithUser: {
    says: 'The last message is not from the assistant. Older models continue such a message.',
    checked: 'on request',
    sources: { anthropic: `${github}/vybestack/llxprt-code/pull/3695` },
  },
  imagesFromUser: {
    says: 'Only messages from the user hold images.',
    checked: 'always',
    sources: { openai: `${github}/openai/openai-node/issues/1030` },
  },
  imagesPlain: {
    says: 'Images are plain base64, not URLs.',
    checked: 'always',
    sources: { ollama: `${github}/ollama/ollama-js/issues/68` },
  },
  thinkingSigned: {
    says: 'Every thinking block has its signature.',
    checked: 'always',
    sources: { anthropic: `${github}/lbjlaq/Antigravity-Manager/issues/1650` },
  },
  thinkingNotLast: {
    says: 'The last message, when it is from the assistant, does not end in thinking.',
    checked: 'always',
    sources: { anthropic: `${github}/router-for-me/CLIProxyAPI/issues/5321` },
  },
  thinkingFirst: {
    says: 'With thinking enabled, a turn that goes on after the results of calls begins with thinking.',
    checked: 'on request',
    sources: { anthropic: `${github}/anomalyco/opencode/issues/3077` },
  },
} as const satisfies Readonly<Record<string, RuleDescription>>

export type HistoryRule = keyof typeof historyRules

/** The rules that a dialect has. */
export type RuleOf<Of extends Dialect> = {
  [Rule in HistoryRule]: Of extends keyof (typeof historyRules)[Rule]['sources'] ? Rule : never
}[HistoryRule]
