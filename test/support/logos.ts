import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import type { Db } from '../../src/core/db.ts'
import { settingsOf } from '../../src/core/settings/desk-settings.ts'
import { logoNamed, logoUrlOf } from '../../src/core/settings/logo.ts'
import type { Desk } from './desk.ts'
import type { Person } from './people.ts'
import { form } from './tickets.ts'

/** The smallest image of its kind, all of it. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64'
)

/** A file as an admin uploads it for a logo. */
export function aLogo(content: string | Buffer<ArrayBuffer> = png, name = 'logo.png', type = 'image/png'): File {
  return new File([content], name, { type })
}

/** Sets a name and a logo of the largest size; answers what anybody is told of the desk, and the bytes of the logo. */
export async function brand(desk: Desk, admin: Person) {
  const content = Buffer.concat([png, randomBytes(256 * 1024 - png.length)])
  await desk.post('/api/admin/settings/logo', admin, form({}, aLogo(content)))
  await desk.post('/api/admin/settings/update', admin, { name: 'A desk of its own' })
  const { name, logo_url, phone, privacy_url, accent } = (await desk.post('/api/desk')).data
  return { content, shown: { name, logo_url, phone, privacy_url, accent } }
}

/** The same of the desk on this database. */
export async function brandOf(db: Db) {
  const [{ settings }, logo_url] = [await settingsOf(db), await logoUrlOf(db)]
  const { content } = await logoNamed(db, basename(logo_url!))
  const { name, phone, privacy_url, accent } = settings
  return { content, shown: { name, logo_url, phone, privacy_url, accent } }
}
