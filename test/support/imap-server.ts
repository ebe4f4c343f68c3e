import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'

interface KeptMail {
  uid: number
  raw: Buffer
  flags: Set<string>
  /** When it arrived, if not on 20 November 2026. */
  date?: Date
}

/** The mailbox of one user, with folders that the test changes. */
export interface ImapServer {
  port: number
  /** Where it speaks TLS from the first byte. */
  securePort: number
  folders: Map<string, KeptMail[]>
  /** Delivers into INBOX, and notifies idle connections. */
  deliver(raw: string | Buffer): KeptMail
  /** Every received command, without its tag. */
  commands: string[]
  /** The number of open connections. */
  connections(): number
  /** Whether a connection is idle. */
  isIdling(): boolean
  /** Ends all connections without a word. */
  hangUp(): void
  /** Refuses connections while true. */
  isAway: boolean
  uidValidity: number
  /** Called with each command before its response; a returned string replaces the response, `drop` closes the connection. */
  onCommand(command: string): Promise<string | undefined> | string | undefined
  /** The RFC822.SIZE of a mail, if not its size. */
  sizeOf(mail: KeptMail): number
}

const support = import.meta.dirname
const tls = { key: readFileSync(join(support, 'localhost.key')), cert: readFileSync(join(support, 'localhost.crt')) }

