import { generateKeyPairSync } from 'node:crypto'
import { dkimSign } from 'mailauth'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
export const signingKey = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string

/** The record of the selector `k` in the DNS. */
export const dkimRecord = `v=DKIM1; k=ed25519; p=${publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`

/** The mail, signed by this domain. */
export async function signed(raw: string, signingDomain = 'signed.example', maxBodyLength?: number): Promise<string> {
  const one = { signingDomain, selector: 'k', privateKey: signingKey, maxBodyLength }
  const { signatures } = await dkimSign(raw, { ...one, signatureData: [one] })
  return `${signatures}${raw}`
}
