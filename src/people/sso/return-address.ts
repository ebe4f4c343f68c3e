import type { Population } from '../../core/tables/columns.ts'
import type { SsoProvider } from './providers.ts'
import type { SsoFailure } from './sign-in-by-provider.ts'

const home = { client: '/', staff: '/desk' } as const

/** The page to which one returns after a sign-in: only a path of our own pages, whatever was asked for. */
export function returnAddress(population: Population, asked: unknown, { BASE_URL }: { BASE_URL: string }): string {
  if (typeof asked !== 'string' || asked.length > 1000 || !/^\/(?![/\\])/.test(asked)) return home[population]
  const url = URL.parse(asked, BASE_URL)
  const isOurs = url !== null && url.origin === new URL(BASE_URL).origin && !/[\p{Cc}\\]/u.test(asked)
  // A path of dots may be normalised to one that begins with two slashes, which names another host.
  if (!isOurs || /^\/(\/|(api|docs|branding|exports|uploads)(\/|$))/.test(url.pathname)) return home[population]
  return `${url.pathname}${url.search}${url.hash}`
}

/** A page of ours with what happened. */
function withParameters(page: string, parameters: Record<string, string>): string {
  const url = new URL(page, 'http://ours.invalid')
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return `${url.pathname}${url.search}${url.hash}`
}

/** The sign-in page, with what happened, and where one goes on from there. */
export function signInPage(population: Population, parameters: Record<string, string>, returnTo?: string): string {
  const page = withParameters(`${population === 'staff' ? '/desk' : ''}/sign-in`, parameters)
  const isHome = returnTo === undefined || returnTo === home[population]
  return isHome ? page : withParameters(page, { return_to: returnTo })
}

/** Where somebody is told why: whoever is signed in on the page where they began, everybody else on the sign-in page. */
export function refusedPage(
  { population, slug }: Pick<SsoProvider, 'population' | 'slug'>,
  { error, reference, begun }: SsoFailure
): string {
  const what = { sso_error: error, ...(reference ? { reference } : {}), provider: slug }
  if (begun && begun.purpose !== 'sign-in') return withParameters(begun.returnTo, what)
  return signInPage(population, what, begun?.returnTo)
}

/** For a browser whose provider was deleted or turned off since its page was made. A program gets a 404. */
export function pageWithoutProvider(population: Population): string {
  return signInPage(population, { sso_error: 'provider_gone' })
}
