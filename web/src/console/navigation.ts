import type { ReactNode } from 'react'
import * as react from '../router/react.tsx'
import * as routes from '../router/routes.ts'
import type { PathOf, Target } from './addresses.ts'

// The router, narrowed to the addresses of the console.

export const Link: (props: react.LinkProps<Target>) => ReactNode = react.Link

export const useNavigate: () => (target: Target) => Promise<void> = react.useNavigate

export const redirect: (target: Target) => routes.Redirect = routes.redirect

export const createRoute: <Above extends string, Path extends string>(
  parent: routes.Route<Above>,
  path: Path & PathOf<Above, Path>,
  options: routes.RouteOptions
) => routes.Route<`${Above}${Path}`> = routes.createRoute
