/** The domains at which anybody can have an address; some as Unicode, the rest as ASCII. */
declare module 'email-providers' {
  const domains: readonly string[]
  export default domains
}
