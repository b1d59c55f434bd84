// Commands about the command line itself, which need nothing else.
export { run as completion } from './completion.ts'
export { run as help } from './help.ts'
