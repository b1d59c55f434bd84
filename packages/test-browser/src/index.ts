export { builtPage } from './built-page.ts'
export { type Browser, type BrowserContext, openBrowser, type Page, whyNoBrowser } from './browser.ts'
