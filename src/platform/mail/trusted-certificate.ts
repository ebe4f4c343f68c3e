import { X509Certificate } from 'node:crypto'
import type { ConnectionOptions } from 'node:tls'

/** The options of a TLS connection to `host`: with a certificate that is trusted by itself, exactly that one is accepted, whatever its name. */
export function tlsFor(host: string, certificate: string | undefined | null): ConnectionOptions {
  if (!certificate) return { minVersion: 'TLSv1.2', servername: servernameOf(host) }
  const { fingerprint256 } = new X509Certificate(certificate)
  return {
    minVersion: 'TLSv1.2',
    servername: servernameOf(host),
    ca: [certificate],
    allowPartialTrustChain: true,
    checkServerIdentity: (_, given) =>
      given.fingerprint256 === fingerprint256
        ? undefined
        : new Error('This is another certificate than the trusted one')
  }
}

/** An IP address is no name of a server. */
export function servernameOf(host: string): string | undefined {
  return /^[\d.]+$|:/.test(host) ? undefined : host
}
