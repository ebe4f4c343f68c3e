import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import PostalMime from 'postal-mime'

export interface SentEmail {
  to: string
  subject: string
  text: string
  messageId: string
}

/** The e-mails that a desk has sent: files in its outbox. */
export function outboxIn(dataDir: string) {
  const folder = join(dataDir, 'outbox')
  async function emails(): Promise<SentEmail[]> {
    const names = await readdir(folder).catch(() => [])
    const files = names.filter(name => name.endsWith('.eml')).sort()
    return await Promise.all(
      files.map(async name => {
        const { to, subject, text, messageId } = await PostalMime.parse(await readFile(join(folder, name)))
        return { to: to?.[0]?.address ?? '', subject: subject ?? '', text: text ?? '', messageId: messageId ?? '' }
      })
    )
  }

  /** The newest e-mail to this address whose subject or text fits, once it is there. */
  async function emailTo(address: string, pattern: RegExp = /./): Promise<SentEmail> {
    let found: SentEmail | undefined
    await expect
      .poll(
        async () => {
          found = (await emails()).findLast(
            ({ to, subject, text }) => to === address && (pattern.test(subject) || pattern.test(text))
          )
          return found !== undefined
        },
        { message: `an e-mail to ${address} that fits ${pattern}`, timeout: 60_000, intervals: [50, 100, 200] }
      )
      .toBe(true)
    return found!
  }

  return {
    emails,
    emailTo,
    /** The six digits of the newest e-mail with a code to this address. */
    codeFor: async (address: string) => /\b\d{6}\b/.exec((await emailTo(address, /\b\d{6}\b/)).text)![0],
    /** The first link in the newest e-mail with one that fits, as a path on this desk. */
    async linkFor(address: string, pattern: RegExp = /https?:\/\//): Promise<string> {
      const { text } = await emailTo(address, pattern)
      const { pathname, search, hash } = new URL(/https?:\/\/[^\s<>]+/.exec(text)![0])
      return pathname + search + hash
    }
  }
}
