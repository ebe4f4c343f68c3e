import type { Params, Search } from '../router/urls.ts'

/** An address below `/desk` with parameters, which begin with `$`. */
type Pattern =
  | '/api-access/$accountId'
  | '/clients/$id'
  | '/held-mail/$mailId'
  | '/knowledge/$articleId'
  | '/mail/held/$mailId'
  | '/mail/log/$mailId'
  | '/macros/$macroId'
  | '/organisations/$id'
  | '/search/$ticket'
  | '/forms/$formId'
  | '/hours/$calendarId'
  | '/rules/$ruleId'
  | '/rules/$ruleId/runs'
  | '/rules/$ruleId/versions'
  | '/settings/email/$mailboxId'
  | '/settings/email-templates/$name'
  | '/settings/sign-in/$providerId'
  | '/sla/$policyId'
  | '/staff/$staffId'
  | '/webhooks/$webhookId'
  | '/$view'
  | '/$view/$ticket'

/** An address without parameters. */
type Fixed =
  | '/'
  | '/account'
  | '/account/signature'
  | '/account/tokens'
  | '/admin'
  | '/admin/overview'
  | '/api-access'
  | '/audit'
  | '/canned'
  | '/knowledge'
  | '/macros'
  | '/clients'
  | '/counts'
  | '/reports'
  | '/reports/mine'
  | '/reports/tickets'
  | '/wall'
  | '/departments'
  | '/fields'
  | '/forms'
  | '/forgot'
  | '/held-mail'
  | '/held-mail/blocked'
  | '/mail'
  | '/mail/blocked'
  | '/mail/held'
  | '/mail/log'
  | '/hours'
  | '/organisations'
  | '/reset'
  | '/rules'
  | '/search'
  | '/second-factor'
  | '/settings'
  | '/settings/email'
  | '/settings/email/new'
  | '/settings/email-templates'
  | '/settings/emails'
  | '/settings/general'
  | '/settings/help'
  | '/settings/portal'
  | '/settings/satisfaction'
  | '/settings/sign-in'
  | '/settings/sign-in/new'
  | '/settings/you'
  | '/sign-in'
  | '/sla'
  | '/staff'
  | '/start'
  | '/tags'
  | '/trash'
  | '/webhooks'

type Views =
  | 'mine'
  | 'unassigned'
  | 'replied'
  | 'breaching'
  | 'all'
  | 'waiting'
  | 'snoozed'
  | 'closed'
  | `${'view' | 'department'}-${number}`

/** An address that needs no parameters. */
export type Address = Fixed | `/clients/${number}` | `/${Views}`

/** The names of the parameters of a pattern. */
type Open<P extends string> = P extends `${string}/$${infer Name}/${infer Rest}`
  ? Name | Open<`/${Rest}`>
  : P extends `${string}/$${infer Name}`
    ? Name
    : never

type Page =
  | { to: Address; params?: undefined }
  | { [P in Pattern]: { to: P; params: Record<Open<P>, string> } }[Pattern]
  | { to: '.'; params?: (former: Params) => Partial<Params> }

/** A navigation target. `search: true` keeps the search parameters; `.` is the current page. */
export type Target = Page & {
  search?: true | object | ((former: Search) => object) | undefined
  replace?: boolean | undefined
  state?: object | undefined
}

/** The path of a route below another one. Only the addresses above are accepted, so that every route can be linked. */
export type PathOf<Parent extends string, Path extends string> = `${Parent}${Path}` extends Pattern | Fixed
  ? Path
  : never
