const maxCharacters = 100_000
const maxValueCharacters = 300
const maxDescriptionCharacters = 5_000

const kinds: Record<string, string> = {
  REQUEST: 'Calendar invitation',
  REPLY: 'Calendar reply',
  CANCEL: 'Calendar cancellation',
  COUNTER: 'Calendar proposal'
}

/** The first event of a calendar file (RFC 5545) as text, for a mail without any other; empty if it has none. */
export function calendarText(calendar: string): string {
  const lines = calendar
    .slice(0, maxCharacters)
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
  const event = lines.findIndex(line => /^BEGIN:VEVENT\s*$/i.test(line))
  if (event < 0) return ''
  const method = propertyOf(lines, 'METHOD')?.value.toUpperCase() ?? ''
  const inEvent = lines.slice(event)
  const text = (name: string) => plainText(propertyOf(inEvent, name)?.value ?? '').slice(0, maxValueCharacters)
  const answer = method === 'REPLY' ? propertyOf(inEvent, 'ATTENDEE')?.parameters.PARTSTAT?.toLowerCase() : undefined
  const facts = [answer ?? '', text('SUMMARY'), timeOf(inEvent), text('LOCATION')].filter(fact => fact !== '')
  const kind = Object.hasOwn(kinds, method) ? kinds[method] : 'Calendar entry'
  const description = plainText(propertyOf(inEvent, 'DESCRIPTION')?.value ?? '').slice(0, maxDescriptionCharacters)
  return [`[${[kind, facts.join('; ')].filter(part => part !== '').join(': ')}]`, description].join('\n\n').trim()
}

function propertyOf(lines: readonly string[], name: string) {
  const line = lines.find(
    line => line.slice(0, name.length).toUpperCase() === name && /^[:;]/.test(line[name.length] ?? '')
  )
  // A colon within quotes belongs to a parameter.
  const found = line && /^((?:[^:"]|"[^"]{0,500}")*):(.*)$/s.exec(line.slice(0, maxDescriptionCharacters * 2))
  if (!found) return undefined
  const parameters = [...found[1]!.matchAll(/;([\w-]{1,40})=("[^"]*"|[^;]*)/g)].map(([, key, value]) => [
    key!.toUpperCase(),
    value!.replaceAll('"', '')
  ])
  return { value: found[2]!, parameters: Object.fromEntries(parameters) as Record<string, string> }
}

/** As written, in its own time zone. */
function timeOf(lines: readonly string[]): string {
  const { value = '', parameters = {} } = propertyOf(lines, 'DTSTART') ?? {}
  const found = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value.trim())
  if (!found) return ''
  const [, year, month, day, hour, minute, isUtc] = found
  const date = `${year}-${month}-${day}`
  if (hour === undefined) return date
  return [date, `${hour}:${minute}`, isUtc ? 'UTC' : (parameters.TZID ?? '').slice(0, 60)].join(' ').trim()
}

function plainText(value: string): string {
  return value.replace(/\\([nN,;\\])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign)).trim()
}
