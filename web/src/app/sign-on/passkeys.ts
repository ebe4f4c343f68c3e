import type { Population } from '@deskline/client'
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import { apiClient, post } from '../api-client.ts'

// The code of passkeys: a chunk of its own, loaded when it is needed.

/** Signs in with a passkey that the browser asks for, or offers in the field of the e-mail address. Ends the one that was asked for before. */
export async function signInByPasskey(
  population: Population,
  { useBrowserAutofill = false, onChosen = () => {} }: { useBrowserAutofill?: boolean; onChosen?: () => void } = {}
): Promise<void> {
  const signed = await signByPasskey(population, useBrowserAutofill)
  onChosen()
  await apiClient.signInWithPasskey({ population, ...signed })
}

/** Has the browser sign with a passkey: for a sign-in, or as a proof that it is still the same person. */
export async function signByPasskey(population: Population, useBrowserAutofill = false) {
  const path = population === 'staff' ? '/api/admin/auth/passkey/options' : '/api/auth/passkey/options'
  const { options, challenge_id } = await post(path)
  const signed = await startAuthentication({ ...forBrowser(options), useBrowserAutofill })
  return { challenge_id, response: { ...signed, response: { ...signed.response } } }
}

/** Has the browser make a passkey. Returns what the desk wants to know of it. */
export async function makePasskey() {
  const { options, challenge_id } = await post('/api/account/passkeys/options')
  const made = await startRegistration(forBrowser(options))
  return { challenge_id, response: { ...made, response: { ...made.response } } }
}

/**
 * The options as the browser's half of the library takes them. Its other half has made them: the API passes them on without describing them, since their
 * shape is that of WebAuthn and grows with browsers.
 */
function forBrowser<Options>(options: object): { optionsJSON: Options } {
  return { optionsJSON: options as Options }
}

/** Whether the person has closed the browser's dialog, or the browser has no passkey: no failure, nothing has happened. */
export function isGivenUp(error: unknown): boolean {
  return isBrowsers(error) && ['NotAllowedError', 'AbortError'].includes(error.name)
}

/** Whether the authenticator has a passkey of this account already. */
export function isKnownAlready(error: unknown): boolean {
  return error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
}

/** Whether the browser refused, and not the desk. */
export function isBrowsers(error: unknown): error is Error {
  return error instanceof WebAuthnError || error instanceof DOMException
}
