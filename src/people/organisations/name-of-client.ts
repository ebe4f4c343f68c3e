import { sql } from 'kysely'

/** Within a query on `clients`: the organisation to which the client belongs, as it is shown beside the client. */
export const organisationOfClient = sql<{ id: number; name: string } | null>`(
  select json_build_object('id', organisation.id, 'name', organisation.name) from organisations as organisation
  where organisation.id = clients.organisation_id)`
