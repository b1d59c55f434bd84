/** The API whose rules a history is checked against. */
export type Dialect = 'openai' | 'responses' | 'anthropic' | 'gemini' | 'ollama'

/** A rule of message histories, and where a provider documents or enforces it. */
export interface RuleDescription {
  /** The rule as a sentence. */
  readonly says: string
  /** Rules that hold only for some models or requests are checked on request. */
  readonly checked: 'always' | 'on request'
  /**
   * Which servers enforce the rule, if not all with the same API: only the provider itself, or only compatible servers.
   * Switch such a rule off if your agent talks to the others.
   */
  readonly heldBy?: 'the provider alone' | 'compatible servers alone'
  /** For each dialect with the rule, where a provider documents it or was seen to enforce it. */
  readonly sources: Readonly<Partial<Record<Dialect, string>>>
}

const github = 'https://github.com'
const claudeDocs = 'https://platform.claude.com/docs/en'
const openaiDocs = 'https://platform.openai.com/docs/api-reference'
const geminiDocs = 'https://ai.google.dev/gemini-api/docs'
const ollamaDocs = `${github}/ollama/ollama/blob/main/docs`

/** The rules of providers for the messages of a request. */
export const historyRules = {
  messagesPresent: {
    says: 'There is at least one message.',
    checked: 'always',
    sources: {
      openai: `${github}/CopilotKit/CopilotKit/issues/529`,
      anthropic: `${github}/Helicone/helicone/pull/5257`,
      gemini: `${github}/ikechan8370/chatgpt-plugin/issues/733`,
    },
  },
  rolesKnown: {
    says: 'Every message has a role of the dialect.',
    checked: 'always',
    sources: {
      openai: `${openaiDocs}/chat/create`,
      anthropic: `${github}/ogx-ai/ogx/issues/5982`,
      ollama: `${ollamaDocs}/openapi.yaml`,
      responses: `${github}/openai/openai-python/issues/2677`,
      gemini: 'https://portkey.ai/error-library/invalid-argument-error-10129',
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
    says: 'Every call has its result directly behind the message that made it; among items, anywhere behind it.',
    checked: 'always',
    sources: {
      openai: `${github}/agno-agi/agno/issues/3105`,
      anthropic: `${github}/anthropics/claude-code/issues/1237`,
      ollama: `${ollamaDocs}/capabilities/tool-calling.mdx`,
      responses: `${github}/openai/codex/issues/620`,
      gemini: `${github}/google-gemini/gemini-cli/issues/16984`,
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
    says: 'Every result answers a call of the message directly before the results; among items, of any before it.',
    checked: 'always',
    sources: {
      openai: `${github}/cline/cline/issues/269`,
      anthropic: `${github}/anthropics/claude-code/issues/13460`,
      ollama: `${ollamaDocs}/capabilities/tool-calling.mdx`,
      responses: `${github}/continuedev/continue/issues/10092`,
      gemini: `${github}/langchain-ai/langchain/issues/27799`,
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
      responses: `${github}/AnswerDotAI/fastllm/issues/45`,
    },
  },
  callNamesWellFormed: {
    says: 'Calls name tools as the provider does: by letters, digits, _ and -, or by any 200 characters.',
    checked: 'always',
    sources: {
      openai: `${github}/mcp-use/mcp-use/pull/94`,
      anthropic: `${github}/anthropics/claude-code/issues/94799`,
      responses: `${github}/Wei-Shaw/sub2api/issues/3818`,
      gemini: `${github}/kaitranntt/ccs/issues/219`,
    },
  },
  argumentsAreText: {
    says: 'The arguments of a call are a text.',
    checked: 'always',
    sources: {
      openai: `${github}/aaif-goose/goose-mobile/pull/20`,
      responses: `${openaiDocs}/responses/create`,
    },
  },
  argumentsAreJson: {
    says: 'The text of the arguments is JSON. OpenAI itself takes any text, servers with its API do not.',
    checked: 'always',
    heldBy: 'compatible servers alone',
    sources: { openai: `${github}/router-for-me/CLIProxyAPI/issues/2001` },
  },
  argumentsAreObject: {
    says: 'The arguments of a call are an object.',
    checked: 'always',
    sources: {
      anthropic: `${github}/anthropics/anthropic-sdk-typescript/issues/648`,
      ollama: `${github}/neuron-core/neuron-ai/issues/219`,
      gemini: `${github}/AstrBotDevs/AstrBot/pull/7216`,
    },
  },
  contentPresent: {
    says: 'A message has content where the dialect demands some.',
    checked: 'always',
    sources: {
      openai: `${github}/docker/docker-agent/issues/63`,
      anthropic: `${github}/anthropics/claude-code/issues/6774`,
      responses: `${openaiDocs}/responses/create`,
      gemini: `${github}/vercel/ai/issues/3775`,
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
  imagesTyped: {
    says: 'An image is of the kind that it is said to be.',
    checked: 'always',
    sources: { anthropic: `${github}/anthropics/claude-code/issues/13131` },
  },
  imagesSmall: {
    says: 'An image has at most 5 MiB in base64.',
    checked: 'always',
    sources: { anthropic: `${github}/anthropics/claude-code/issues/19631` },
  },
  imagesMeasured: {
    says: 'An edge of an image has at most 8000 pixels, and at most 2000 where there are more than 20 images.',
    checked: 'always',
    sources: { anthropic: `${github}/anthropics/claude-code/issues/9375` },
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
  itemsKnown: {
    says: 'Every item has a type of the dialect: calls and their results are items, not messages.',
    checked: 'always',
    sources: { responses: `${openaiDocs}/responses/create` },
  },
  itemIdsWellFormed: {
    says: 'The id of an item has the letters of its kind in front: msg, fc or rs.',
    checked: 'always',
    heldBy: 'the provider alone',
    sources: { responses: `${github}/jlcodes99/cockpit-tools/issues/2090` },
  },
  itemIdsUnique: {
    says: 'No two items have one id.',
    checked: 'always',
    heldBy: 'the provider alone',
    sources: { responses: `${github}/openai/openai-agents-js/pull/436` },
  },
  contentInRole: {
    says: 'The assistant says output_text or a refusal; other roles bring inputs.',
    checked: 'always',
    sources: { responses: `${github}/jeremychone/rust-genai/pull/119` },
  },
  reasoningFollowed: {
    says: 'Behind reasoning comes what it led to: a call, a message of the assistant, or more reasoning.',
    checked: 'always',
    heldBy: 'the provider alone',
    sources: { responses: `${github}/openai/openai-node/issues/1567` },
  },
  reasoningKept: {
    says: 'A call that came behind reasoning, and has the id of its item still, comes behind it again.',
    checked: 'always',
    heldBy: 'the provider alone',
    sources: { responses: `${github}/cline/cline/issues/12242` },
  },
  reasoningSealed: {
    says: 'When nothing is stored, reasoning brings its encrypted content, and nothing is referred to by its id.',
    checked: 'on request',
    heldBy: 'the provider alone',
    sources: { responses: `${github}/openai/openai-dotnet/issues/779` },
  },
  partsHoldData: {
    says: 'Every part holds something: a text, a call, a result, data.',
    checked: 'always',
    sources: { gemini: `${github}/router-for-me/CLIProxyAPI/issues/1292` },
  },
  callsInTurn: {
    says: 'A turn that makes calls comes directly behind the user or behind results.',
    checked: 'always',
    sources: { gemini: `${github}/google-gemini/gemini-cli/issues/11814` },
  },
  resultsNamed: {
    says: 'Every result has the name of the tool that was called.',
    checked: 'always',
    sources: { gemini: `${github}/langflow-ai/langflow/issues/9437` },
  },
  resultsAreObjects: {
    says: 'What a tool gave is an object.',
    checked: 'always',
    sources: { gemini: `${github}/AstrBotDevs/AstrBot/pull/7216` },
  },
  signaturesPresent: {
    says: 'In the turn that goes on, the first call of each answer has its thought signature. Since Gemini 3.',
    checked: 'always',
    heldBy: 'the provider alone',
    sources: { gemini: `${geminiDocs}/thought-signatures` },
  },
} as const satisfies Readonly<Record<string, RuleDescription>>

/** The name of a rule of message histories. */
export type HistoryRule = keyof typeof historyRules

/** The rules that a dialect has. */
export type RuleOf<Of extends Dialect> = {
  [Rule in HistoryRule]: Of extends keyof (typeof historyRules)[Rule]['sources'] ? Rule : never
}[HistoryRule]
