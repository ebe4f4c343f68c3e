import type { Generated, Selectable } from 'kysely'
import type { ActorType, CreatedAt, Id } from './columns.ts'

export interface OrganisationTables {
  organisations: OrganisationTable
  /** Domains are in lower case and punycode. */
  organisation_domains: { domain: string; organisation_id: number }
  /** What `organisations.ticket_count` does not include yet; see `src/people/organisations/ticket-counts.ts`. */
  organisation_ticket_changes: { organisation_id: number; tickets: number }
  /** Whom staff have taken out: they do not join by a domain again. */
  organisation_exits: { client_id: number; organisation_id: number }
  organisation_merges: OrganisationMergeTable
  /** Whether a manager gets the e-mails about a ticket of the organisation, for as long as they see it. */
  ticket_manager_follows: { ticket_id: number; client_id: number; is_following: boolean; created_at: CreatedAt }
}

interface OrganisationTable {
  id: Id
  name: string
  note: Generated<string>
  is_archived: Generated<boolean>
  /** Its managers get the e-mails about all of its tickets. */
  managers_follow: Generated<boolean>
  ticket_count: Generated<number>
  created_at: CreatedAt
  updated_at: CreatedAt
  version: Generated<number>
}
export type OrganisationRow = Selectable<OrganisationTable>

/** An organisation that is deleted once its people, domains and tickets are in another one. */
interface OrganisationMergeTable {
  organisation_id: number
  into_id: number
  actor_type: ActorType
  actor_id: number | null
  actor_name: string
  ip_address: string | null
  request_id: string | null
  people_moved: Generated<number>
  tickets_moved: Generated<number>
  created_at: Date
  worked_at: Date
}
