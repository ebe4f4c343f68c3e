import type { FastifyInstance } from 'fastify'

/**
 * Records the methods of every route that is registered from here on. Returns a function that looks up the methods of a path for 405 and
 * `Allow` (decision 1), or undefined for an unknown path.
 */
export function methodsOf(app: FastifyInstance): (path: string) => string[] | undefined {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    routes.set(url, route)
    for (const each of [method].flat()) route.methods.add(each)
  })
  return path => {
    const found = [...routes.values()].filter(({ pattern }) => pattern.test(path)).flatMap(route => [...route.methods])
    return found.length > 0 ? [...new Set(found)].sort() : undefined
  }
}

function patternOf(url: string): RegExp {
  const plain = url.replace(/\/$/, '').replaceAll('.', '\\.')
  return new RegExp(`^${plain.replace(/:\w+/g, '[^/]+').replaceAll('*', '.*')}/?$`)
}
