// The parts of mailauth that we use: its main module also loads parsers of images and certificates.
declare module 'mailauth/lib/dkim/verify.js' {
  export { dkimVerify } from 'mailauth'
}
declare module 'mailauth/lib/spf/index.js' {
  export { spf } from 'mailauth'
}
declare module 'mailauth/lib/arc/index.js' {
  export { arc } from 'mailauth'
}
declare module 'mailauth/lib/dmarc/index.js' {
  export { dmarc } from 'mailauth'
}
declare module 'mailauth/lib/tools.js' {
  export function getAlignment(
    domain: string,
    others: readonly string[],
    isStrict?: boolean
  ): { domain: string } | false
}
