import { isInNetworks, isPublic } from '../../lib/networks.ts'
import { withTimeout } from '../../lib/timeout.ts'
import { MailboxFault } from '../../platform/mail/mailbox-fault.ts'
import { systemResolve } from '../../platform/outgoing/resolve.ts'

/** Finds the address of a host to connect to. Throws a `MailboxFault` for one that is unknown, or that may not be reached. */
export type CheckedHost = (host: string) => Promise<string>

const resolveWithinMilliseconds = 8_000
const resolve = systemResolve()

/**
 * The hosts that admins name may lead into the internal network only where the operator lists it. The connection is made to the address that was
 * checked, so that a name cannot lead elsewhere a moment later.
 */
export function checkedHost({
  MAILBOX_ALLOW_PRIVATE: allowed
}: {
  MAILBOX_ALLOW_PRIVATE: readonly string[]
}): CheckedHost {
  return async host => {
    const addresses = await withTimeout(resolveWithinMilliseconds, resolve(host)).catch(() => [])
    if (addresses.length === 0) throw new MailboxFault('unknown_host', `No server is known by the name ${host}`)
    const isFit = (address: string) => isPublic(address) || isInNetworks(address, allowed)
    if (addresses.every(isFit)) return addresses[0]!
    throw new MailboxFault(
      'private_host',
      `${host} leads into a private network that the operator does not list in MAILBOX_ALLOW_PRIVATE`
    )
  }
}
