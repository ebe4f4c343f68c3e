import type { ReactNode } from 'react'
import * as react from '../router/react.tsx'
import * as routes from '../router/routes.ts'

// The router, narrowed to the addresses of the portal.

export type Address =
  | '/'
  | '/account'
  | '/account/emails'
  | '/account/security'
  | '/forgot'
  | '/new'
  | '/open'
  | '/reset'
  | '/sign-in'
  | '/sign-up'
  | '/verify'
  | '/verify/phone'

type Pattern = '/tickets/$number'

export type Target = ({ to: Address; params?: undefined } | { to: Pattern; params: { number: string } }) &
  Pick<routes.Target, 'search' | 'replace' | 'state'>

export const Link: (props: react.LinkProps<Target>) => ReactNode = react.Link

export const Redirect: (props: { to: Address }) => ReactNode = react.Redirect

export const useNavigate: () => (target: Target) => Promise<void> = react.useNavigate

export const redirect: (target: Target) => routes.Redirect = routes.redirect

export const createRoute: (
  parent: routes.Route<''>,
  path: Address | Pattern,
  options: routes.RouteOptions
) => routes.Route = routes.createRoute
