import type { TaskComplexity } from '../../src/routing/estimate-complexity.ts'

export const talkRows: readonly [rule: string, text: string, talk: boolean][] = [
  ['a greeting of less than 15 characters', 'Hello!', true],
  ['a greeting with a name', 'hey Loader', true],
  ['a greeting, and work', 'hello, run npm', false],
  ['a word that begins like a greeting', 'hijack rows', false],
  ['a question about the agent', 'So, tell me, who are you, and what can you do for somebody like me?', true],
  ['a question about the agent, and work', 'Who are you? Write it to about.md', false],
  ['a bare cry for help', 'help', true],
  ['a polite cry for help', 'Can you help me please?', true],
  ['help with something', 'Can you help me with the parser?', false],
  ['help in the middle of a long order', 'Sum the prices with the help of the tables that we already have', false],
  ['a casual word', 'thanks', true],
  ['two casual words', 'thank you!', true],
  ['a casual word in other letters', 'OK', true],
  ['a long message with a task word', 'It would be nice if somebody could create what I have in mind', false],
  ['a task word in another form', 'we were fixing it', false],
  ['a name of a file', 'what is in a.txt', false],
  ['a code span', 'what is `x`', false],
  ['a short message that talks', 'how is it going', true],
  ['a short message that does not', 'Highlight rows', false],
  ['going on with the work', 'go on', false],
  ['saying yes to the work', 'yes', false],
  ['a long message without any sign', 'The weather has been remarkably pleasant over there lately', false],
  ['no words at all', '', true],
  ['only a mark', '?', true],
]

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

export const sizeRows: readonly [rule: string, text: string, size: TaskComplexity][] = [
  ['talk is trivial', 'So how are you today?', 'trivial'],
  ['fewer than five words are trivial', 'Refactor the database architecture', 'trivial'],
  ['five words are not', 'Refactor the small greeting now', 'moderate'],
  ['two words of demanding work are complex', 'Refactor the whole database layer please', 'complex'],
  ['one is not', 'Refactor the whole greeting please', 'moderate'],
  ['the same one twice is one', 'Refactor this, and refactor that too', 'moderate'],
  ['more than 50 words are complex', words(51), 'complex'],
  ['50 words are not', words(50), 'moderate'],
  ['a modest word in fewer than 20 words is simple', 'Rename the variable in src/a.ts', 'simple'],
  ['a modest word in 20 words is not', `Rename ${words(19)}`, 'moderate'],
  ['complex comes before simple', 'Add authentication to the api of it', 'complex'],
  ['all else is moderate', 'Sum the prices of all rows', 'moderate'],
]

export const decomposeRows: readonly [rule: string, text: string, decompose: boolean][] = [
  ['two marks of an order', 'First sum the prices, then greet', true],
  ['an order and an addition', 'Sum the prices, also greet, finally wave', true],
  ['one mark', 'Sum the prices, then greet', false],
  ['the same mark twice', 'Sum, then greet, then wave', false],
  ['a list of two', '- sum the prices\n- greet', true],
  ['a numbered list', '1. sum the prices\n2) greet', true],
  ['30 words', words(30), false],
  ['31 words', words(31), true],
  ['step by step', 'Sum the prices step by step', true],
  ['several steps', 'Do it in 3 steps', true],
  ['a first step with a number', 'Step 1: sum the prices', true],
  ['a step of something', 'Fix the next step of the form', false],
  ['part of a word', 'Fix the footstep sound', false],
]
