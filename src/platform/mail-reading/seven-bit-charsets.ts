// Seven-bit charsets of other scripts, which the platform's decoders no longer support.

/** RFC 2152: base64 of UTF-16 between + and -. */
export function fromUtf7(text: string): string {
  return text.replace(/\+([A-Za-z0-9/]*)(-?)/g, (whole, encoded: string, end: string) => {
    if (encoded === '') return end ? '+' : whole
    const bytes = Buffer.from(encoded, 'base64')
    return bytes
      .subarray(0, bytes.length - (bytes.length % 2))
      .swap16()
      .toString('utf16le')
  })
}

/** RFC 1843: GB 2312 between ~{ and ~}. */
export function fromHz(bytes: Uint8Array): string {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/~\r?\n/g, '')
  return text
    .split(/~\{/)
    .map((part, index) => {
      if (index === 0) return part.replaceAll('~~', '~')
      const [encoded, rest = ''] = splitOnce(part, '~}')
      return highHalf(encoded, 'gb18030') + rest.replaceAll('~~', '~')
    })
    .join('')
}

/** ISO-2022-KR and ISO-2022-CN: the other script is between SO and SI. */
export function fromShifted(bytes: Uint8Array, charset: string): string {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/\x1b\$[)*+][A-Z]/g, '')
  return text
    .split('\x0e')
    .map((part, index) => {
      if (index === 0) return part
      const [encoded, rest = ''] = splitOnce(part, '\x0f')
      return highHalf(encoded, charset) + rest
    })
    .join('')
}

function splitOnce(text: string, by: string): [string, string?] {
  const at = text.indexOf(by)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + by.length)]
}

function highHalf(text: string, charset: string): string {
  const bytes = Buffer.from(text, 'latin1').map(byte => (byte > 0x20 ? byte | 0x80 : byte))
  return new TextDecoder(charset).decode(bytes)
}
