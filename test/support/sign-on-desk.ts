import { bootDesk } from './desk.ts'
import { anIdentityProvider, aProvider } from './identity-provider.ts'
import { anAdmin } from './people.ts'

/** A desk with one identity provider for clients that are known, for all of them, and for staff. */
export async function bootSignOnDesk() {
  const desk = await bootDesk({ connections: 8 })
  const admin = await anAdmin(desk)
  const twin = await anIdentityProvider()
  let serial = 0
  return {
    ...{ desk, admin, twin },
    clients: await aProvider(desk, admin, twin),
    makers: await aProvider(desk, admin, twin, { create_accounts: 1 }),
    staff: await aProvider(desk, admin, twin, { population: 'staff' }),
    /** What the provider says of somebody. */
    says(email: string | undefined, more: object = {}) {
      twin.claims = { sub: `sub-${++serial}`, email, email_verified: true, name: 'Ada Lovelace', ...more }
      twin.header = {}
      twin.userInfo = undefined
      twin.isForged = false
    }
  }
}
