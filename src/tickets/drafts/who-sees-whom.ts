import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Recipients } from '../../core/tables/sending.ts'
import type { Language } from '../../core/wording/languages.ts'
import { followersOf } from '../followers/followers.ts'
import { chosenRecipients, type GivenRecipients } from '../followers/recipients.ts'

type Chosen = Pick<Recipients, 'client' | 'to' | 'cc' | 'bcc' | 'cc_once'>

const followersOnly: Chosen = { client: true, to: [], cc: null, bcc: [], cc_once: [] }

/**
 * What those who get a reply see of each other, in sentences, by the rules by which it is sent. Throws what `chosenRecipients` does.
 */
export async function whoSeesWhom(
  services: Pick<Services, 'db' | 'config' | 'keys'>,
  ticketId: number,
  given: GivenRecipients,
  language: Language
): Promise<string> {
  const { db } = services
  const { client, to, cc, bcc, cc_once } = (await chosenRecipients(services, ticketId, given)) ?? followersOnly
  const followers = (await followersOf(db, ticketId)).map(({ email }) => email)
  const copies = cc ?? followers
  const [clientName] = await clientOf(db, { ticket: ticketId })
  const people = new Map(
    (await named(db, { ticket: ticketId, emails: [...to, ...copies, ...bcc] })).map(person => [person.email, person])
  )
  const nameOf = (email: string) => people.get(email)?.name || email
  const seen = [...(client ? [clientName!.name] : []), ...[...to, ...copies].map(nameOf)]
  const later = copies.filter(email => !people.get(email)?.follows && !cc_once.includes(email)).map(nameOf)
  const say = sentences[language]
  const listed = (people: readonly string[]) => new Intl.ListFormat(language).format(people)
  return [
    seen.length > 1 ? say.seeEachOther(listed(seen)) : say.alone(seen[0] ?? ''),
    ...(client ? [] : [say.withoutClient(clientName!.name)]),
    ...(later.length > 0 ? [say.later(listed(later), later.length)] : []),
    ...(bcc.length > 0 ? [say.hidden(listed(bcc.map(nameOf)), bcc.length)] : [])
  ].join(' ')
}

const sentences: Record<
  Language,
  {
    seeEachOther(names: string): string
    alone(name: string): string
    withoutClient(name: string): string
    later(names: string, count: number): string
    hidden(names: string, count: number): string
  }
> = {
  en: {
    seeEachOther: names => `${names} see each other.`,
    alone: name => `Only ${name} gets it.`,
    withoutClient: name => `${name} does not get this answer by e-mail, and reads it in the portal.`,
    later: (names, count) => `${names} ${count === 1 ? 'gets' : 'get'} this answer and later ones, nothing before.`,
    hidden: (names, count) => `Nobody sees that ${names} ${count === 1 ? 'gets' : 'get'} a copy.`
  },
  de: {
    seeEachOther: names => `${names} sehen einander.`,
    alone: name => `Nur ${name} bekommt sie.`,
    withoutClient: name => `${name} bekommt diese Antwort nicht per E-Mail und liest sie im Portal.`,
    later: (names, count) =>
      `${names} ${count === 1 ? 'bekommt' : 'bekommen'} diese und spätere Antworten, nichts davor.`,
    hidden: (names, count) => `Niemand sieht, dass ${names} eine Kopie ${count === 1 ? 'bekommt' : 'bekommen'}.`
  }
}

const clientOf = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('tickets.id', '=', p.ticket)
    .select(sql<string>`coalesce(nullif(clients.first_name, ''), clients.last_name)`.as('name'))
)

/** Who they are: as they follow the ticket, else as clients. */
const named = prepared((db: Db, p: { ticket: number; emails: readonly string[] }) =>
  db
    .selectFrom(sql<{ email: string }>`unnest(${p.emails}::text[])`.as<'given'>(sql`given (email)`))
    .leftJoin('ticket_followers as follower', join =>
      join.on('follower.ticket_id', '=', p.ticket).on(sql`lower(follower.email)`, '=', sql`lower(given.email)`)
    )
    .leftJoin('clients as person', join => join.on(sql`lower(person.email)`, '=', sql`lower(given.email)`))
    .select([
      'given.email',
      sql<string | null>`coalesce(nullif(follower.name, ''), trim(person.first_name || ' ' || person.last_name))`.as(
        'name'
      ),
      sql<boolean>`follower.id is not null`.as('follows')
    ])
)
