import pg from 'pg'
import { makeKeys } from '../src/core/keys.ts'
import { accessTokenSeconds } from '../src/core/limits.ts'

/** `APP_SECRET` of every installation of the bench. */
export const appSecret = 'a secret of the bench that guards nothing at all'

interface Account {
  id: number
  email: string
  token: string
}

interface AccountWithTicket extends Account {
  /** The id of one of their tickets. */
  ticket: number
}

/** The accounts that send the requests of the scenarios on a filled database. */
export interface Accounts {
  /** Clients with more than a page of tickets. */
  listClients: Account[]
  /** Clients who each have a ticket of ten messages. */
  detailClients: AccountWithTicket[]
  /** Up to 500 clients, each with a ticket of fewer than ten messages. */
  writingClients: AccountWithTicket[]
  admin: Account
}

/** Selects the accounts of a filled database, and signs an access token for each. */
export async function accountsOf(url: string): Promise<Accounts> {
  const keys = makeKeys([appSecret])
  const now = new Date()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const people = async <T extends { population: 'client' | 'staff' }>(query: string) => {
    const { rows } = await client.query(query)
    return rows.map(({ session, population, ...row }) => ({
      ...Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, name === 'email' ? value : Number(value)])
      ),
      token: keys.sign(
        'access',
        { session: Number(session), population: population as T['population'], account: Number(row.id) },
        now,
        accessTokenSeconds
      )
    })) as never[]
  }
  const clients = (more: string, from: string) =>
    `select clients.id, email, (select min(id) from sessions where client_id = clients.id) as session, 'client' as population
      ${more} from clients ${from} order by md5(clients.id::text) limit 500`
  try {
    return {
      listClients: await people(clients('', 'where ticket_count between 20 and 200')),
      detailClients: await people(
        clients(
          ', ticket',
          'join (select client_id, min(id) as ticket from tickets where message_count = 10 group by 1) as chosen on client_id = clients.id'
        )
      ),
      writingClients: await people(
        clients(
          ', ticket',
          'join (select client_id, max(id) as ticket from tickets where message_count < 10 group by 1) as chosen on client_id = clients.id'
        )
      ),
      admin: (
        await people<never>(
          `select staff.id, email, (select min(id) from sessions where staff_id = staff.id) as session, 'staff' as population
            from staff where id = 1`
        )
      )[0]!
    }
  } finally {
    await client.end()
  }
}
