/**
 * The header that makes a browser save a file under this name and never display it (RFC 6266): in plain ASCII for old browsers, and in full.
 * Neither form lets the name end its quotes or the header.
 */
export function attachmentDisposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  const full = encodeURIComponent(fileName).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`
}
