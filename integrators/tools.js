// What integrators' tools make of a description. By itself, since it imports what is installed beside it alone.
import { createRequire } from 'node:module'
import { createClient } from '@hey-api/openapi-ts'
import converters from '@usebruno/converters'
import openapiTypescript, { astToString } from 'openapi-typescript'

const { convertV2 } = createRequire(import.meta.url)('openapi-to-postmanv2')

/** The text of a module of types. */
export async function openapiTypes(document) {
  return astToString(await openapiTypescript(document))
}

/** Writes a client with its types into a folder. */
export async function heyApiClient(input, folder) {
  await createClient({
    input,
    output: { path: folder, module: { extension: '.ts' } },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent', file: false }
  })
}

/** The requests of a Postman collection, each as `METHOD /path`. */
export async function postmanRequests(document) {
  const input = { type: 'json', data: document }
  const { result, reason, output } = await new Promise((resolve, reject) =>
    convertV2(input, {}, (error, converted) => (error ? reject(error) : resolve(converted)))
  )
  if (!result) throw new Error(reason)
  return leaves(output[0].data, 'item').map(({ method, url }) => `${method} /${url.path.join('/')}`)
}

/** The requests of a Bruno collection, each as `METHOD /path`. */
export async function brunoRequests(document) {
  const collection = await converters.openApiToBruno(JSON.parse(document))
  return leaves(collection, 'items').map(({ method, url }) => `${method} ${url.replace('{{baseUrl}}', '')}`)
}

function leaves(folder, inside) {
  return folder[inside].flatMap(item => (item[inside] ? leaves(item, inside) : [item.request]))
}
