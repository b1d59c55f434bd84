// Commands about the command line itself, which load nearly no other package.
export { run as completion } from './completion.ts'
export { run as help } from './help.ts'
