import { hasConcreteAnchor } from '../text/has-concrete-anchor.ts'
import { listed, phrases, says } from '../text/phrases.ts'
import { wordsOf } from '../text/words.ts'

const aboutTheAgent = phrases({
  exact: [
    'who are you, what are you, how are you, what can you do, what do you do, how do you work, are you an ai',
    "what's your name, what is your name, are you a bot, tell me about yourself",
  ],
})

/** Words that may stand around a bare request for help. Any other word names what the help is for. */
const besideHelp = new Set(listed(['help, me, please, can, could, you, i, need, some, hi, hello, hey']))

const greetings = new Set(listed(['hi, hello, hey, hiya, howdy, greetings, yo, sup']))

/** Words of conversation, which no instruction contains. */
const talk = phrases({
  exact: [
    'hi, hello, hey, thanks, thank you, thx, ok, okay, cool, nice, great, awesome, perfect, good, got it, bye, goodbye',
    "see you, lol, haha, wow, hm, hmm, sorry, welcome, i, i'm, i'll, we, you, you're, your, my, it's, that's, who, whose",
    "what, what's, how, how's, why, when, where, which",
  ],
})

/** Words of work. When in doubt, list a verb: a message taken for conversation gets no tools. */
const work = phrases({
  verbs: [
    'create, make, write, build, add, insert, append, generate, scaffold, implement, draft, fix, change, edit, update',
    'modify, improve, refactor, rename, move, copy, replace, swap, delete, remove, drop, clean, revert, undo, redo',
    'merge, rebase, commit, push, pull, run, execute, start, stop, restart, install, upgrade, bump, deploy, release',
    'publish, ship, test, check, verify, debug, lint, format, compile, migrate, convert, translate, read, open, show',
    'list, find, search, look, explain, describe, summarize, summarise, review, analyze, analyse, compare, plan',
    'document, configure, enable, disable, count, print, continue, proceed, resume, retry, repeat, finish, try, apply',
    'use, set, save, sort',
  ],
  nouns: [
    'file, folder, directory, function, class, method, module, package, dependency, script, bug, error, exception',
    'crash, code, codebase, repo, repository, project, branch, diff, readme, changelog, config, api, endpoint, database',
    'server, app, page, website, line',
  ],
  exact: [
    'git, python, javascript, typescript, rust, java, html, css, sql, bash, shell, docker, npm, pip, cargo, json, yaml',
    'wrote, made, built, ran, ci, go on, go ahead, keep going, do it, do that, do this, do so, again, next, yes, no',
  ],
})

const shortGreeting = 15
const shortTalk = 30

/** Whether a message is conversation only: it asks for no work and names nothing to work on. */
export function isConversational(text: string): boolean {
  const words = wordsOf(text)
  if (hasConcreteAnchor(text) || says(words, work)) return false
  if (words.includes('help') && words.every((word) => besideHelp.has(word))) return true
  const { length } = text.trim()
  if (greetings.has(words[0] ?? '') && length < shortGreeting) return true
  return says(words, aboutTheAgent) || (length < shortTalk && (words.length === 0 || says(words, talk)))
}
