import pg from 'pg'
import { makeKeys } from '../src/keys.ts'
import { accessTokenSeconds } from '../src/limits.ts'

/** The secret of every installation of the bench. */
export const appSecret = 'a secret of the bench that guards nothing at all'

interface Person {
  id: number
  email: string
  token: string
}

interface Writer extends Person {
  /** One of their tickets. */
  ticket: number
}

/** Who acts in the scenarios on a filled database, and with what. */
export interface Cast {
  /** Clients with more than a page of tickets. */
  listers: Person[]
  /** Each with a ticket of ten messages. */
  readers: Writer[]
  /** As many different clients as there are, to 500. */
  writers: Writer[]
  admin: Person
}

/** Looks for the people in a filled database, and logs them in. */
export async function castOf(url: string): Promise<Cast> {
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
      listers: await people(clients('', 'where ticket_count between 20 and 200')),
      readers: await people(
        clients(
          ', ticket',
          'join (select client_id, min(id) as ticket from tickets where message_count = 10 group by 1) as chosen on client_id = clients.id'
        )
      ),
      writers: await people(
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
