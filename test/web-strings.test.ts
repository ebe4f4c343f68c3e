import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ticketStatuses } from '../src/core/tables/tickets.ts'
import { catalogues } from '../src/core/wording/catalogues.ts'
import { templateNames } from '../src/core/wording/email-templates.ts'

const folder = join(import.meta.dirname, '../web/src/strings')
const areas = readdirSync(join(folder, 'en'))

test('German has every string of the pages that English has, with the same placeholders', () => {
  assert.deepEqual(readdirSync(join(folder, 'de')), areas)
  for (const area of areas) assert.deepEqual(placeholders('de', area), placeholders('en', area), area)
})

test('No string of the pages is empty, and none shouts', () => {
  for (const area of areas)
    for (const language of ['en', 'de'])
      for (const [key, text] of Object.entries(catalogue(language, area))) {
        assert.notEqual(text.trim(), '', `${language} ${area}.${key}`)
        assert.ok(!text.includes('!'), `${language} ${area}.${key}: ${text}`)
      }
})

test('Every string of the pages is used', () => {
  const pages = join(folder, '..')
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter(file => /\.tsx?$/.test(file))
  const source = files.map(file => readFileSync(join(pages, file), 'utf8')).join('\n')
  const named = new Set([...source.matchAll(/['"`]([\w-]+\.[\w.-]+)['"`]/g)].map(([, key]) => key))
  // `mail.step.${step}` stands for all that begin so.
  const patterns = [...source.matchAll(/`([\w-]+\.[^`\s]*\$\{[^`]*)`/g)].map(
    ([, text]) => new RegExp(`^${text!.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '.+')}$`)
  )
  const keys = areas.flatMap(area =>
    Object.keys(catalogue('en', area)).map(key => `${area.replace('.json', '')}.${key}`)
  )
  assert.deepEqual(
    keys.filter(key => !named.has(key) && !patterns.some(pattern => pattern.test(key))),
    []
  )
})

test('Every template of an e-mail has a name in the console, and says to whom it goes', () => {
  const admin = catalogue('en', 'admin.json')
  for (const name of templateNames)
    for (const what of ['title', 'to']) assert.ok(admin[`template.${what}.${name}`], `${what} of ${name}`)
})

test('What becomes of a ticket has the same words in the portal, the console, the e-mails and the API', () => {
  const stems = { en: { Answered: 'answer', Closed: 'closed' }, de: { Answered: 'antwort', Closed: 'geschlossen' } }
  for (const language of ['en', 'de'] as const) {
    const portal = catalogue(language, 'portal.json')
    const console = catalogue(language, 'ui.json')
    const email = catalogues[language].emails['client-ticket-unverified'].text
    for (const [status, stem] of Object.entries(stems[language])) {
      const said = [portal[status.toLowerCase()], console[`status${status}`]]
      // What an e-mail says stands behind the condition of its status.
      const inEmail = new RegExp(`\\{\\{#${status.toLowerCase()}\\}\\}(.*?)\\{\\{/`).exec(email)?.[1]
      for (const text of [...said, inEmail]) assert.match(text ?? '', new RegExp(stem, 'i'), `${language} ${status}`)
    }
  }
  // In English the console calls every status as the API does, but for the hyphen of one.
  for (const status of ticketStatuses) {
    const name = catalogue('en', 'ui.json')[`status${status.replace(/\W/g, '')}`] ?? ''
    assert.equal(
      name.toLowerCase().replace('replied', 'reply').replace(/\W/g, ''),
      status.toLowerCase().replace(/\W/g, '')
    )
  }
})

/** By key the names that stand in braces, as `{count, plural, …}` or `{name}`. What stands behind `one` or `=0` is a text. */
function placeholders(language: string, area: string): Record<string, string[]> {
  const named = /(?<!(?:\b(?:zero|one|two|few|many|other)|=\d+)\s*)\{\s*(\w+)\s*[,}]/g
  const entries = Object.entries(catalogue(language, area)).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(
    entries.map(([key, text]) => [key, [...new Set([...text.matchAll(named)].map(([, name]) => name!))].sort()])
  )
}

function catalogue(language: string, area: string): Record<string, string> {
  return JSON.parse(readFileSync(join(folder, language, area), 'utf8')) as Record<string, string>
}
