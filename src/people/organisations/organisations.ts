import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import type { OrganisationRow } from '../../core/tables/organisations.ts'
import { failure } from '../../kit/errors.ts'
import { Flag, Id, Nullable, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import type { Page } from '../../lib/page.ts'
import { timestamp } from '../../lib/time.ts'

export const OrganisationNotFound = failure(404, 'organisation_not_found', 'There is no such organisation')
export const OrganisationIsMerging = failure(
  409,
  'organisation_is_merging',
  'This organisation is being merged into another one'
)

/** An organisation with its domains and counts, for admins. */
export type Organisation = Omit<OrganisationRow, 'ticket_count' | 'updated_at'> & {
  domains: string[]
  people_count: number
  /** Neither closed nor merged nor in the trash. */
  open_ticket_count: number
  /** While it is being merged. */
  merging: { into_id: number; into_name: string; people_moved: number; tickets_moved: number } | null
}

/** Beside a client. */
export const OrganisationName = Type.Object({ id: Id(3), name: OutputText('Weingut Brückner') })

export const OrganisationView = Type.Object({
  ...OrganisationName.properties,
  // In punycode, as they are compared.
  domains: Type.Array(OutputText('brueckner.example')),
  note: OutputText(''),
  managers_follow: Flag(0),
  people_count: Type.Integer({ minimum: 0, examples: [12] }),
  open_ticket_count: Type.Integer({ minimum: 0, examples: [3] }),
  is_archived: Flag(0),
  // While it is being merged into another one, which deletes it.
  merging: Nullable(
    Type.Object({
      into_id: Id(4),
      into_name: OutputText('Brückner Holding'),
      people_moved: Type.Integer({ minimum: 0, examples: [500] }),
      tickets_moved: Type.Integer({ minimum: 0, examples: [12_500] })
    })
  ),
  created_at: Timestamp(),
  version: Version
})

export function organisationView(organisation: Organisation): Static<typeof OrganisationView> {
  return {
    ...organisation,
    managers_follow: bit(organisation.managers_follow),
    is_archived: bit(organisation.is_archived),
    created_at: timestamp(organisation.created_at)
  }
}

/** The organisation with that id. Throws `OrganisationNotFound`. */
export async function organisationOf(db: Db, id: number): Promise<Organisation> {
  const [organisation] = await byId(db, { id })
  if (!organisation) throw OrganisationNotFound()
  return organisation
}

/** The same, locked until the transaction ends. Throws `OrganisationIsMerging` too. */
export async function lockedOrganisation(db: Db, id: number): Promise<Organisation> {
  await lockRow(db, { id })
  const organisation = await organisationOf(db, id)
  if (organisation.merging) throw OrganisationIsMerging()
  return organisation
}

/** A page of organisations by name, and the total. A search finds a part of a name or domain, in any case. */
export async function organisations(
  db: Db,
  { search, archived }: { search: string | undefined; archived: boolean },
  { limit, offset }: Page
): Promise<{ total: number; organisations: Organisation[] }> {
  const pattern = `%${(search ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`
  const found = await matching(db, { pattern, archived, limit, offset })
  const [counted] = await matchCount(db, { pattern, archived })
  return { total: counted!.total, organisations: found }
}

const lockRow = prepared((db, p: { id: number }) =>
  db.selectFrom('organisations').where('id', '=', p.id).select('id').forNoKeyUpdate()
)

const byId = prepared((db, p: { id: number }) => withCounts(db).where('organisations.id', '=', p.id))

interface Match {
  pattern: string
  archived: boolean
}

const matching = prepared((db, p: Match & Pick<Page, 'limit' | 'offset'>) =>
  withCounts(db)
    .where(isMatch(p))
    .orderBy(sql`lower(organisations.name)`)
    .orderBy('organisations.id')
    .limit(p.limit)
    .offset(p.offset)
)

const matchCount = prepared((db, p: Match) =>
  db
    .selectFrom('organisations')
    .where(isMatch(p))
    .select(({ fn }) => fn.countAll<number>().as('total'))
)

function isMatch({ pattern, archived }: Match) {
  return sql<boolean>`organisations.is_archived = ${archived} and (
    lower(organisations.name) like lower(${pattern}) or exists (
      select from organisation_domains where organisation_id = organisations.id and domain like lower(${pattern})))`
}

function withCounts(db: Db) {
  return db
    .selectFrom('organisations')
    .select(['organisations.id', 'organisations.name', 'organisations.note', 'organisations.managers_follow'])
    .select(['organisations.is_archived', 'organisations.created_at', 'organisations.version'])
    .select([
      sql<string[]>`array(
        select domain::text from organisation_domains where organisation_id = organisations.id order by domain)`.as(
        'domains'
      ),
      sql<number>`(select count(*) from clients where clients.organisation_id = organisations.id)`.as('people_count'),
      sql<number>`(select count(*) from tickets where tickets.organisation_id = organisations.id
        and status <> 'Closed' and trashed_at is null and merged_into_id is null)`.as('open_ticket_count'),
      sql<Organisation['merging']>`(
        select json_build_object('into_id', into_id, 'into_name', target.name, 'people_moved', people_moved,
          'tickets_moved', tickets_moved)
        from organisation_merges join organisations as target on target.id = into_id
        where organisation_merges.organisation_id = organisations.id)`.as('merging')
    ])
}
