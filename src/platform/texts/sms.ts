import type { Clock } from '../clock.ts'
import { PermanentFailure } from '../permanent-failure.ts'
import { e164 } from './phone-number.ts'
import { signedRequest } from './signed-request.ts'
import type { SmsAddress } from './sms-address.ts'
import type { TextMessage, Texts } from './texts.ts'
import { twilioRequest } from './twilio-request.ts'

export interface SmsOptions {
  address: SmsAddress
  /** Signs requests of our own protocol. */
  secret: string
  /** The country of numbers without a country code, such as `NL`. */
  defaultCountry?: string
  clock: Clock
  /** The time limit of one attempt. */
  timeoutMilliseconds?: number
}

/** Sends texts by an SMS gateway. */
export function smsTexts({ address, secret, defaultCountry, clock, timeoutMilliseconds = 30_000 }: SmsOptions): Texts {
  const requestFor = (message: TextMessage, to: string) =>
    address.kind === 'twilio'
      ? twilioRequest({ ...message, to }, address)
      : signedRequest({ ...message, to }, { secret, now: clock.now() })

  return {
    reaches: number => e164(number, defaultCountry) !== undefined,

    async send(message) {
      const to = e164(message.to, defaultCountry)
      if (!to)
        throw new PermanentFailure(
          'No text can be sent to this number: it lacks a country code or has too few or too many digits'
        )
      const { isTaken, status, answer } = await answerTo(address.url, requestFor(message, to), timeoutMilliseconds)
      if (isTaken) return answer
      throw isAboutTheText(status) ? new PermanentFailure(answer) : new Error(answer)
    }
  }
}

/** Posts without following redirects: texts go only where the operator said. The response is truncated. */
async function answerTo(url: string, request: { headers: Record<string, string>; body: string }, milliseconds: number) {
  const signal = AbortSignal.timeout(milliseconds)
  try {
    const response = await fetch(url, { method: 'POST', ...request, redirect: 'manual', signal })
    const { ok: isTaken, status } = response
    // The status decides; the body may be incomplete.
    const more = await beginningOf(response).catch(() => '')
    return { isTaken, status, answer: `${status} ${more}`.trim() }
  } catch (error) {
    if (signal.aborted) throw new Error(`The SMS gateway took more than ${milliseconds / 1000} seconds`)
    const cause = (error as Error).cause
    throw new Error(`The SMS gateway cannot be reached: ${((cause ?? error) as Error).message}`)
  }
}

const longestAnswer = 2000

async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length >= longestAnswer) break
  }
  return text.slice(0, longestAnswer)
}

/**
 * Whether the gateway refuses this text. Wrong credentials, a wrong URL, a redirect and "too many requests" can be resolved by the operator, or
 * by waiting.
 */
function isAboutTheText(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 402, 403, 404, 405, 407, 408, 425, 429].includes(status)
}
