import { resolve } from 'node:path'

/** A setting, parsed from an environment variable. */
export interface Setting<T> {
  /** The default in documents; undefined if there is none. */
  shown: string | undefined
  about: string
  /** Never repeated in a message. */
  secret: boolean
  /** Surrounding blanks belong to the value. */
  verbatim?: boolean
  /** Parses the operator's text; throws `InvalidSetting` with what is expected. */
  read(text: string): T
  /** The value without an operator's text. */
  fallback: (production: boolean) => T
}

/** The text is invalid. The message continues the setting's name: "must be …". */
export class InvalidSetting extends Error {}

export function integer(fallback: number, least: number, most: number, about: string): Setting<number> {
  const read = (given: string) => {
    const value = Number(given)
    if (/^\d{1,15}$/.test(given) && value >= least && value <= most) return value
    throw new InvalidSetting(`must be a whole number from ${least} to ${most}`)
  }
  return { shown: String(fallback), about, secret: false, read, fallback: () => fallback }
}

/** An upper limit: `inProduction` by default in production; elsewhere, and with 0, unlimited. */
export function upperLimit(inProduction: number, about: string): Setting<number> {
  const { read } = integer(inProduction, 0, 1_000_000_000, about)
  const shown = `${inProduction} in production, else 0`
  return {
    shown,
    about: `${about} 0 disables the limit.`,
    secret: false,
    read,
    fallback: production => (production ? inProduction : 0)
  }
}

export function choice<const T extends string>(values: readonly T[], fallback: T, about: string): Setting<T> {
  const read = (given: string) => {
    const value = values.find(value => value === given)
    if (value) return value
    throw new InvalidSetting(`must be one of ${values.join(', ')}`)
  }
  return { shown: fallback, about, secret: false, read, fallback: () => fallback }
}

export function flag(shown: string, fallback: (production: boolean) => boolean, about: string): Setting<boolean> {
  const read = (given: string) => {
    if (/^(true|1|yes|on)$/i.test(given)) return true
    if (/^(false|0|no|off)$/i.test(given)) return false
    throw new InvalidSetting('must be true or false')
  }
  return { shown, about, secret: false, read, fallback }
}

/** One line of text, which `read` may check. */
export function text(
  shown: string,
  fallback: (production: boolean) => string,
  about: string,
  read = oneLine
): Setting<string> {
  return { shown, about, secret: false, read, fallback }
}

export function optional<T>(about: string, read: (given: string) => T): Setting<T | undefined> {
  return { shown: undefined, about, secret: false, read, fallback: () => undefined }
}

export function secret<T>(about: string, read: (given: string) => T): Setting<T | undefined> {
  return { ...optional(about, read), secret: true }
}

/** The absolute path of a folder; a relative one starts at the working directory. */
export function folder(fallback: string, about: string): Setting<string> {
  return {
    shown: fallback,
    about,
    secret: false,
    read: given => resolve(oneLine(given)),
    fallback: () => resolve(fallback)
  }
}

/** A list of texts separated by commas, none by default. */
export function list(about: string, each: (given: string) => string): Setting<string[]> {
  const read = (given: string) => commaSeparated(given).map(each)
  return { shown: undefined, about, secret: false, read, fallback: () => [] }
}

/** The parts of a text between commas, without blanks around them and without empty ones. */
export function commaSeparated(given: string): string[] {
  return given
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '')
}

/** A parsed web URL without credentials; throws `InvalidSetting`. */
export function webAddress(given: string): URL {
  const parsed = URL.parse(given)
  if (parsed && /^https?:$/.test(parsed.protocol) && !parsed.username && !parsed.password) return parsed
  throw new InvalidSetting('must be an address that begins with http:// or https://')
}

/** An origin such as https://example.com, one of a list of them. */
export function origin(given: string): string {
  const parsed = webAddress(given)
  if (parsed.pathname === '/' && !parsed.search && !parsed.hash) return parsed.origin
  throw new InvalidSetting('must be a list of origins such as https://example.com, separated by commas')
}

export function oneLine(given: string): string {
  if (/^\P{Cc}*$/u.test(given)) return given
  throw new InvalidSetting('must be one line of text')
}
