import { MalformedBody } from '../errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** The bytes as text; anything but UTF-8 is refused. */
export function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw MalformedBody({ message: 'The body is not valid UTF-8' })
  }
}
