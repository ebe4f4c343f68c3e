import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Audience } from '../../core/tables/knowledge-base.ts'

/** What all pages are made of besides their address: they change with the articles, the settings, the logo, and this code. */
export async function helpStateOf(db: Db): Promise<string> {
  const [state] = await stateNow(db, {})
  return `${codeDigest} ${state!.state}`
}

/**
 * The entity tag of a page, for readers of this audience: never of its address alone (K9). It is weak, since pages for those who are signed in have a
 * token in their form that differs each time. `reader`: whose token that may be; a browser asks by a tag also after somebody else has signed in.
 */
export function tagOf(state: string, audience: Audience, url: string, reader = ''): string {
  return `"${createHash('sha256')
    .update(`${state}\0${audience}\0${url}\0${audience === 'public' ? '' : reader}`)
    .digest('base64url')
    .slice(0, 22)}"`
}

const codeDigest = readdirSync(import.meta.dirname)
  .filter(name => /\.(ts|css|js)$/.test(name))
  .reduce((hash, name) => hash.update(readFileSync(join(import.meta.dirname, name))), createHash('sha256'))
  .digest('base64url')
  .slice(0, 12)

const stateNow = prepared(db =>
  db
    .selectFrom('kb_state')
    .select(
      sql<string>`concat_ws(' ', revision, (select max(updated_at) from desk_settings), (select sha256 from desk_logo))`.as(
        'state'
      )
    )
)
