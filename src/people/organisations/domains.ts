import { domainToUnicode } from 'node:url'
import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { addressKey } from '../../mail/support-addresses/support-addresses.ts'

export const PublicDomain = failure(
  400,
  'public_email_domain',
  'Anybody can have an e-mail address at this domain, so it stands for no organisation'
)
export const DomainTaken = failure(409, 'domain_taken', 'This domain belongs to another organisation')

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const pattern = new RegExp(`^(${label}\\.)+${label}$`)

/**
 * These domains as they are stored and compared: in lower case and punycode, without repetition. Throws `InvalidFields` for what is none, and
 * `PublicDomain`.
 */
export async function domainsOf(given: readonly string[]): Promise<string[]> {
  const domains = storedDomains(given)
  const errors = ['domains']
  // Lists of many thousand domains, which only this needs.
  const { isOfProvider, isPublicSuffix } = await import('./public-domains.ts')
  const suffix = domains.find(isPublicSuffix)
  if (suffix) {
    throw PublicDomain({
      message: `${domainToUnicode(suffix)} is a part under which anybody registers domains, so it stands for no organisation`,
      errors
    })
  }
  const open = domains.find(isOfProvider)
  if (open) {
    throw PublicDomain({
      message: `Anybody can have an address at ${domainToUnicode(open)}, so it stands for no organisation`,
      errors
    })
  }
  return domains
}

/** The same, also of mail providers. Throws `InvalidFields` for what is no domain. */
export function storedDomains(given: readonly string[]): string[] {
  const domains = given.map(text => storedDomain(text.trim()))
  const wrong = domains.findIndex(domain => domain.length > 253 || !pattern.test(domain))
  if (wrong < 0) return [...new Set(domains)]
  throw InvalidFields({ message: `“${given[wrong]}” is no domain, such as engines.example`, errors: ['domains'] })
}

/** A domain as it is stored: as the addresses at it are compared. The parser of URLs would cut `firm.example/x` to `firm.example`. */
export function storedDomain(domain: string): string {
  return addressKey(`@${domain}`).slice(1)
}

/** The domain of an e-mail address, as domains are stored. A subdomain is another domain. */
export function domainOf(email: string): string {
  const key = addressKey(email)
  return key.slice(key.lastIndexOf('@') + 1)
}

/** Replaces the domains of an organisation. Throws `DomainTaken`. */
export async function setDomains(db: Db, organisation: number, domains: readonly string[]): Promise<void> {
  await removeOthers(db, { organisation, domains })
  await insertDomains(db, { organisation, domains })
  const [other] = await ownedByOthers(db, { organisation, domains })
  if (other) {
    const message = `The domain ${domainToUnicode(other.domain)} belongs to ${other.name}`
    throw DomainTaken({ message, errors: ['domains'] })
  }
}

const removeOthers = prepared((db, p: { organisation: number; domains: readonly string[] }) =>
  db
    .deleteFrom('organisation_domains')
    .where('organisation_id', '=', p.organisation)
    .where('domain', '<>', sql<string>`all(${p.domains}::text[])`)
)

const insertDomains = prepared((db, p: { organisation: number; domains: readonly string[] }) =>
  db
    .insertInto('organisation_domains')
    .columns(['domain', 'organisation_id'])
    .expression(db =>
      db
        .selectFrom(sql<{ domain: string }>`unnest(${p.domains}::text[])`.as<'given'>(sql`given (domain)`))
        // In one order, so that two who add the same domains do not wait for each other.
        .orderBy('given.domain')
        .select(['given.domain', sql<number>`${p.organisation}::bigint`.as('organisation_id')])
    )
    .onConflict(conflict => conflict.column('domain').doNothing())
)

const ownedByOthers = prepared((db, p: { organisation: number; domains: readonly string[] }) =>
  db
    .selectFrom('organisation_domains')
    .innerJoin('organisations', 'organisations.id', 'organisation_domains.organisation_id')
    .where('domain', '=', sql<string>`any(${p.domains}::text[])`)
    .where('organisation_id', '<>', p.organisation)
    .orderBy('domain')
    .select(['domain', 'organisations.name'])
)

/**
 * The clients without an organisation who have proven an address at one of these domains, at most `limit`, and how many there are; without those
 * whom staff have taken out of the organisation that has one of the domains.
 */
export async function joinersOf(db: Db, domains: readonly string[], limit: number) {
  if (domains.length === 0) return { total: 0, people: [] }
  const found = await withAddressAt(db, { domains, patterns: patternsOf(domains), limit })
  return { total: found[0]?.total ?? 0, people: found.map(({ total: _, ...person }) => person) }
}

/** An address may have been written in Unicode or punycode. Domains have no characters that mean something to LIKE. */
function patternsOf(domains: readonly string[]): string[] {
  return [...new Set(domains.flatMap(domain => [domain, domainToUnicode(domain)]))].map(domain => `%@${domain}\n%`)
}

// The trigram index of the search text finds them; the address is one line of it.
const withAddressAt = prepared((db, p: { domains: readonly string[]; patterns: readonly string[]; limit: number }) =>
  db
    .selectFrom('clients')
    .where('search_text', 'like', sql<string>`any(${p.patterns}::text[])`)
    .where(sql<boolean>`lower(email) || chr(10) like any(${p.patterns}::text[])`)
    .where('is_email_verified', '=', true)
    .where('organisation_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('organisation_exits as exit')
            .innerJoin('organisation_domains as of', 'of.organisation_id', 'exit.organisation_id')
            .whereRef('exit.client_id', '=', 'clients.id')
            .where('of.domain', '=', sql<string>`any(${p.domains}::text[])`)
        )
      )
    )
    .orderBy('id')
    .select(['id', 'first_name', 'last_name', 'email'])
    .select(sql<number>`count(*) over ()`.as('total'))
    .limit(p.limit)
)
