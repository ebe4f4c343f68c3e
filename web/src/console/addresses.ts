import type { Params, Search } from '../router/urls.ts'

/** A page by its address below `/desk`, whose parts with a `$` say what it shows. */
type Pattern =
  | '/clients/$id'
  | '/held-mail/$mailId'
  | '/search/$ticket'
  | '/settings/$part'
  | '/settings/email-templates/$name'
  | '/staff/$staffId'
  | '/webhooks/$webhookId'
  | '/$view'
  | '/$view/$ticket'

/** A page that is always the same. */
type Fixed =
  | '/'
  | '/account'
  | '/audit'
  | '/canned'
  | '/clients'
  | '/counts'
  | '/departments'
  | '/forgot'
  | '/held-mail'
  | '/held-mail/blocked'
  | '/reset'
  | '/search'
  | '/second-factor'
  | '/settings'
  | '/settings/email-templates'
  | '/sign-in'
  | '/staff'
  | '/start'
  | '/tags'
  | '/trash'
  | '/webhooks'

type Views = 'mine' | 'unassigned' | 'replied' | 'all' | 'waiting' | 'closed' | `${'view' | 'department'}-${number}`

/** An address that is whole. */
export type Address = Fixed | `/clients/${number}` | '/settings/you' | '/settings/emails' | `/${Views}`

/** The names of what a pattern leaves open. */
type Open<P extends string> = P extends `${string}/$${infer Name}/${infer Rest}`
  ? Name | Open<`/${Rest}`>
  : P extends `${string}/$${infer Name}`
    ? Name
    : never

type Page =
  | { to: Address; params?: undefined }
  | { [P in Pattern]: { to: P; params: Record<Open<P>, string> } }[Pattern]
  | { to: '.'; params?: (former: Params) => Partial<Params> }

/** Where somebody goes. `search: true` keeps what the address says; `.` is the page that is shown. */
export type Target = Page & {
  search?: true | object | ((former: Search) => object) | undefined
  replace?: boolean | undefined
  state?: object | undefined
}

/** The path of a page below another one's: nothing else than the pages above is made, so that every link has somewhere to lead. */
export type PathOf<Parent extends string, Path extends string> = `${Parent}${Path}` extends Pattern | Fixed
  ? Path
  : never
