import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DeskSettings } from '../../core/settings/registry.ts'
import { contrast, white } from '../../lib/contrast.ts'
import { widgetLanguages } from './widget-words.ts'

const source = readFileSync(join(import.meta.dirname, 'widget.js'), 'utf8')
const defaultAccent = '#2b57c8'

/** The script that sites embed, with the desk's colour and its few words. */
export function widgetScript({ accent, language, help_languages }: DeskSettings): string {
  const fill = accent ?? defaultAccent
  const desk = {
    fill,
    onFill: contrast(fill, white) >= 4.5 ? white : '#000000',
    language,
    languages: help_languages,
    words: Object.fromEntries(Object.entries(widgetLanguages).map(([name, { help, close }]) => [name, { help, close }]))
  }
  return `(() => {\n${source}\nwidget(${JSON.stringify(desk)})\n})()\n`
}
