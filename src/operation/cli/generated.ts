import { envExample, settingsPage } from '../../core/config.ts'
import { endpoints } from '../../endpoints.ts'
import { routesPage } from '../../kit/routes.ts'
import { apiDocument } from '../../operation/pages/api-document.ts'
import { authorizationPage } from '../../operation/pages/authorization.ts'
import { eventKindsPage } from '../../operation/pages/event-kinds.ts'
import { licencesPage } from './licences.ts'
import { migrationsIndex } from './migrations-index.ts'

interface GeneratedFile {
  path: string
  text: string
}

/** Every generated file, by its path from the root. */
export function generatedFiles(): GeneratedFile[] {
  return [
    { path: '.env.example', text: envExample() },
    { path: 'docs/authorization.md', text: authorizationPage() },
    { path: 'docs/event-kinds.md', text: eventKindsPage() },
    { path: 'docs/licences.md', text: licencesPage() },
    { path: 'docs/openapi.json', text: openapiText() },
    { path: 'docs/routes.md', text: routesPage(endpoints) },
    { path: 'docs/settings.md', text: settingsPage() },
    { path: 'migrations/index.ts', text: migrationsIndex() }
  ]
}

/** The text of `docs/openapi.json`: each operation and each component is one line, so the file is half as large and a diff names what changed. */
export function openapiText(): string {
  return `${linesOf(apiDocument(), 3)}\n`
}

/** The value as JSON, in which the members of objects down to this depth each begin a line. */
function linesOf(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{\n${members.map(([name, member]) => `${JSON.stringify(name)}:${linesOf(member, depth - 1)}`).join(',\n')}\n}`
}
