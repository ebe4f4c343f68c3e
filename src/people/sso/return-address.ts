import type { Population } from '../../core/tables/columns.ts'

const home = { client: '/', staff: '/desk' } as const

/** The page to which one returns after a sign-in: only a path of our own pages, whatever was asked for. */
export function returnAddress(population: Population, asked: unknown, { BASE_URL }: { BASE_URL: string }): string {
  if (typeof asked !== 'string' || asked.length > 1000 || !/^\/(?![/\\])/.test(asked)) return home[population]
  const url = URL.parse(asked, BASE_URL)
  const isOurs = url !== null && url.origin === new URL(BASE_URL).origin && !/[\p{Cc}\\]/u.test(asked)
  if (!isOurs || /^\/(api|docs|branding|exports|uploads)(\/|$)/.test(url.pathname)) return home[population]
  return `${url.pathname}${url.search}${url.hash}`
}

/** The sign-in page, with what happened. */
export function signInPage(population: Population, parameters: Record<string, string> = {}): string {
  const query = new URLSearchParams(parameters).toString()
  return `${population === 'staff' ? '/desk' : ''}/sign-in${query === '' ? '' : `?${query}`}`
}
