const caching = 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching'
const thinking = 'https://platform.claude.com/docs/en/build-with-claude/thinking'
const github = 'https://github.com'

/** A rule of Anthropic's prompt cache, and where it is published or was seen. */
export interface CacheRule {
  readonly says: string
  readonly source: string
}

/** The rules by which the server plays Anthropic's prompt cache. */
export const cacheRules = {
  order: {
    says: 'A prefix is tools, then instructions, then messages; a change makes everything behind it be read anew.',
    source: `${caching}#what-invalidates-the-cache`,
  },
  exact: {
    says: 'Only what is the same up to and with a marked block is found again. Marks themselves do not count.',
    source: `${caching}#cache-storage-and-sharing`,
  },
  writes: {
    says: 'Entries are written at marked blocks alone, never before them.',
    source: `${caching}#how-automatic-prefix-checking-works`,
  },
  lookBack: {
    says: 'From each mark, 20 blocks are looked at for an entry of an earlier request, the marked one first.',
    source: `${caching}#how-automatic-prefix-checking-works`,
  },
  automatic: {
    says: 'A mark of the whole request stands at its last block that may have one, and is one of the four.',
    source: `${caching}#automatic-caching`,
  },
  minimum: {
    says: 'A prefix shorter than 512 to 4096 tokens, by model, is not kept, without an error.',
    source: `${caching}#cache-limitations`,
  },
  time: {
    says: 'An entry lives for five minutes, or for an hour if asked for, from when it was last read.',
    source: `${caching}#1-hour-cache-duration`,
  },
  choice: {
    says: 'Another tool choice, and the first or last image, make all messages be read anew.',
    source: `${caching}#what-invalidates-the-cache`,
  },
  thinking: {
    says: 'Other settings of thinking, and another effort, make all messages be read anew.',
    source: `${thinking}#thinking-and-prompt-caching`,
  },
  stripped: {
    says: 'Models up to Sonnet 4.5 and Opus 4.1, and Haiku 4.5, forget their thoughts when the user speaks again; what follows the first of them is read anew.',
    source: `${thinking}#thinking-block-preservation-by-model`,
  },
  count: {
    says: 'Tokens up to the furthest entry are read, those up to the last mark written, the rest is plain input.',
    source: `${caching}#tracking-cache-performance`,
  },
  mixed: {
    says: 'Between the furthest entry and the last mark of an hour, what is written is written for an hour.',
    source: `${caching}#mixing-different-ttls`,
  },
} as const satisfies Readonly<Record<string, CacheRule>>

/** Where the refusals of marks come from. */
export const markSources = {
  most: `${github}/tghamm/Anthropic.SDK/issues/50`,
  order: `${github}/headroomlabs-ai/headroom/issues/2939`,
  place: `${caching}#what-cannot-be-cached`,
} as const
