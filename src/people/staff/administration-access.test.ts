import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { permissionSlugs } from '../../core/permissions.ts'

const desk = await bootDesk()

/** Contract: Summary. Every address of staff and client administration, and the permissions of which each alone gives access. */
const opened: Record<string, string[]> = {
  '/api/admin/permissions': ['staff.view', 'staff.manage'],
  '/api/admin/staff/list': ['staff.view', 'staff.manage'],
  '/api/admin/staff': ['staff.view', 'staff.manage'],
  '/api/admin/staff/create': [],
  '/api/admin/staff/detail': ['staff.view'],
  '/api/admin/staff/999999': ['staff.view'],
  '/api/admin/staff/999999/detail': ['staff.view'],
  '/api/admin/staff/update': [],
  '/api/admin/staff/999999/update': [],
  '/api/admin/staff/permissions': [],
  '/api/admin/staff/999999/permissions': [],
  '/api/admin/staff/delete': [],
  '/api/admin/staff/999999/delete': [],
  '/api/admin/clients/list': ['clients.view'],
  '/api/admin/clients': ['clients.view'],
  '/api/admin/clients/detail': ['clients.view'],
  '/api/admin/clients/999999': ['clients.view']
}

test('each permission alone opens exactly the endpoints that the contract names for it', async () => {
  for (const slug of permissionSlugs) {
    const supporter = await aSupporter(desk, slug)

    for (const [path, slugs] of Object.entries(opened)) {
      const { status } = await desk.post(path, supporter)

      assert.equal(status !== 403, slugs.includes(slug), `${slug} on ${path}: ${status}`)
    }
  }
})

test('an admin enters everywhere, a client, a supporter without permissions and a stranger nowhere', async () => {
  const [admin, client, supporter] = [await anAdmin(desk), await aClient(desk), await aSupporter(desk)]

  for (const path of Object.keys(opened)) {
    assert.notEqual((await desk.post(path, admin)).status, 403, path)
    assert.equal((await desk.post(path, client)).status, 403, path)
    assert.equal((await desk.post(path, supporter)).status, 403, path)
    assert.equal((await desk.post(path)).status, 401, path)
  }
})
