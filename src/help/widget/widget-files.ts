import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DeskSettings } from '../../core/settings/registry.ts'
import type { FileAnswer } from '../../kit/file-answer.ts'
import { contrast, white } from '../../lib/contrast.ts'
import { widgetLanguages } from './widget-words.ts'

const [script, frameScript, frameStyle] = ['widget.js', 'frame.js', 'frame.css'].map(name =>
  readFileSync(join(import.meta.dirname, name), 'utf8')
) as [string, string, string]
const javaScript = 'text/javascript; charset=utf-8'
const defaultAccent = '#2b57c8'
const leastContrast = 4.5

/** What the widget loads, by its address. */
export const widgetFiles = {
  '/widget.js': (settings: DeskSettings) => fileWith(scriptFor(settings), javaScript),
  '/widget/frame.js': () => fileWith(frameScript, javaScript),
  '/widget/frame.css': () => fileWith(frameStyle, 'text/css; charset=utf-8')
} satisfies Record<string, (settings: DeskSettings) => FileAnswer>

/** The script that sites embed, with the desk's colour and its few words. */
function scriptFor({ accent, language, help_languages }: DeskSettings): string {
  const fill = accent ?? defaultAccent
  const words = Object.entries(widgetLanguages).map(([name, { help, close }]) => [name, { help, close }])
  const desk = {
    fill,
    onFill: contrast(fill, white) >= leastContrast ? white : '#000000',
    language,
    languages: help_languages,
    words: Object.fromEntries(words)
  }
  return `(() => {\n${script}\nwidget(${JSON.stringify(desk)})\n})()\n`
}

function fileWith(text: string, type: string) {
  const content = Buffer.from(text)
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
  // Pages of other origins load the script.
  const headers = { 'cross-origin-resource-policy': 'cross-origin' }
  return { type, content, etag, cacheControl: 'public, max-age=600', headers }
}
