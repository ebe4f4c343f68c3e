/** The library that checks passkeys is loaded when the first one is used: it is a tenth of all modules, and many desks have no passkeys. */
export const loadWebAuthn = () => import('@simplewebauthn/server')
