// One chunk: what a sign-in page loads where there is more than a password.
export { PasskeySignIn } from './passkey-sign-in.tsx'
export { ProviderWays } from './provider-ways.tsx'
