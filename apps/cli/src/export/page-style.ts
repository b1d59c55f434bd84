/** The style of an exported page: on screen, in dark mode, and in print. */
export const pageStyle = `
:root { color-scheme: light dark; --line: #8884; --faint: #777; --wash: #8881; }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
header ul { color: var(--faint); font-size: .875rem; list-style: none; margin: 0 0 1.5rem; padding: 0; }
article { border-left: .25rem solid var(--line); margin: 1.25rem 0; padding: 0 0 0 1rem; }
article.user { border-color: #2a7ae2; }
article.model { border-color: #2e9d5b; }
article.note, article.summary { border-color: #b7791f; }
article.gone { opacity: .6; }
h2 { font-size: .9375rem; margin: 0 0 .25rem; }
h2 small { color: var(--faint); font-weight: normal; margin-left: .5rem; }
h3, h4, h5, h6 { font-size: 1rem; margin: .75rem 0 .25rem; }
p, ul, ol, blockquote, table { margin: .5rem 0; }
pre { background: var(--wash); border: 1px solid var(--line); border-radius: .25rem; font-size: .8125rem; line-height: 1.45; margin: .5rem 0; max-height: 40rem; overflow: auto; padding: .6rem .75rem; white-space: pre-wrap; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9em; }
pre code { font-size: inherit; }
blockquote { border-left: .2rem solid var(--line); color: var(--faint); margin-left: 0; padding-left: .75rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; }
img { max-width: 100%; }
details { margin: .5rem 0; }
summary { cursor: pointer; }
.call > summary { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .8125rem; }
.outcome { border: 1px solid currentColor; border-radius: .75rem; font-size: .75rem; margin-left: .5rem; padding: 0 .5rem; }
.ok { color: #2e9d5b; } .failed, .denied { color: #c53030; } .unknown, .interrupted, .none { color: #b7791f; }
.add { color: #2e9d5b; } .del { color: #c53030; }
.end { border-top: 1px solid var(--line); color: var(--faint); font-size: .875rem; margin: 1.5rem 0; padding-top: .5rem; }
@media print {
  body { font-size: 10.5pt; max-width: none; padding: 0; }
  pre { max-height: none; overflow: visible; }
  article, pre { break-inside: avoid-page; }
  a { color: inherit; text-decoration: none; }
}
`
