import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

// All that the page needs lies on this server; its style sheet draws its icons from data: addresses.
const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'"
}

/** The pages for people: the API's description as JSON, and a reference made from it that loads nothing from elsewhere. */
export async function pages(app: FastifyInstance, describe: () => object): Promise<void> {
  // Made when it is first asked for: a start need not wait for it.
  let made: { document: object; text: string } | undefined
  const api = () => {
    if (made) return made
    const document = describe()
    made = { document, text: JSON.stringify(document) }
    return made
  }
  app.get('/', (_request, reply) => reply.redirect('/docs', 302))
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(api().text))
  await app.register(async app => {
    await app.register(swagger, { mode: 'static', specification: { document: {} as never } })
    await app.register(swaggerUi, {
      routePrefix: '/docs',
      transformSpecification: () => api().document,
      transformSpecificationClone: false,
      staticCSP: policy,
      theme: { title: 'Deskline API' },
      uiConfig: {
        layout: 'BaseLayout',
        docExpansion: 'list',
        defaultModelsExpandDepth: -1,
        displayRequestDuration: true
      }
    })
  })
}