/** A small IMAP server on this machine. The user is `desk` with `s3cret`, or with the access token `fresh`. It is closed with the tests. */
export async function imapServer(options: { capabilities?: string } = {}): Promise<ImapServer> {
  const { capabilities = 'IMAP4rev1 IDLE UIDPLUS MOVE SASL-IR AUTH=XOAUTH2 STARTTLS' } = options
  const sockets = new Set<Socket>()
  const idlers = new Map<Socket, () => void>()
  let lastUid = 100
  const server: ImapServer = {
    port: 0,
    securePort: 0,
    folders: new Map([['INBOX', []]]),
    commands: [],
    isAway: false,
    uidValidity: 1,
    connections: () => sockets.size,
    isIdling: () => idlers.size > 0,
    hangUp: () => sockets.forEach(socket => void socket.destroy()),
    onCommand: () => undefined,
    sizeOf: ({ raw }) => raw.length,
    deliver(raw) {
      const mail: KeptMail = { uid: ++lastUid, raw: Buffer.from(raw as string), flags: new Set<string>() }
      server.folders.get('INBOX')!.push(mail)
      for (const tell of idlers.values()) tell()
      return mail
    }
  }
  const listener = createServer(socket => (server.isAway ? socket.destroy() : serve(socket)))
  const secure = createTlsServer(tls, socket => (server.isAway ? socket.destroy() : serve(socket)))
  // A client that does not trust the certificate disconnects.
  secure.on('tlsClientError', () => {})
  for (const each of [listener, secure]) {
    each.listen(0, '127.0.0.1')
    await once(each, 'listening')
  }
  server.port = (listener.address() as AddressInfo).port
  server.securePort = (secure.address() as AddressInfo).port
  after(() => {
    server.hangUp()
    listener.close()
    secure.close()
  })
  return server

  function serve(plain: Socket): void {
    sockets.add(plain)
    plain
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(plain)
        idlers.delete(plain)
      })
    let socket = plain
    let folder: KeptMail[] = []
    let rest = ''
    let idleTag = '*'
    let queue = Promise.resolve()
    const say = (line: string) => socket.writable && socket.write(`${line}\r\n`)
    const read = (chunk: Buffer) => {
      rest += chunk.toString('latin1')
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        queue = queue.then(() => answer(line))
      }
    }
    socket.on('data', read)
    say(`* OK [CAPABILITY ${capabilities}] ready`)

    async function answer(line: string): Promise<void> {
      if (line === 'DONE') return idleEnds()
      const [, tag = '*', command = ''] = /^(\S+) (.*)$/.exec(line) ?? []
      server.commands.push(command)
      const instead = await server.onCommand(command)
      if (instead === 'drop') return void plain.destroy()
      if (instead) return void say(`${tag} ${instead}`)
      if (/^STARTTLS/i.test(command)) {
        say(`${tag} OK go on`)
        socket.removeListener('data', read)
        socket = new TLSSocket(plain, { isServer: true, ...tls })
        socket.on('data', read).on('error', () => {})
        return
      }
      if (/^IDLE/i.test(command)) {
        say('+ idling')
        idleTag = tag
        const tell = () => say(`* ${folder.length} EXISTS`)
        idlers.set(plain, tell)
        return
      }
      if (/^LOGOUT/i.test(command)) {
        say('* BYE see you')
        say(`${tag} OK done`)
        return void socket.end()
      }
      const said = answerTo(command)
      say(`${tag} ${said}`)
    }

    function idleEnds(): void {
      idlers.delete(plain)
      say(`${idleTag} OK done`)
    }

    function answerTo(command: string): string {
      const [, name = '', rest = ''] = /^((?:UID )?\S+) ?(.*)$/.exec(command) ?? []
      switch (name.toUpperCase()) {
        case 'LOGIN':
          return rest === '"desk" "s3cret"' || rest === 'desk s3cret'
            ? `OK [CAPABILITY ${capabilities}] in`
            : 'NO [AUTHENTICATIONFAILED] wrong'
        case 'AUTHENTICATE': {
          const given = Buffer.from(rest.split(' ')[1] ?? '', 'base64').toString()
          return given === 'user=desk\x01auth=Bearer fresh\x01\x01'
            ? `OK [CAPABILITY ${capabilities}] in`
            : 'NO [AUTHENTICATIONFAILED] wrong'
        }
        case 'CAPABILITY':
          say(`* CAPABILITY ${capabilities}`)
          return 'OK done'
        case 'LIST':
        case 'LSUB':
          if (rest === '"" ""') say(`* LIST (\\Noselect) "/" ""`)
          else for (const folder of server.folders.keys()) say(`* ${name.toUpperCase()} () "/" "${folder}"`)
          return 'OK done'
        case 'CREATE': {
          const folder = plainName(rest)
          if (server.folders.has(folder)) return 'NO [ALREADYEXISTS] it is there'
          server.folders.set(folder, [])
          return 'OK done'
        }
        case 'SELECT': {
          const found = server.folders.get(plainName(rest))
          if (!found) return 'NO [NONEXISTENT] no such folder'
          folder = found
          say(`* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)`)
          say(`* OK [PERMANENTFLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft \\*)] all`)
          say(`* ${folder.length} EXISTS`)
          say(`* OK [UIDVALIDITY ${server.uidValidity}] ok`)
          say(`* OK [UIDNEXT ${lastUid + 1}] ok`)
          return 'OK [READ-WRITE] done'
        }
        case 'UID SEARCH': {
          const [, header] = /HEADER "?message-id"? "?(<[^>]*>)/i.exec(rest) ?? []
          const found = header
            ? folder.filter(({ raw }) => raw.includes(header))
            : folder.filter(({ flags }) => !flags.has('\\Seen') && !flags.has('\\Deleted'))
          say(`* SEARCH${found.map(({ uid }) => ` ${uid}`).join('')}`)
          return 'OK done'
        }
        case 'UID FETCH':
          return fetched(rest)
        case 'UID STORE': {
          const flags = /\(([^)]*)\)/.exec(rest)?.[1]?.split(' ') ?? []
          for (const mail of within(rest)) {
            for (const flag of flags) mail.flags.add(flag)
            say(`* ${folder.indexOf(mail) + 1} FETCH (UID ${mail.uid} FLAGS (${[...mail.flags].join(' ')}))`)
          }
          return 'OK done'
        }
        case 'UID MOVE': {
          const to = server.folders.get(plainName(rest.split(' ').slice(1).join(' ')))
          if (!to) return 'NO [TRYCREATE] no such folder'
          for (const mail of within(rest)) {
            to.push(mail)
            expunge(mail)
          }
          return 'OK done'
        }
        case 'UID EXPUNGE':
          for (const mail of within(rest)) if (mail.flags.has('\\Deleted')) expunge(mail)
          return 'OK done'
        default:
          return /^(NOOP|ID|NAMESPACE|ENABLE|SUBSCRIBE)$/i.test(name) ? 'OK done' : 'BAD unknown'
      }
    }

    function fetched(rest: string): string {
      for (const mail of within(rest)) {
        const items = [`UID ${mail.uid}`]
        if (rest.includes('RFC822.SIZE')) items.push(`RFC822.SIZE ${server.sizeOf(mail)}`)
        if (rest.includes('INTERNALDATE')) items.push(`INTERNALDATE "${arrivalOf(mail)}"`)
        const part = /BODY\.PEEK\[\](?:<(\d+)\.(\d+)>)?/.exec(rest)
        socket.write(`* ${folder.indexOf(mail) + 1} FETCH (${items.join(' ')}`)
        if (part) {
          const start = Number(part[1] ?? 0)
          const bytes = mail.raw.subarray(start, start + Number(part[2] ?? mail.raw.length))
          socket.write(` BODY[]${part[1] === undefined ? '' : `<${start}>`} {${bytes.length}}\r\n`)
          socket.write(bytes)
        }
        say(')')
      }
      return 'OK done'
    }

    function within(rest: string): KeptMail[] {
      const ranges = rest
        .split(' ')[0]!
        .split(',')
        .map(range => range.split(':').map(Number))
      return folder.filter(({ uid }) => ranges.some(([from, to = from]) => uid >= from! && uid <= to!))
    }

    function expunge(mail: KeptMail): void {
      say(`* ${folder.indexOf(mail) + 1} EXPUNGE`)
      folder.splice(folder.indexOf(mail), 1)
    }
  }
}

function arrivalOf({ date = new Date('2026-11-20T08:28:31Z') }: KeptMail): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(date.toUTCString())!
  return `${day}-${month}-${year} ${time} +0000`
}

function plainName(given: string): string {
  return given.replace(/^"|"$/g, '')
}
